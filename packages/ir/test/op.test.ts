import { describe, expect, it } from "vitest";
import { isLogical, normalises, OP_NAMES, OPS, type Op, opExists } from "../src/tables/op.ts";
import { SCALAR_NAMES, SCALARS, type Scalar, type ScalarValue } from "../src/tables/scalar.ts";
import { fc, test } from "./fast-check.ts";
import { anyOf } from "./support.ts";

const pairs = SCALAR_NAMES.flatMap((type) =>
  OP_NAMES.filter((op) => opExists(op, type)).map((op) => ({ op, type })),
);
const isFloat = (type: Scalar): boolean => SCALARS[type].kind === "float";

/** What an operator makes of exact integers, by definition; the result is taken modulo the type's width. */
const INTEGERS: Readonly<Record<Op, (a: bigint, b: bigint) => bigint>> = {
  add: (a, b) => a + b,
  mul: (a, b) => a * b,
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a < b ? b : a),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  "logical-and": (a, b) => (a !== 0n && b !== 0n ? 1n : 0n),
  "logical-or": (a, b) => (a !== 0n || b !== 0n ? 1n : 0n),
  "logical-xor": (a, b) => ((a !== 0n) !== (b !== 0n) ? 1n : 0n),
};
function exactly(op: Op, type: Scalar, a: ScalarValue, b: ScalarValue): ScalarValue {
  const { kind, bits } = SCALARS[type];
  const result = INTEGERS[op](BigInt(a), BigInt(b));
  if (kind === "bool") return result === 1n;
  const within = kind === "int" ? BigInt.asIntN(bits, result) : BigInt.asUintN(bits, result);
  return bits === 64 ? within : Number(within);
}

describe("where operators exist", () => {
  it("is as in the table of the specification", () => {
    const table = Object.fromEntries(
      OP_NAMES.map((op) => [op, SCALAR_NAMES.filter((type) => opExists(op, type)).join(" ")]),
    );
    const numeric = "i32 u32 i64 u64 f16 f32 f64";
    expect(table).toEqual({
      add: numeric,
      mul: numeric,
      min: numeric,
      max: numeric,
      and: "i32 u32 i64 u64",
      or: "i32 u32 i64 u64",
      xor: "i32 u32 i64 u64",
      "logical-and": "i32 u32 i64 u64 bool",
      "logical-or": "i32 u32 i64 u64 bool",
      "logical-xor": "i32 u32 i64 u64 bool",
    });
    expect(OP_NAMES.filter(isLogical)).toEqual(["logical-and", "logical-or", "logical-xor"]);
    expect((["u32", "bool"] as const).map((type) => normalises("logical-and", type))).toEqual([true, false]);
  });
});

describe.each(pairs)("$op on $type", ({ op, type }) => {
  const { apply, identity, commutative, exactlyAssociative } = OPS[op];
  const of = (a: ScalarValue, b: ScalarValue): ScalarValue => apply(type, a, b);
  const any = anyOf(type);
  const normal = (a: ScalarValue): ScalarValue =>
    isLogical(op) && type !== "bool" ? (typeof a === "bigint" ? BigInt(Boolean(a)) : Number(Boolean(a))) : a;

  test("returns a value unchanged with the identity", () =>
    fc.property(any, (a) => {
      // +0 is the identity of a float's sum by the specification, and -0 + +0 is +0.
      const want = isFloat(type) && op === "add" && Object.is(a, -0) ? 0 : normal(a);
      expect(of(identity(type), a)).toBe(want);
      expect(of(a, identity(type))).toBe(want);
    }));

  test("is commutative", () =>
    fc.property(any, any, (a, b) => {
      expect(commutative).toBe(true);
      expect(of(a, b)).toBe(of(b, a));
    }));

  test("stays in the type", () =>
    fc.property(any, any, (a, b) => {
      expect(SCALARS[type].wrap(of(a, b))).toBe(of(a, b));
    }));

  if (exactlyAssociative(type)) {
    test("is associative", () =>
      fc.property(any, any, any, (a, b, c) => {
        expect(of(of(a, b), c)).toBe(of(a, of(b, c)));
      }));
  } else {
    it("is not associative, as its row states", () => {
      const found = fc.check(
        fc.property(any, any, any, (a, b, c) => Object.is(of(of(a, b), c), of(a, of(b, c)))),
        // Smaller and smaller examples of f64 are searched for without an end for some seeds.
        { numRuns: 100_000, endOnFailure: true },
      );
      expect(found.failed).toBe(true);
    });
  }

  if (!isFloat(type)) {
    test("is what exact integers give", () =>
      fc.property(any, any, (a, b) => {
        expect(of(a, b)).toBe(exactly(op, type, a, b));
      }));
  }
});

describe("floats", () => {
  const types = ["f16", "f32", "f64"] as const;
  it.each(types)("of %s: NaN wins and -0 < +0 in min and max", (type) => {
    const { min, max } = OPS;
    const nan = Number.NaN;
    for (const x of [0, -0, 1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, nan]) {
      expect(min.apply(type, x, nan)).toBeNaN();
      expect(min.apply(type, nan, x)).toBeNaN();
      expect(max.apply(type, x, nan)).toBeNaN();
      expect(max.apply(type, nan, x)).toBeNaN();
    }
    expect(min.apply(type, 0, -0)).toBe(-0);
    expect(min.apply(type, -0, 0)).toBe(-0);
    expect(max.apply(type, 0, -0)).toBe(0);
    expect(max.apply(type, -0, 0)).toBe(0);
    expect(min.identity(type)).toBe(Number.POSITIVE_INFINITY);
    expect(max.identity(type)).toBe(Number.NEGATIVE_INFINITY);
  });

  it("round once, to the type", () => {
    expect(OPS.add.apply("f32", 16777216, 1)).toBe(16777216);
    expect(OPS.add.apply("f32", 16777216, 3)).toBe(16777220);
    expect(OPS.add.apply("f16", 2048, 1)).toBe(2048);
    expect(OPS.add.apply("f16", 65504, 16)).toBe(Number.POSITIVE_INFINITY);
    expect(OPS.mul.apply("f32", 1e30, 1e30)).toBe(Number.POSITIVE_INFINITY);
    expect(OPS.mul.apply("f32", 2 ** -100, 2 ** -49)).toBe(2 ** -149);
    expect(OPS.add.apply("f64", 2 ** 53, 1)).toBe(2 ** 53);
  });
});

describe("integers", () => {
  it("wrap", () => {
    expect(OPS.add.apply("i32", 0x7fffffff, 1)).toBe(-0x80000000);
    expect(OPS.mul.apply("u32", 0xffffffff, 0xffffffff)).toBe(1);
    expect(OPS.add.apply("u64", 2n ** 64n - 1n, 1n)).toBe(0n);
    expect(OPS.mul.apply("i64", 2n ** 62n, 2n)).toBe(-(2n ** 63n));
  });

  it("are truth values for logical operators: 2 xor 1 is false, although the bitwise result is 3", () => {
    expect(OPS["logical-xor"].apply("u32", 2, 1)).toBe(0);
    expect(OPS["logical-and"].apply("i64", -2n, 4n)).toBe(1n);
    expect(OPS.xor.apply("u32", 2, 1)).toBe(3);
  });

  it("have every bit set in the identity of and", () => {
    expect(OPS.and.identity("i32")).toBe(-1);
    expect(OPS.and.identity("u32")).toBe(0xffffffff);
    expect(OPS.and.identity("i64")).toBe(-1n);
    expect(OPS.and.identity("u64")).toBe(2n ** 64n - 1n);
  });
});
