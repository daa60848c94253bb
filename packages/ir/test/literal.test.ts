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

  it.each<[Scalar, unknown]>([
    ["f32", 0.1], // a double that no f32 equals
    ["f16", 2049],
    ["f32", 1e39],
    ["f32", Number.NaN],
    ["f32", Number.POSITIVE_INFINITY],
    ["f32", -0],
    ["f32", "1"],
    ["f32", "toString"],
    ["f32", "__proto__"],
    ["f32", true],
    ["f32", null],
    ["i32", 2147483648],
    ["i32", 1.5],
    ["i32", -0],
    ["i32", "1"],
    ["i32", true],
    ["i32", Symbol("1")],
    ["u32", -1],
    ["u32", Number.NaN],
    ["i64", 1],
    ["i64", "9223372036854775808"],
    ["i64", "-0"],
    ["i64", "01"],
    ["i64", " 1"],
    ["i64", "0x10"],
    ["i64", "1".repeat(1000)],
    ["u64", "-1"],
    ["u64", "1n"],
    ["bool", 1],
    ["bool", "true"],
    ["bool", undefined],
  ])("of %s cannot be %j", (type, written) => {
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
