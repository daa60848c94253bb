/** Which floats are hidden: those that the form of their expression limits to the least one and 0. */
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import type { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  call,
  cast,
  constant,
  load,
  lt,
  select,
  u32,
  unary,
} from "../src/language/make-expr.ts";
import { HALF_NAMES } from "../src/library/types/half-names.ts";
import { hideLeastFloats } from "../src/passes/least-floats.ts";
import { linesOf } from "./kernel-text.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";
import { SIMT } from "./simt.ts";

const around = { capabilities: { ...SIMT, expand: ["least-floats"] } } as const;
const of = (type: Scalar): Expr => load("storage", type, type, 0);
const x = of("u32");
const condition = lt(x, u32(5));
const bit = (type: Scalar): Expr => cast(type, condition);
const float = (bits: Expr): Expr => bitcast("f32", bits);
const double = (bits: Expr): Expr => bitcast("f64", bits);
const half = (bits: Expr): Expr => call(HALF_NAMES.ofBits, "f32", [bits]);
const f32 = (value: number): Expr => constant("f32", value);
const least = 2 ** -149;
const clamped = (type: Scalar, value: number | bigint = 1): Expr =>
  binary(
    "min",
    binary("max", of(type), constant(type, typeof value === "bigint" ? 0n : 0)),
    constant(type, value),
  );

/** The lines of a kernel that stores a value. */
function linesAfter(write: (code: Code) => Expr, hides: boolean = true): readonly string[] {
  const store = (code: Code): void => {
    const value = write(code);
    code.store({ space: "storage", name: "out", type: value.type }, 0, value);
  };
  const given = moduleWith([kernelWith(stmtsOf(store))]);
  const { kernels } = hideLeastFloats(given, hides ? around : { capabilities: SIMT });
  return linesOf(kernels[0]?.body ?? []);
}
const isHidden = (e: Expr): boolean =>
  linesAfter(() => e)
    .join()
    .includes("no_bits()");

test.each<[string, Expr]>([
  ["a truth value", float(bit("u32"))],
  ["a signed one", float(unary("neg", unary("neg", bit("i32"))))],
  ["one of 64 bits", float(cast("u32", bit("u64")))],
  ["one that was a float", float(cast("u32", bit("f32")))],
  ["a minimum", float(binary("min", x, u32(1)))],
  ["a clamped i32", float(clamped("i32"))],
  ["a clamped u64", float(cast("u32", clamped("u64", 1n)))],
  ["the highest bits", float(binary("shr", unary("clz", x), u32(5)))],
  ["a quotient", float(binary("div", x, u32(0x80000001)))],
  ["a bit of a choice", float(and(select(condition, u32(5), u32(4)), u32(1)))],
  ["a choice and a sum", float(binary("sub", add(bit("u32"), u32(4)), u32(4)))],
  ["a sign", float(binary("or", bit("u32"), u32(0x80000000)))],
  ["a constant", select(condition, f32(least), f32(0))],
  ["its opposite", f32(-least)],
  ["a converted double", cast("f32", select(condition, constant("f64", least), constant("f64", 0)))],
  ["a double", double(bit("u64"))],
  ["a constant double", constant("f64", 2 ** -1074)],
  ["a half", half(bit("u32"))],
  ["a negative half", half(binary("or", bit("u32"), u32(0x8000)))],
])("%s may be the least float", (_, e) => expect(isHidden(e)).toBe(true));

test.each<[string, Expr]>([
  ["any bits", float(x)],
  ["two bits", float(and(x, u32(3)))],
  ["a larger number", float(select(condition, u32(2), u32(0)))],
  ["0", float(binary("min", x, u32(0)))],
  ["0 or -1", float(unary("neg", bit("i32")))],
  ["other constants", select(condition, f32(2 * least), f32(1))],
  ["a rounded integer", bit("f32")],
  ["a double", constant("f64", least)],
  ["a double of two bits", double(and(of("u64"), constant("u64", 3n)))],
  ["a half of any bits", half(x)],
  ["an integer", bit("u32")],
])("%s is not hidden", (_, e) => expect(isHidden(e)).toBe(false));

test("the bits of a hidden float are those of its expression and no others", () => {
  const bits = "or(min(u32[0], 1), no_bits())";
  expect(linesAfter(() => float(binary("min", x, u32(1))))).toEqual([`store out 0 bitcast(${bits})`]);
  expect(linesAfter(() => f32(-least))).toEqual([`store out 0 bitcast(or(${0x80000001}, no_bits()))`]);
});

test("names have the values of their blocks", () => {
  const lines = linesAfter((code) => {
    code.if(condition, (then) => {
      const other = then.let("bits", and(x, u32(7)));
      then.store({ space: "storage", name: "out", type: "f32" }, 1, float(other));
    });
    return float(code.let("bits", binary("shr", code.let("more", and(x, u32(3))), u32(1))));
  });
  expect(lines.filter((line) => line.includes("no_bits()"))).toEqual([lines.at(-1)]);
});

test("implementations that do not ask for it keep their text", () => {
  expect(linesAfter(() => f32(least), false)).toEqual([`store out 0 ${least}`]);
});
