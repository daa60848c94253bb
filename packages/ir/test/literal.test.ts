import { describe, expect, it } from "vitest";
import { parsePipeline } from "../src/schema/parse.ts";
import { decodeLiteral, encodeLiteral, type Literal, sameValue } from "../src/tables/literal.ts";
import { SCALAR_NAMES, type Scalar } from "../src/tables/scalar.ts";
import { fc, test } from "./fast-check.ts";
import { anyOf } from "./support.ts";

describe.each(SCALAR_NAMES)("literals of %s", (type) => {
  test("survive JSON unchanged", () =>
    fc.property(anyOf(type), (value) => {
      const written = JSON.parse(JSON.stringify(encodeLiteral(type, value))) as Literal;
      expect(decodeLiteral(type, written)).toBe(value);
    }));

  test("have one spelling", () =>
    fc.property(
      fc.oneof(anyOf(type), fc.string(), fc.double(), fc.constantFrom("-0", "00", "+1", "inf")),
      (written) => {
        const value = decodeLiteral(type, written);
        if (value !== undefined) expect(encodeLiteral(type, value)).toBe(written);
      },
    ));
});

describe("a literal", () => {
  it.each<[Scalar, Literal, unknown]>([
    ["f32", "inf", Number.POSITIVE_INFINITY],
    ["f64", "-inf", Number.NEGATIVE_INFINITY],
    ["f16", "nan", Number.NaN],
    ["f32", "-0", -0],
    ["f32", 0, 0],
    ["i64", "-9223372036854775808", -(2n ** 63n)],
    ["u64", "18446744073709551615", 2n ** 64n - 1n],
    ["bool", true, true],
    ["i32", -2147483648, -2147483648],
  ])("of %s, %j, is read", (type, written, value) => {
    expect(decodeLiteral(type, written)).toBe(value);
  });

  const WRONG: Partial<Record<Scalar, unknown[]>> = {
    // Doubles that no f32 and no f16 equal are first.
    f32: [0.1, 1e39, Number.NaN, Number.POSITIVE_INFINITY, -0, "1", "toString", "__proto__", true, null],
    f16: [2049],
    i32: [2147483648, 1.5, -0, "1", true, Symbol("1")],
    u32: [-1, Number.NaN],
    i64: [1, "9223372036854775808", "-0", "01", " 1", "0x10", "1".repeat(1000)],
    u64: ["-1", "1n"],
    bool: [1, "true", undefined],
  };
  const rows = Object.entries(WRONG).flatMap(([type, all]) =>
    all.map((one) => [type as Scalar, one] as const),
  );
  it.each(rows)("of %s cannot be %j", (type, written) => {
    expect(decodeLiteral(type, written)).toBeUndefined();
  });

  it("that is a negative zero without quotes is named as one", () => {
    const document = { format: "groupwise-pipeline", version: 1, name: "p", workGroupSize: [1] };
    const nodes = [
      { id: 0, kind: "const", type: "f32", value: -0 },
      { id: 1, kind: "output", name: "y", of: 0 },
    ];
    expect(() => parsePipeline({ ...document, nodes })).toThrow(
      /"-0" is not exactly a value of f32.*"-0" in quotes/,
    );
  });

  it("distinguishes zeros and treats all NaNs as equal", () => {
    expect(sameValue(0, -0)).toBe(false);
    expect(sameValue(Number.NaN, Number.NaN)).toBe(true);
    expect(sameValue(1n, 1n)).toBe(true);
    expect(sameValue(1, 1n)).toBe(false);
  });
});
