import type { ScalarValue } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { describe, expect, it } from "vitest";
import { difference, toArray, toValues } from "../src/data/arrays.ts";
import { TYPES } from "../src/data/collectives.ts";
import { DATA, dataKind, dataOf } from "../src/data/data.ts";
import { doubling, fenwick, leftToRight, rightToLeft, tiles } from "./mutants.ts";

const add = (a: ScalarValue, b: ScalarValue): number => Math.fround((a as number) + (b as number));
const mul = (a: ScalarValue, b: ScalarValue): number => Math.fround((a as number) * (b as number));

describe("data of floats distinguishes orders", () => {
  // Eight elements in groups of eight are one tile, and doubling is the Fenwick order up to four.
  const orders = { leftToRight, rightToLeft, doubling, "tiles of 16": tiles(16), "tiles of 64": tiles(64) };
  for (const [name, prefixes] of Object.entries(orders)) {
    it.each([100, 257, 1009])(`from ${name}, for n = %i`, (n) => {
      for (const kind of ["order", "wide"]) {
        const x = toValues("f32", dataOf("f32", dataKind("f32", kind), n, "orders"));
        const [want, other] = [fenwick(x, add), prefixes(x, add)];
        const different = want.filter((v, i) => !Object.is(v, other[i])).length;
        expect(different).toBeGreaterThan(n / 4);
        // Neither of them is wrong: both are near the exact sum.
        if (kind === "order")
          want.forEach((v, i) => {
            expect(Math.abs((v as number) - (other[i] as number))).toBeLessThan(1e-2);
          });
      }
      const x = toValues("f32", dataOf("f32", dataKind("f32", "order"), n, "orders"));
      expect(fenwick(x, mul)).not.toEqual(prefixes(x, mul));
    });
  }

  it("and its products are normal numbers", () => {
    for (const n of [257, 5000]) {
      const x = toValues("f32", dataOf("f32", dataKind("f32", "order"), n, 64));
      for (const v of fenwick(x, mul)) {
        expect(Math.abs(v as number)).toBeGreaterThan(2 ** -126);
        expect(Math.abs(v as number)).toBeLessThan(Number.POSITIVE_INFINITY);
      }
    }
  });
});

describe.each(TYPES)("data of %s", (type) => {
  it.each(DATA[SCALARS[type].kind])("$name is of the type and the same each time", (kind) => {
    const x = dataOf(type, kind, 200, 1);
    expect(x).toBeInstanceOf(SCALARS[type].array);
    expect(difference(type, dataOf(type, kind, 200, 1), x)).toBeUndefined();
    for (const v of toValues(type, x)) expect(SCALARS[type].wrap(v)).toBe(v);
  });
});

describe("difference", () => {
  const f = (...x: number[]) => toArray("f32", x);
  it("distinguishes zeros and not NaNs", () => {
    expect(difference("f32", f(0), f(-0))?.text).toBe("[0] is 0 (0x00000000), not -0 (0x80000000) of 1");
    expect(difference("f32", f(Number.NaN), f(Number.NaN))).toBeUndefined();
    expect(difference("f32", f(1, Number.NaN, 2), f(1, 2, 3))).toMatchObject({ index: 1, count: 2 });
  });
  it("detects missing values, other types and other lengths", () => {
    expect(difference("u32", undefined, new Uint32Array(1))?.text).toContain("no such output");
    expect(difference("u32", new Int32Array(1), new Uint32Array(1))?.text).toContain("Int32Array");
    expect(difference("u32", new Uint32Array(2), new Uint32Array(1))?.text).toContain("2 elements, not 1");
  });
});
