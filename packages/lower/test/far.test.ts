/** Indexes near 2^32: work-groups at the far end of arrays that nobody could hold here. */

import { evaluate } from "@groupwise/ir/base/formula.js";
import { check } from "@groupwise/ir/document/check.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import { documentOf, input, output } from "../../ir/test/support.ts";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, splitPlan } from "../src/lower.ts";

const TILE_ITEMS: number = SIMT.tile.workGroupSize * SIMT.tile.itemsPerWorkItem;

/** An array that is read by a rule, and keeps what is written. */
function farArray(
  length: number,
  read: (index: number) => number,
): { array: ScalarValue[]; written: Map<number, number> } {
  const written = new Map<number, number>();
  const array = new Proxy([] as ScalarValue[], {
    get: (_, key) => (key === "length" ? length : read(Number(key))),
    set: (_, key, value) => {
      written.set(Number(key), value);
      return true;
    },
  });
  return { array, written };
}

const word = (i: number): number => (i * 0x9e3779b1) % 1021;

for (const type of ["u32", "i64"] as const) {
  const units = type === "i64" ? 2 : 1;
  // Two words of 2^31 items are all indexes that there are.
  const lengths = [2 ** 30 + 12_345, 2 ** 31, ...(units === 1 ? [2 ** 31 + 77, 0xf0000000] : [])];
  for (const n of lengths) {
    for (const partBytes of [undefined, 2 ** 31, 2 ** 31 - 256]) {
      test(`a scan of ${n} ${type}, ${partBytes ? `in parts of ${partBytes} bytes` : "whole"}`, () => {
        const zero = type === "i64" ? "0" : 0;
        const document = documentOf([
          input(type),
          { kind: "scan-inclusive", op: "add", type, of: 0, identity: zero, scope: "device", order: "fixed" },
          output(1),
        ] as never);
        const plan = lower(check(document), SIMT);
        expect(n).toBeLessThanOrEqual(plan.maxItems);
        const count = partBytes ? Math.ceil((n * 4 * units) / partBytes) : 1;
        const { module } =
          count > 1 && partBytes ? splitPlan(plan, { partBytes, parts: { x: count, y: count } }) : plan;
        const inPart = partBytes && count > 1 ? partBytes / 4 : n * units;
        const kernel = module.kernels.at(-1);
        if (!kernel) throw new Error("there is no kernel");
        const groups = evaluate(kernel.groups, n);
        const borders = Array.from({ length: count }, (_, i) =>
          Math.floor((i * inPart) / units / TILE_ITEMS),
        );
        const visited = new Set([
          0,
          ...borders,
          ...borders.map((b) => b - 1),
          groups - 1,
          groups,
          groups + 65_535,
        ]);
        for (const group of [...visited].filter((one) => one >= 0)) {
          const out = new Map<number, number>();
          const storage: Record<string, ScalarValue[]> = {};
          const far = module.buffers.map((buffer) => {
            const { index = 0, of = buffer } = buffer.part ?? {};
            const before = index * inPart;
            const length =
              of.name === "x" || of.name === "y" ? Math.min(inPart, n * units - before) : 2 ** 32;
            // What precedes a tile counts nothing here, so that its sums begin anew.
            const made = farArray(length, (i) => (of.name === "x" ? word(i + before) : 0));
            storage[buffer.name] = made.array;
            return { name: of.name, before, written: made.written };
          });
          runGroup(kernel, {
            size: SIMT.tile.workGroupSize,
            group,
            storage,
            functions: module.functions,
            params: { n },
          });
          for (const { name, before, written } of far)
            if (name === "y") for (const [i, value] of written) out.set(i + before, value);
          const want = new Map<number, number>();
          let sum = 0n;
          for (let i = group * TILE_ITEMS; i < Math.min(n, (group + 1) * TILE_ITEMS); i++) {
            const low = BigInt(word(i * units));
            sum += units === 2 ? low + (BigInt(word(i * units + 1)) << 32n) : low;
            for (let w = 0; w < units; w++)
              want.set(i * units + w, Number(BigInt.asUintN(32, sum >> BigInt(32 * w))));
          }
          expect(new Map([...out].sort(([a], [b]) => a - b))).toEqual(want);
        }
      });
    }
  }
}
