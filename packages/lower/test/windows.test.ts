/** Gathers at an index and the constants after it, and orders by two words, on an implementation that reads and compares them together. */
import { check } from "@groupwise/ir/document/check.js";
import type { Pipeline, PipelineNode } from "@groupwise/ir/document/node.js";
import { launchesOf, verifyBounds } from "@groupwise/kernel/bounds/verify-bounds.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { ONE_THREAD } from "@groupwise/kernel/capabilities/one-thread.js";
import { verify } from "@groupwise/kernel/language/verify.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { documentOf } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";
import { resultsOf } from "./pipeline-interpreter.ts";

const TOGETHER: Capabilities = {
  ...SIMT,
  scalars: { ...SIMT.scalars, i64: "native", u64: "native" },
  windows: true,
};
/** Constants after an index: enough of them are a window. */
const OFFSETS = [0, 1, 2, 3, 5, 8, 13, 21, 34];

/** The sum of the elements at x and the offsets after it, and whether x, and the index where it is equal, is before the last of them. */
function source(): Pipeline {
  const nodes: PipelineNode[] = [{ id: 0, kind: "input", name: "x", type: "u32" }];
  const add = (node: object): number => nodes.push({ id: nodes.length, ...node } as PipelineNode) - 1;
  const u32 = (value: number): number => add({ kind: "const", type: "u32", value });
  const both = (op: string, left: number, right: number): number => add({ kind: "binary", op, left, right });
  const gathers = OFFSETS.map((offset) =>
    add({ kind: "gather", of: 0, index: offset === 0 ? 0 : both("add", 0, u32(offset)) }),
  );
  const sum = gathers.reduce((all, one) => both("add", all, one));
  const [last, index] = [
    gathers.at(-1) as number,
    add({ kind: "query", query: "global-linear-id", dimension: 0 }),
  ];
  const next = both("and", both("eq", 0, last), both("lt", index, u32(5)));
  add({ kind: "output", name: "sum", of: sum });
  add({ kind: "output", name: "before", of: both("or", both("lt", 0, last), next) });
  return documentOf(nodes);
}

test.each([
  ["by work-items", TOGETHER],
  ["by a loop", { ...ONE_THREAD, scalars: TOGETHER.scalars, maxItems: 2 ** 31, expand: [] }],
])("they are those at each index, the last one past the end, %s", (_, capabilities: Capabilities) => {
  const checked = check(source());
  const { module } = lower(checked, capabilities);
  verify(module);
  verifyBounds(module, launchesOf(checked, capabilities));
  // Of a minimum for each index, one for all remains, and an order by two words is one of 64 bits.
  expect(JSON.stringify(module)).toContain('"type":"u64"');
  const element = fc.oneof(fc.nat(50), fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constant(2 ** 32 - 1));
  fc.assert(
    fc.property(fc.array(element, { minLength: 1, maxLength: 70 }), (x) => {
      const at = (index: number): number => x[Math.min(index >>> 0, x.length - 1)] as number;
      const { sum, before } = resultsOf(checked, capabilities, x);
      expect(sum).toEqual(x.map((own) => OFFSETS.reduce((all, one) => (all + at(own + one)) >>> 0, 0)));
      const order = x.map((own, i) => own < at(own + 34) || (own === at(own + 34) && i < 5));
      expect(before).toEqual(order);
    }),
    { numRuns: process.env.GROUPWISE_FULL ? 300 : 100 },
  );
});
