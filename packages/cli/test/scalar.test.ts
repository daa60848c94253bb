import { SCALARS } from "@groupwise/core/target";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseElement, parseScalar } from "../src/values/scalar.ts";

test.each(["i32", "u32", "i64", "u64"] as const)("%s: values of the type are read, and no others", (type) => {
  const { lowest, highest } = SCALARS[type];
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), (x) => {
      const fits = x >= BigInt(lowest) && x <= BigInt(highest);
      const value = parseScalar(type, String(x));
      expect(value === undefined ? undefined : BigInt(value)).toBe(fits ? x : undefined);
    }),
  );
  expect(parseScalar(type, String(highest))).toBe(highest);
  expect(parseScalar(type, String(lowest))).toBe(lowest);
});

test("floats are read as the nearest value of the type", () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true }), (x) => {
      expect(Object.is(parseScalar("f32", Object.is(x, -0) ? "-0" : String(x)), x)).toBe(true);
    }),
  );
  expect(parseScalar("f32", "0.1")).toBe(Math.fround(0.1));
  expect(parseScalar("f64", "0.1")).toBe(0.1);
  // Rounded once: a double or an f32 between would be half-way.
  expect(parseScalar("f32", "1.000000059604644775390626")).toBe(1 + 2 ** -23);
  expect(parseElement("bf16", "1.0039062501")).toBe(1 + 2 ** -7);
  expect(parseScalar("f32", "nan")).toBeNaN();
  expect(parseScalar("f32", "-inf")).toBe(Number.NEGATIVE_INFINITY);
});

const WRONG = {
  f32: ["1e39", "", "1.5x", "0x10", "1,5", "constructor"],
  f16: ["65520"],
  u32: ["1.0", "-1", "", "1e3"],
  i32: ["2147483648"],
  bool: ["yes", "toString"],
} as const;
const rows = Object.entries(WRONG).flatMap(([type, all]) =>
  all.map((text) => [type as "f32", text] as const),
);
test.each(rows)("%s refuses %j", (type, text) => {
  expect(parseScalar(type, text)).toBeUndefined();
});
