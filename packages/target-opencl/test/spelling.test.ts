import type { Bounds } from "@groupwise/core/kernel";
import { expect, test } from "vitest";
import { floatLiteral } from "../src/print/literals.ts";
import { DIALECT } from "../src/print/spelling.ts";
import { FLOATS } from "./support.ts";

const float = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0] as number;
/** Floats by bit patterns that spread over all exponents, the special ones among them. */
const SPREAD = Array.from({ length: 20_000 }, (_, i) => float(Math.imul(i, 0x9e3779b1) >>> 0));

test("the literal of a float is parsed as the same float, and is short if possible", () => {
  for (const x of [...FLOATS, ...SPREAD].filter(Number.isFinite)) {
    const text = floatLiteral(x);
    expect(text).toMatch(/^(\d+\.\d+(e[+-]\d+)?f|\d+e[+-]\d+f|\(-(\d+\.\d+(e[+-]\d+)?|\d+e[+-]\d+)f\))$/);
    const value = Number(text.replaceAll(/[()f]/g, ""));
    expect(Math.fround(value)).toBe(x);
    // Nearer than any rounding of decimals could show: not just on the right side of the middle.
    expect(Math.abs(value - x)).toBeLessThanOrEqual(Math.abs(x) * 2 ** -26);
  }
  expect(["0.1", "3", "1e-45", "3.4028235e+38"].map((x) => floatLiteral(Math.fround(Number(x))))).toEqual([
    "0.1f",
    "3.0f",
    "1.40129846e-45f",
    "3.4028235e+38f",
  ]);
});

test("values without a decimal literal are written as bits", () => {
  expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0].map(floatLiteral)).toEqual([
    "as_float(0x7fc00000u)",
    "as_float(0x7f800000u)",
    "as_float(0xff800000u)",
    "(-0.0f)",
  ]);
});

test("integers are literals of their own type, the least one too", () => {
  const literal = (type: "i32" | "u32", value: number): string =>
    DIALECT.literal({ kind: "const", type, value });
  expect(literal("i32", -0x80000000)).toBe("(-2147483647 - 1)");
  expect(literal("i32", -5)).toBe("(-5)");
  expect(literal("u32", 0xffffffff)).toBe("4294967295u");
});

test("signed sums, differences and products are computed where overflow is defined", () => {
  const b = { kind: "var", name: "b", type: "i32" } as const;
  const any = [0, 0xffffffff] as const;
  const bounds: Bounds = () => [any, any];
  for (const op of ["add", "sub", "mul"] as const)
    expect(DIALECT.binary[op]("a", "b", "i32", b, bounds)).toMatch(/^as_int\(as_uint\(a\) . as_uint\(b\)\)$/);
});

test("locals are not const, so that clang does not look for constants in chains of selects", () => {
  for (const local of [
    DIALECT.let("x", "u32", "y"),
    DIALECT.let("x", "bool", "y"),
    DIALECT.intrinsics.shuffle({ type: "u32", value: "y", lane: "z", op: "add" }),
    DIALECT.intrinsics["shuffle-xor"]({ type: "bool", value: "y", lane: "1u", op: "add" }),
    ...(DIALECT.uniformLoad?.("x", "a", "i", "i32") ?? []),
  ])
    expect(local).not.toContain("const");
});
