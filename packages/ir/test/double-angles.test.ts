/** Functions of angles of f64 against values that another library computed. */
import { expect, it } from "vitest";
import { FUNCTION_ROWS } from "../src/functions/functions.ts";
import type { ElementaryFunction } from "../src/functions/spec.ts";
import { KNOWN_ANGLES } from "./known-angles.ts";

const { NaN: NAN, POSITIVE_INFINITY: INFINITE } = Number;
const of = (op: ElementaryFunction, ...x: number[]): number => FUNCTION_ROWS[op].apply("f64", x) as number;
const OPS = [...new Set(KNOWN_ANGLES.map(({ op }) => op))] as ElementaryFunction[];

it.each(OPS)("%s of f64 is the nearest double where operands are hard", (op) => {
  const rows = KNOWN_ANGLES.filter((row) => row.op === op);
  expect(rows.length).toBeGreaterThan(14);
  for (const { operands, nearest } of rows)
    expect([operands, of(op, ...operands)]).toEqual([operands, nearest]);
});
it("has the special values of IEEE 754-2019, 9.2.1, of f64", () => {
  for (const op of ["sin", "cos", "tan"] as const)
    for (const x of [NAN, INFINITE, -INFINITE]) expect(of(op, x)).toBe(NAN);
  for (const op of ["asin", "acos"] as const)
    for (const x of [NAN, INFINITE, 1 + 2 ** -52, -2]) expect(of(op, x)).toBe(NAN);
  for (const op of ["sin", "tan", "asin", "atan"] as const) expect([of(op, 0), of(op, -0)]).toEqual([0, -0]);
  expect([of("cos", -0), of("acos", 0), of("acos", 1), of("acos", -1)]).toEqual([1, Math.PI / 2, 0, Math.PI]);
  expect([of("asin", -1), of("atan", -INFINITE)]).toEqual([-Math.PI / 2, -Math.PI / 2]);
});
it.each([
  [0, 1, 0],
  [-0, 1, -0],
  [0, -1, Math.PI],
  [-0, -0, -Math.PI],
  [-0, 0, -0],
  [3, -0, Math.PI / 2],
  [-3, 0, -Math.PI / 2],
  [3, -INFINITE, Math.PI],
  [-3, INFINITE, -0],
  [INFINITE, INFINITE, Math.PI / 4],
  [-INFINITE, -INFINITE, -3 * (Math.PI / 4)],
  [INFINITE, -3, Math.PI / 2],
  [NAN, 0, NAN],
  [0, NAN, NAN],
])("atan2(%d, %d) of f64 is %d", (y, x, angle) => expect(of("atan2", y, x)).toBe(angle));
