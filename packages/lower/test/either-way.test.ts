/** Which monoids may use the device's own sums and products of f32, on one that flushes subnormal numbers. */

import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, it } from "vitest";
import { operatorOf, type Term } from "../../ir/test/operator-builder.ts";
import { type Native, nativeOf } from "../src/lanes/either-way.ts";
import { monoidOf } from "../src/parts/monoid.ts";
import { monoidOfOperator } from "../src/parts/operator.ts";

type Fields = Readonly<Record<"a" | "b", Term>>;
/** Of two fields, of which all or these are read. */
const ofPair = (
  combine: (left: Fields, right: Fields) => Fields,
  read: readonly number[] = [0, 1],
  b: Scalar = "f32",
): Native | undefined =>
  nativeOf(monoidOfOperator(operatorOf("pair", { a: "f32", b }, { a: 0, b: 0 }, combine)), new Set(read));
const sum = (x: Term, y: Term): Term => x.op("add", y);

it("sums are right from 2^-102 on, and products from 2^-51 on, if their results are as large", () => {
  const all = new Set([0]);
  expect(nativeOf(monoidOf("add", "f32"), all)).toEqual({ least: -102, watches: false, needed: [true] });
  expect(nativeOf(monoidOf("mul", "f32"), all)).toEqual({ least: -51, watches: true, needed: [true] });
});

it("combinations without a sum or product of f32 have no own form", () => {
  expect(nativeOf(monoidOf("max", "f32"), new Set([0]))).toBeUndefined();
  expect(nativeOf(monoidOf("add", "u32"), new Set([0]))).toBeUndefined();
});

describe("of what an operator is made", () => {
  const MADE: Readonly<Record<string, readonly [(left: Fields, right: Fields) => Fields, boolean]>> = {
    "sums of both fields": [(l, r) => ({ a: sum(l.a, r.a), b: sum(l.b, r.b) }), true],
    "sums of sums": [(l, r) => ({ a: sum(sum(l.a, r.a), r.b), b: r.b }), true],
    "products of the fields' values": [(l, r) => ({ a: l.a.op("mul", r.a), b: r.b }), true],
    "a product of what is chosen": [(l, r) => ({ a: l.a.op("mul", r.a.op("max", l.b)), b: r.b }), true],
    // A sum may be small although its operands are not.
    "a product of a sum": [(l, r) => ({ a: sum(l.a, r.b).op("mul", r.a), b: r.b }), false],
    "a product by a sum": [(l, r) => ({ a: r.a.op("mul", sum(l.a, r.b)), b: r.b }), false],
    "a product of a chosen sum": [
      (l, r) => ({ a: sum(l.a, r.b).op("max", r.b).op("mul", r.a), b: r.b }),
      false,
    ],
    "a product of a product": [(l, r) => ({ a: l.a.op("mul", r.a).op("mul", r.b), b: r.b }), false],
    "a constant that is large enough": [(l, r) => ({ a: sum(l.a, r.a).op("add", 2 ** -51), b: r.b }), true],
    "a constant of 0": [(l, r) => ({ a: sum(l.a, r.a.op("max", 0)), b: r.b }), true],
    "a constant that is too small": [(l, r) => ({ a: sum(l.a, r.a.op("mul", 2 ** -52)), b: r.b }), false],
    quotients: [(l, r) => ({ a: sum(l.a, r.a.op("div", l.b)), b: r.b }), false],
  };
  it.each(Object.keys(MADE))("%s", (name) => {
    const [combine, isNative] = MADE[name] as (typeof MADE)[string];
    expect(ofPair(combine) !== undefined).toBe(isNative);
  });

  it("floats from integers, but not from halves and doubles, whose numbers may be small", () => {
    const casts = (["i32", "u32", "f16", "f64"] as const).map((type) =>
      ofPair((l, r) => ({ a: sum(sum(l.a, r.a), r.b.to("f32")), b: r.b }), [0, 1], type),
    );
    expect(casts.map((native) => native !== undefined)).toEqual([true, true, false, false]);
  });
});

describe("values of prefixes that are written", () => {
  const affine = (l: Fields, r: Fields): Fields => ({
    a: l.a.op("mul", r.a),
    b: sum(l.b.op("mul", r.a), r.b),
  });
  it("depend on those before them by what computes them", () => {
    expect(ofPair(affine, [0])?.needed).toEqual([true, false]);
    expect(ofPair(affine, [1])?.needed).toEqual([false, true]);
    expect(ofPair(affine, [0, 1])?.needed).toEqual([true, true]);
  });

  it("depend on what these depend on in turn", () => {
    const turned = (l: Fields, r: Fields): Fields => ({ a: sum(l.b, r.a), b: sum(l.a, r.b) });
    expect(ofPair(turned, [0])?.needed).toEqual([true, true]);
    const chained = (l: Fields, r: Fields): Fields => ({ a: sum(r.a, l.b.op("max", r.b)), b: sum(l.b, r.b) });
    expect(ofPair(chained, [0])?.needed).toEqual([true, true]);
    expect(ofPair(chained, [1])?.needed).toEqual([false, true]);
    const fields = { a: "f32", b: "f32", c: "f32" } as const;
    const third = operatorOf("third", fields, { a: 0, b: 0, c: 0 }, (l, r) => ({
      a: sum(l.b, r.a),
      b: sum(l.c, r.b),
      c: sum(l.c, r.c),
    }));
    expect(nativeOf(monoidOfOperator(third), new Set([0]))?.needed).toEqual([true, true, true]);
  });
});
