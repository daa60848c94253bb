import { describe, expect, it } from "vitest";
import { halfToNumber, isScalar, numberToHalf, SCALAR_NAMES, SCALARS } from "../src/tables/scalar.ts";
import { fc, test } from "./fast-check.ts";
import { anyOf } from "./support.ts";

describe("f16", () => {
  // The definition, and nothing of the implementation: every non-negative half in order, 65536 in the
  // place of infinity. The nearest is found by comparing with midpoints, which doubles hold exactly.
  const halves = Array.from({ length: 31 * 1024 + 1 }, (_, bits) => {
    const [exponent, fraction] = [Math.floor(bits / 1024), bits % 1024];
    return exponent === 0 ? fraction / 2 ** 24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
  const oracle = (x: number): number => {
    const magnitude = Math.abs(x);
    let [low, high] = [0, halves.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((halves[middle] as number) <= magnitude) low = middle;
      else high = middle - 1;
    }
    const next = halves[low + 1];
    const middle = next === undefined ? Number.POSITIVE_INFINITY : ((halves[low] as number) + next) / 2;
    const bits = magnitude < middle || (magnitude === middle && low % 2 === 0) ? low : low + 1;
    return (Math.sign(x) < 0 || Object.is(x, -0) ? 0x8000 : 0) + bits;
  };
  const neighbours = (x: number): number[] => {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, x);
    const bits = view.getBigUint64(0);
    return [bits - 1n, bits + 1n].map((near) => {
      view.setBigUint64(0, near);
      return view.getFloat64(0);
    });
  };

  it("reads every one of the 65,536 bit patterns, and writes it back", () => {
    const wrong: number[] = [];
    for (let bits = 0; bits < 65536; bits++) {
      const value = halfToNumber(bits);
      const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
      const magnitude = bits & 0x7fff;
      const want = exponent < 31 ? halves[magnitude] : fraction ? Number.NaN : Number.POSITIVE_INFINITY;
      const signed = bits >= 0x8000 ? -(want as number) : (want as number);
      const back = Number.isNaN(value) ? 0x7e00 : bits;
      if (!Object.is(value, signed) || numberToHalf(value) !== back) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
  });

  it("rounds ties to even, and numbers next to a tie to the nearest", () => {
    const wrong: number[] = [];
    for (let bits = 0; bits + 1 < halves.length; bits++) {
      const middle = ((halves[bits] as number) + (halves[bits + 1] as number)) / 2;
      for (const x of [middle, -middle, ...neighbours(middle)]) {
        if (numberToHalf(x) !== oracle(x)) wrong.push(x);
      }
    }
    expect(wrong).toEqual([]);
    expect(numberToHalf(65519.999999999993)).toBe(0x7bff);
    expect(numberToHalf(65520)).toBe(0x7c00);
    expect(numberToHalf(2 ** -25)).toBe(0);
    expect(numberToHalf(neighbours(2 ** -25)[1] as number)).toBe(1);
  });

  test("rounds any double to the nearest", () => {
    const inRange = fc.double({ min: -70000, max: 70000, noNaN: true });
    const tiny = fc.double({ min: -(2 ** -13), max: 2 ** -13, noNaN: true });
    return fc.property(fc.oneof(fc.double({ noNaN: true }), inRange, tiny), (x) => {
      expect(numberToHalf(x)).toBe(oracle(x));
    });
  });

  it("has one NaN", () => {
    expect(numberToHalf(Number.NaN)).toBe(0x7e00);
    expect(numberToHalf(-Number.NaN)).toBe(0x7e00);
  });
});

describe.each(SCALAR_NAMES)("%s", (type) => {
  const spec = SCALARS[type];

  test("values survive the host's array, and wrap does not change them", () =>
    fc.property(anyOf(type), (value) => {
      const array = new spec.array(1);
      (array as unknown as (number | bigint)[])[0] = spec.toHost(value);
      expect(spec.fromHost(array[0] as number | bigint)).toBe(value);
      expect(spec.wrap(value)).toBe(value);
    }));

  it("states the element size of its array", () => {
    expect(new spec.array(3).byteLength).toBe(3 * spec.hostBytes);
    expect(spec.deviceBytes).toBe(type === "bool" ? 4 : spec.bits / 8);
  });

  test("is between its lowest and highest value", () =>
    fc.property(anyOf(type), (value) => {
      if (Number.isNaN(value)) return;
      expect(value >= spec.lowest && value <= spec.highest).toBe(true);
    }));
});

describe("names", () => {
  it("are those of the table, without names of object prototypes", () => {
    expect(SCALAR_NAMES).toEqual(["i32", "u32", "i64", "u64", "f16", "f32", "f64", "bool"]);
    expect(SCALAR_NAMES.every(isScalar)).toBe(true);
    expect(
      ["constructor", "__proto__", "toString", "", "I32", undefined, 5, {}, ["i32"]].some(isScalar),
    ).toBe(false);
  });
});
