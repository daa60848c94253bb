import { expect, it } from "vitest";
import { errorOfSums } from "../src/libraries/sums.ts";

it("compares sums of libraries with sums that lose no bits", () => {
  const x = Float64Array.of(1e16, 1, 1, -1e16);
  expect(errorOfSums("reduce", x, Float64Array.of(2))).toBe(0);
  expect(errorOfSums("reduce", x, Float64Array.of(0))).toBe(1);
  const small = Float32Array.of(1, 2, 3);
  expect(errorOfSums("scan", small, Float32Array.of(1, 3, 6))).toBe(0);
  expect(errorOfSums("scan", small, Float32Array.of(1, 3.75, 6))).toBe(0.25);
});

it("finds integers that differ", () => {
  const x = BigInt64Array.of(5n, -2n, 4n);
  expect(errorOfSums("scan", x, BigInt64Array.of(5n, 3n, 7n))).toBe(0);
  expect(errorOfSums("scan", x, BigInt64Array.of(5n, 2n, 7n))).toBe(1);
});
