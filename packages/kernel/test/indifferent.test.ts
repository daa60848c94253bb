/** Operations whose results are right on a device that flushes subnormal numbers, so that no function computes them. */
import { expect, test } from "vitest";
import type { Capabilities } from "../src/capabilities/capabilities.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, call, constant, mul, sub } from "../src/language/make-expr.ts";
import { keepSubnormals } from "../src/passes/subnormals.ts";
import { linesOf } from "./kernel-text.ts";
import { SIMT } from "./simt.ts";
import { kernel, moduleOf } from "./two-arrays.ts";

const capabilities: Capabilities = {
  ...SIMT,
  scalars: { ...SIMT.scalars, f32: "native" },
  subnormals: "exact",
};
const v: Expr = { kind: "var", name: "v", type: "f32" };
const f = (value: number): Expr => constant("f32", value);
const truncated = (e: Expr): Expr => call("u32_of_f32", "u32", [e]);

/** Whether the pass leaves an operation to the device. */
function isOwn(e: Expr): boolean {
  const given = kernel("k", (code) => {
    code.let("v", code.load({ space: "storage", name: "x", type: "f32" }, 0));
    code.store({ space: "storage", name: "y", type: e.type }, 0, e);
  });
  const { kernels } = keepSubnormals(moduleOf(given), { capabilities });
  return !linesOf(kernels[0]?.body ?? []).some((line) => /(add|sub|mul)_f32/.test(line));
}

const flushed = (x: number): number => (Math.abs(x) < 2 ** -126 ? 0 : x);
const words = new Uint32Array(1);
const float = new Float32Array(words.buffer);
const near = (x: number, by: number): number => {
  float[0] = x;
  words[0] = (words[0] as number) + by;
  return float[0];
};
/** Numbers of every magnitude, beside powers of two and beside another number. */
const numbers = (beside: number): number[] => [
  ...Array.from({ length: 254 }, (_, i) => [-1, 0, 1].map((by) => near(2 ** (i - 126), by))).flat(),
  ...Array.from({ length: 200 }, (_, i) => near(beside, i - 100)),
  ...[0, 2 ** -149, 2 ** -127, 2 ** -126 - 2 ** -149],
];

test.each([2 ** -100, 1.5 * 2 ** -100, 0.1, 1, 3e38])("sums with %d", (given) => {
  const c = Math.fround(given);
  for (const e of [add(v, f(c)), add(f(-c), v), sub(v, f(c)), sub(f(c), v)]) expect(isOwn(e)).toBe(true);
  for (const x of numbers(c)) {
    expect(flushed(Math.fround(flushed(x) - c))).toBe(Math.fround(x - c));
    expect(flushed(Math.fround(flushed(x) + c))).toBe(Math.fround(x + c));
  }
});

test.each([2 ** -126, 0.3, 256, 2 ** 126])("products with %d that are truncated", (given) => {
  const c = Math.fround(given);
  for (const e of [mul(v, f(c)), mul(f(-c), v)]) {
    expect(isOwn(truncated(e))).toBe(true);
    expect(isOwn(e)).toBe(false);
  }
  for (const x of numbers(1))
    expect(Math.trunc(flushed(Math.fround(flushed(x) * c)))).toBe(Math.trunc(Math.fround(x * c)));
});

test("others are computed by functions", () => {
  for (const e of [add(v, v), add(v, f(2 ** -101)), sub(v, f(0))]) expect(isOwn(e)).toBe(false);
  for (const c of [2 ** -127, near(2 ** 126, 1)]) expect(isOwn(truncated(mul(v, f(c))))).toBe(false);
});
