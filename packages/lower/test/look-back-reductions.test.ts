/** Totals of blocks of 32 lanes by an instruction: for integers of 32 bits alone, and with the bits of the reference. */

import { type Checked, check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { OPS, type Op } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { resultOf } from "@groupwise/kernel/language/intrinsics.js";
import { usesSubgroups, walk } from "@groupwise/kernel/language/walk.js";
import { describe, expect, test } from "vitest";
import { cast, type Draft, documentOf, output } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";
import { resultsOf } from "./pipeline-interpreter.ts";

const withSizes = (minSize: number, maxSize: number, withheld: readonly number[] = [0]): Capabilities => ({
  ...SIMT,
  scalars: { ...SIMT.scalars, i64: "native", f32: "native" },
  subgroups: { minSize, maxSize, reduces: true },
  surplusGroups: false,
  // The first tile is withheld, so that its total is computed by who waits for it.
  lookBack: { workGroupSize: 64, rows: 4, groups: 1, polls: 2, withheld },
});
const WITH_INSTRUCTION = withSizes(32, 32);

const identityOf = (op: Op, type: Scalar) =>
  type === "i64" ? String(OPS[op].identity(type)) : OPS[op].identity(type);
const X: Draft = { kind: "input", name: "x", type: "u32" };
const scan = (op: Op, type: Scalar, of: number): Draft =>
  ({
    ...{ kind: "scan-inclusive", of, op, type, identity: identityOf(op, type) },
    ...{ scope: "device", order: "fixed" },
  }) as Draft;
const scanOf = (op: Op, type: Scalar): Checked =>
  check(
    documentOf([
      X,
      ...(type === "u32"
        ? [scan(op, type, 0)]
        : [{ kind: "cast", to: type, of: 0 } as Draft, scan(op, type, 1)]),
      output(type === "u32" ? 1 : 2),
    ]),
  );
const BOTH = check(
  documentOf([
    ...[X, cast("i32", 0), scan("add", "u32", 0), scan("max", "i32", 1), output(2, "sums")],
    output(3, "most"),
  ]),
);

const reductionsIn = (checked: Checked, capabilities: Capabilities): readonly string[] => {
  const { module } = lower(checked, capabilities);
  const found = module.kernels.flatMap(({ body }) =>
    [...walk(body)].flatMap((stmt) =>
      stmt.kind === "intrinsic" && stmt.op ? [`${stmt.op} ${resultOf(stmt)}`] : [],
    ),
  );
  return [...new Set(found)].sort();
};

const OPERATORS: readonly (readonly [Op, Scalar])[] = [
  ["add", "u32"],
  ["add", "i32"],
  ["min", "i32"],
  ["max", "u32"],
  ["and", "u32"],
  ["or", "i32"],
  ["xor", "u32"],
];

describe("look-back where 32 lanes combine integers by an instruction", () => {
  // Two tiles and a tail; the bits of later items do not repeat those of earlier ones.
  const x = Array.from({ length: 2 * 64 * 64 + 77 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);

  test.each([
    ...OPERATORS.map(([op, type]) => [`${op} ${type}`, scanOf(op, type), [`${op} ${type}`]] as const),
    ["a sum and a maximum", BOTH, ["add u32", "max i32"]] as const,
  ])("%s: uses it, with the results of the reference", (_, checked, wanted) => {
    // The least number of a missing slot is found by it too.
    expect(reductionsIn(checked, WITH_INSTRUCTION)).toEqual([...new Set([...wanted, "min u32"])].sort());
    expect(usesSubgroups(lower(checked, WITH_INSTRUCTION).module)).toBe(true);
    expect(resultsOf(checked, WITH_INSTRUCTION, x)).toEqual(
      reference(checked, { n: x.length, inputs: { x } }),
    );
  });

  test.each([[[1]], [[0, 1]]])(
    "the last full tile publishes for the tail, though %j are withheld",
    (withheld) => {
      const checked = scanOf("add", "u32");
      expect(resultsOf(checked, withSizes(32, 32, withheld), x)).toEqual(
        reference(checked, { n: x.length, inputs: { x } }),
      );
    },
  );

  test.each([
    ["a product", "mul", "u32"],
    ["64 bits", "add", "i64"],
    ["floats, whose order is fixed", "add", "f32"],
  ] as const)("%s: does not", (_, op, type) => {
    expect(reductionsIn(scanOf(op, type), WITH_INSTRUCTION)).toEqual(["min u32"]);
  });

  test("blocks of 32 lanes may be parts of subgroups, not the reverse", () => {
    const checked = scanOf("add", "u32");
    expect(reductionsIn(checked, withSizes(32, 64))).toContain("add u32");
    expect(reductionsIn(checked, withSizes(16, 32))).toEqual([]);
    expect(resultsOf(checked, withSizes(32, 64), x)).toEqual(
      reference(checked, { n: x.length, inputs: { x } }),
    );
  });
});
