import { describe, expect, test } from "vitest";
import { type DecimalType, nearestFloat } from "../src/tables/decimal.ts";
import { type Fraction, fraction, nearestTo, plus, power, times } from "./exact-floats.ts";
import { fc, test as property } from "./fast-check.ts";

const TYPES = ["f16", "bf16", "f32", "f64"] as const satisfies readonly DecimalType[];

/** Significant binary digits, and the least and greatest exponents of normal values. */
const FORMATS = {
  f16: [11, -14, 15],
  bf16: [8, -126, 127],
  f32: [24, -126, 127],
  f64: [53, -1022, 1023],
} as const;

/** The decimal of a fraction whose denominator is a power of two, with digits after its last one. */
function decimalOf({ n, d }: Fraction, more: string): string {
  const places = d.toString(2).length - 1;
  const digits = ((n * 10n ** BigInt(places)) / d).toString().padStart(places + 1, "0");
  return `${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}${more}`;
}

const fractionOf = (decimal: string): Fraction => {
  const [whole = "", rest = ""] = decimal.split(".");
  return fraction(BigInt(whole + rest), 10n ** BigInt(rest.length));
};

describe.each(TYPES)("a decimal as %s", (type) => {
  const [digits, least, greatest] = FORMATS[type];
  /** Half of an odd number of steps: half-way between two values. */
  const halfWay = fc
    .record({
      exponent: fc.integer({ min: least, max: greatest }),
      steps: fc.bigInt({ min: 0n, max: 2n ** BigInt(digits) - 1n }),
    })
    .map(({ exponent, steps }) => times(fraction(2n * steps + 1n), power(exponent - digits)));

  property("goes to the nearest, beside the middle of two as anywhere", () =>
    fc.property(
      halfWay,
      fc.constantFrom("", "0", "1", `${"0".repeat(40)}1`, "below"),
      fc.nat({ max: 12 }),
      (middle, side, moved) => {
        const decimal =
          side === "below"
            ? decimalOf(plus(middle, fraction(-1n, middle.d << 90n)), "")
            : decimalOf(middle, side);
        const got = nearestFloat(type, `-${decimal}`);
        expect(nearestFloat(type, decimal)).toBe(-got);
        // With an exponent, whose digits are moved.
        const [whole = "", rest = ""] = decimal.split(".");
        expect(nearestFloat(type, `${whole}${rest}${"0".repeat(moved)}E-${rest.length + moved}`)).toBe(-got);
        expect(-got).toBe(nearestTo(type, fractionOf(decimal)));
      },
    ),
  );
});

test("zeros keep their signs, and what is far beyond a type is infinite or zero", () => {
  for (const type of TYPES) {
    expect(nearestFloat(type, "-0.0e9")).toBe(-0);
    expect(nearestFloat(type, "1e-999")).toBe(0);
    expect(nearestFloat(type, "-1e999")).toBe(Number.NEGATIVE_INFINITY);
  }
});
