/** Elementary functions against the host's doubles, which share nothing with the table. */
import { describe, expect, it } from "vitest";
import { FUNCTION_ROWS, isElementary } from "../src/functions/functions.ts";
import type { ElementaryFunction } from "../src/functions/spec.ts";
import { halfToNumber, SCALARS } from "../src/tables/scalar.ts";
import type { FloatName } from "./exact-floats.ts";
import { fc, test } from "./fast-check.ts";
import { anyOf } from "./support.ts";

const { NaN: NAN, POSITIVE_INFINITY: INFINITE } = Number;
/** Simpson's rule on the integral. */
function errorFunction(x: number): number {
  if (!(Math.abs(x) < 6)) return Math.sign(x);
  const steps = 2000;
  const weight = (i: number): number => (i === 0 || i === steps ? 1 : i % 2 ? 4 : 2);
  let sum = 0;
  for (let i = 0; i <= steps; i++) sum += weight(i) * Math.exp(-(((x * i) / steps) ** 2));
  return ((2 / Math.sqrt(Math.PI)) * x * sum) / (3 * steps);
}
/** What the host rounds, of operands that are no special case of it. */
const DOUBLES: Readonly<Record<ElementaryFunction, (x: number, y: number) => number>> = {
  ...Math,
  ...{ exp: Math.exp, expm1: Math.expm1, log: Math.log, log2: Math.log2, log1p: Math.log1p },
  ...{ sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan },
  ...{ sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, cbrt: Math.cbrt, atan2: Math.atan2 },
  ...{ asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh },
  exp2: (x) => 2 ** x,
  sigmoid: (x) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x))),
  erf: errorFunction,
  rsqrt: (x) => 1 / Math.sqrt(x),
  // ECMA-262 differs from IEEE 754 where one operand decides.
  pow: (x, y) => (x === 1 || (x === -1 && Math.abs(y) === INFINITE) ? 1 : x ** y),
  hypot: (x, y) =>
    Math.abs(x) === INFINITE || Math.abs(y) === INFINITE ? INFINITE : Math.sqrt(x * x + y * y),
};
const NAMES = (Object.keys(FUNCTION_ROWS) as (keyof typeof FUNCTION_ROWS)[]).filter(isElementary);
const UNARY = NAMES.filter((op) => FUNCTION_ROWS[op].rest.length === 0);
const TYPES: readonly FloatName[] = ["f16", "f32"];

/** The nearest value, or either of two where the double is so near to the middle that its error decides. */
function expectNear(op: ElementaryFunction, type: FloatName, x: readonly number[]): void {
  const got = FUNCTION_ROWS[op].apply(type, x) as number;
  const want = DOUBLES[op](x[0] as number, x[1] as number);
  const either = [1 - 2 ** -42, 1 + 2 ** -42].map((side) => SCALARS[type].wrap(want * side) as number);
  if (!either.some((value) => Object.is(value, got)))
    expect.fail(`${op}(${x}) of ${type} is ${got}, not ${want}`);
}

/** Ends, whole numbers, small ones, and those that a quarter turn, a power or a root of a type makes hard. */
const HARD = [
  ...[0, 1, 2, 3, 0.5, 0.25, 0.75, 1.5, 10, 16, 88, 89, 103, 104, 127, 128, 149, 150, 2 ** -12, 2 ** -24],
  ...[2 ** -126, 2 ** -140, 2 ** -149, 3.4028234663852886e38, 2 ** 64, 16777215, INFINITE],
  ...[Math.PI / 2, Math.PI / 4, Math.PI, 355, 710, 16367173 * 2 ** 72, 1.5 * 2 ** -21].map(Math.fround),
].flatMap((x) => [x, -x]);
const wrapped = (type: FloatName): number[] =>
  HARD.map((x) => (type === "f16" ? halfToNumber(Math.round(Math.abs(x) * 7919) % 65536) : x)).concat(NAN);

describe("the table", () => {
  it.each(UNARY)("has the nearest half of %s", (op) => {
    for (let bits = 0; bits < 65536; bits += 29) expectNear(op, "f16", [halfToNumber(bits)]);
  });
});
describe.each(TYPES)("of %s", (type) => {
  it.each(NAMES)("%s is within half a unit for special and hard operands", (op) => {
    const list = wrapped(type);
    for (const x of list)
      for (const y of UNARY.includes(op) ? [0] : list)
        expectNear(op, type, UNARY.includes(op) ? [x] : [x, y]);
  });
  for (const op of NAMES)
    test(`${op} is half a unit off at most`, () =>
      fc.property(anyOf(type), anyOf(type), (x, y) => {
        const operands = [x, y] as number[];
        expectNear(op, type, UNARY.includes(op) ? operands.slice(0, 1) : operands);
      }));
});

const of = (op: ElementaryFunction, ...x: number[]): number => FUNCTION_ROWS[op].apply("f32", x) as number;
describe("results that a double does not determine", () => {
  it("are determined with more digits", () => {
    // 2^-66 beside a tie, 2^-75 beside one, and a tie.
    expect(of("log1p", 0x1800006 * 2 ** -45)).toBe(0x17ffffe * 2 ** -45);
    expect(of("log1p", -0x17ffffa * 2 ** -45)).toBe(-0x1800002 * 2 ** -45);
    expect(of("sigmoid", 2 ** -23)).toBe(0.5);
    expect(of("exp2", -150)).toBe(0);
    expect(of("hypot", 2 ** 24 - 1, 0)).toBe(2 ** 24 - 1);
  });
  it("returns exact powers and ties exactly", () => {
    expect(of("pow", 3, 15)).toBe(14348907);
    expect(of("pow", 4097, 2)).toBe(16785408);
    expect(of("pow", 4099, 2)).toBe(16801800);
    expect(of("pow", 0.0625, -0.75)).toBe(8);
    expect(of("pow", -2, 127)).toBe(-(2 ** 127));
    expect(of("cbrt", -27)).toBe(-3);
    expect(of("rsqrt", 2 ** -148)).toBe(2 ** 74);
  });
  it("has the special values of IEEE 754-2019, 9.2.1", () => {
    expect([of("pow", NAN, 0), of("pow", 1, NAN), of("pow", -1, INFINITE)]).toEqual([1, 1, 1]);
    expect([of("pow", -0, -3), of("pow", -0, -2), of("pow", -8, 1 / 3)]).toEqual([-INFINITE, INFINITE, NAN]);
    expect([of("hypot", NAN, -INFINITE), of("hypot", NAN, 1)]).toEqual([INFINITE, NAN]);
    expect([of("atan2", -0, -1), of("atan2", 0, 0)]).toEqual([-Math.fround(Math.PI), 0]);
    expect([of("rsqrt", -0), of("log1p", -1), of("acos", 1)]).toEqual([-INFINITE, -INFINITE, 0]);
  });
});
