/** Comparisons and extremes of native floats by their bits, for all pairs of numbers beside those where bits change. */
import { BINARY } from "@groupwise/ir/tables/expr-op.js";
import { SCALARS, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import type { Expr } from "../src/language/expr.ts";
import { call, load, u32 } from "../src/language/make-expr.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { nativeName } from "../src/library/types/base/define.ts";
import { COMPARE_FUNCTIONS } from "../src/library/types/compare.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { kernelWith } from "./modules.ts";

/** Digits after the first one, and the exponents of the least and of the largest normal number. */
const FORMATS = { f16: [10, -14, 15], f32: [23, -126, 127], f64: [52, -1022, 1023] } as const;
type Float = keyof typeof FORMATS;
const OPS = ["eq", "lt", "le", "min", "max"] as const;

/** Each number beside its neighbours, of both signs. */
function valuesOf(type: Float): ScalarValue[] {
  const [digits, least, most] = FORMATS[type];
  const unit = 2 ** -digits;
  const [subnormal, normal] = [2 ** (least - digits), 2 ** least];
  const magnitudes = [
    ...[0, subnormal, 2 * subnormal, normal - subnormal, normal, normal + subnormal],
    ...[1 - unit / 2, 1, 1 + unit, 2 - unit, 2, 2 + 2 * unit, 3, 1024],
    ...[(2 - 2 * unit) * 2 ** most, (2 - unit) * 2 ** most, Number.POSITIVE_INFINITY, Number.NaN],
  ];
  return magnitudes.flatMap((value) => [SCALARS[type].wrap(value), SCALARS[type].wrap(-value)]);
}

test.each(Object.keys(FORMATS) as Float[])("operators of %s have the values of the table", (type) => {
  const values = valuesOf(type);
  const pairs = values.flatMap((a) => values.map((b) => [a, b] as const));
  const i: Expr = { kind: "var", name: "i", type: "u32" };
  const args = ["x", "y"].map((array) => load("storage", array, type, i));
  const body = OPS.map((op): Stmt => {
    const result = op === "min" || op === "max" ? type : "bool";
    const value = call(nativeName(op, type), result, args);
    return { kind: "store", space: "storage", array: op, index: i, value };
  });
  const loop: Stmt = { kind: "for", name: "i", from: u32(0), below: u32(pairs.length), step: 1, body };
  const results = Object.fromEntries(OPS.map((op) => [op, Array<ScalarValue>(pairs.length)]));
  const storage = { x: pairs.map(([a]) => a), y: pairs.map(([, b]) => b), ...results };
  runGroup(kernelWith([loop]), { size: 1, storage, functions: COMPARE_FUNCTIONS });
  for (const op of OPS) {
    const want = pairs.map(([a, b]) => BINARY[op].apply(type, a, b));
    const wrong = pairs.findIndex((_, at) => !Object.is(results[op]?.[at], want[at]));
    expect(wrong < 0 ? "" : `${op} of ${pairs[wrong]} is ${results[op]?.[wrong]}`).toBe("");
  }
});
