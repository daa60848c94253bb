import { describe, expect, it } from "vitest";
import { bitcastValue, castValue, wordOf } from "../src/tables/convert-value.ts";
import { BINARY, type BinaryOp, UNARY, type UnaryOp } from "../src/tables/expr-op.ts";
import { SCALAR_NAMES, SCALARS, type Scalar, type ScalarValue } from "../src/tables/scalar.ts";
import {
  exactly,
  type FloatName,
  type Fraction,
  fraction,
  minus,
  nearestTo,
  order,
  plus,
  times,
} from "./exact-floats.ts";
import { fc, test } from "./fast-check.ts";
import { anyOf } from "./support.ts";

const INTEGERS: readonly Scalar[] = ["i32", "u32", "i64", "u64"];
const FLOATS: readonly FloatName[] = ["f16", "f32", "f64"];

/** An exact integer, modulo the type's width, as the type's host value. */
function into(type: Scalar, exact: bigint): ScalarValue {
  const { kind, bits } = SCALARS[type];
  const within = kind === "int" ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact);
  return bits === 64 ? within : Number(within);
}
const amount = (type: Scalar, by: bigint): bigint => BigInt.asUintN(type.endsWith("64") ? 6 : 5, by);

const COMPARE = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
} satisfies Partial<Record<BinaryOp, (a: ScalarValue, b: ScalarValue) => boolean>>;

type Exact = (a: bigint, b: bigint, type: Scalar) => bigint;
const EXACT: Readonly<Record<Exclude<BinaryOp, keyof typeof COMPARE>, Exact>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => (b === 0n ? a : a / b),
  rem: (a, b) => (b === 0n ? 0n : a - (a / b) * b),
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
  absdiff: (a, b) => (a > b ? a - b : b - a),
  gcd: (a, b) => {
    let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
    while (y > 0n) [x, y] = [y, x % y];
    return x;
  },
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b, type) => a * 2n ** amount(type, b),
  // Division that rounds down is a shift that keeps the sign.
  shr: (a, b, type) => {
    const by = 2n ** amount(type, b);
    return (a - (((a % by) + by) % by)) / by;
  },
};
describe.each(Object.keys(BINARY) as BinaryOp[])("%s", (op) => {
  const { commutative, on, rightType, apply } = BINARY[op];
  const types = SCALAR_NAMES.filter((type) => on.includes(SCALARS[type].kind));

  it.each(types)("commutes on %s if its row says so", (type) => {
    const few = type === "bool" ? [false, true] : [0, 1, 3, 5].map((x) => SCALARS[type].whole(x));
    const isEqual = few.every((a) =>
      few.every((b) => rightType !== undefined || Object.is(apply(type, a, b), apply(type, b, a))),
    );
    expect(rightType === undefined && isEqual).toBe(commutative);
  });
});

describe.each(INTEGERS)("on %s", (type) => {
  for (const [op, exact] of Object.entries(EXACT) as [keyof typeof EXACT, (typeof EXACT)["add"]][]) {
    test(`${op} is what exact integers give`, () =>
      fc.property(anyOf(type), anyOf(BINARY[op].rightType ?? type), (a, b) => {
        expect(BINARY[op].apply(type, a, b)).toBe(into(type, exact(BigInt(a), BigInt(b), type)));
      }));
  }

  test("neg, abs and not are exact", () =>
    fc.property(anyOf(type), (a) => {
      const exact = BigInt(a);
      if (SCALARS[type].kind === "int") expect(UNARY.neg.apply(type, a)).toBe(into(type, -exact));
      expect(UNARY.abs.apply(type, a)).toBe(into(type, exact < 0n ? -exact : exact));
      expect(UNARY.not.apply(type, a)).toBe(into(type, -exact - 1n));
    }));

  test("popcount and clz count bits", () =>
    fc.property(anyOf(type), (a) => {
      const { bits } = SCALARS[type];
      const text = BigInt.asUintN(bits, BigInt(a)).toString(2).padStart(bits, "0");
      expect(UNARY.popcount.apply(type, a)).toBe(into(type, BigInt(text.split("1").length - 1)));
      expect(UNARY.clz.apply(type, a)).toBe(into(type, BigInt(/^0*/.exec(text)?.[0].length ?? 0)));
    }));
});

describe.each(FLOATS)("on %s", (type) => {
  /** Any value, and numbers of few digits, whose sums and products often lie between two others. */
  const some = fc.oneof(
    anyOf(type),
    fc
      .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 52 }), fc.integer({ min: -60, max: 20 }))
      .map(([digits, fewer, power]) => SCALARS[type].wrap(Math.trunc(digits / 2 ** fewer) * 2 ** power)),
  );
  const EXACT_OF: Readonly<Record<string, (a: Fraction, b: Fraction) => Fraction>> = {
    add: plus,
    sub: minus,
    mul: times,
    div: (a, b) => fraction(a.n * b.d, a.d * b.n),
    absdiff: (a, b) => (order(a, b) < 0 ? minus(b, a) : minus(a, b)),
  };
  /** Of zeros, infinities and NaN, and where the exact result is 0. */
  const OF_HOST: Readonly<Record<string, (a: number, b: number) => number>> = {
    add: (a, b) => a + b,
    sub: (a, b) => a - b,
    mul: (a, b) => a * b,
    div: (a, b) => a / b,
    absdiff: (a, b) => Math.abs(a - b),
  };
  const isOrdinary = (x: number): boolean => Number.isFinite(x) && x !== 0;
  for (const op of Object.keys(EXACT_OF)) {
    test(
      `${op} is the exact result, rounded once`,
      () =>
        fc.property(some, some, (left, right) => {
          const [a, b] = [left as number, right as number];
          const result = [a, b].every(isOrdinary) ? EXACT_OF[op]?.(exactly(a), exactly(b)) : undefined;
          const want = result && result.n !== 0n ? nearestTo(type, result) : OF_HOST[op]?.(a, b);
          expect(BINARY[op as BinaryOp].apply(type, a, b)).toBe(want);
        }),
      150,
    );
  }

  test(
    "casts from every type are the exact value, rounded once",
    () =>
      fc.property(
        fc.oneof(...SCALAR_NAMES.map((from) => anyOf(from).map((a) => [from, a] as const))),
        ([from, a]) => {
          const x = Number(a);
          const exact = typeof a === "bigint" ? fraction(a) : isOrdinary(x) ? exactly(x) : undefined;
          expect(castValue(from, type, a)).toBe(exact && exact.n !== 0n ? nearestTo(type, exact) : x);
        },
      ),
    600,
  );

  test("min and max are one of both: NaN before numbers, and -0 before 0", () =>
    fc.property(some, some, (left, right) => {
      const [a, b] = [left as number, right as number];
      const [low, high] = a < b || (a === b && Object.is(a, -0)) ? [a, b] : [b, a];
      const hasNaN = Number.isNaN(a) || Number.isNaN(b);
      expect(BINARY.min.apply(type, a, b)).toBe(hasNaN ? Number.NaN : low);
      expect(BINARY.max.apply(type, a, b)).toBe(hasNaN ? Number.NaN : high);
    }));

  test("neg and abs change only the sign", () =>
    fc.property(anyOf(type), (a) => {
      const x = a as number;
      expect(UNARY.neg.apply(type, x)).toBe(Number.isNaN(x) ? Number.NaN : -x);
      expect(UNARY.abs.apply(type, x)).toBe(Math.abs(x));
      expect(UNARY.neg.apply(type, 0)).toBe(-0);
      expect(UNARY.abs.apply(type, -0)).toBe(0);
    }));
});

describe.each(SCALAR_NAMES)("comparing %s", (type) => {
  const ops = (Object.keys(COMPARE) as (keyof typeof COMPARE)[]).filter((op) =>
    BINARY[op].on.includes(SCALARS[type].kind),
  );
  test("is comparing numbers", () =>
    fc.property(anyOf(type), anyOf(type), (a, b) => {
      for (const op of ops) expect(BINARY[op].apply(type, a, b)).toBe(COMPARE[op](a, b));
    }));
});

describe("comparing", () => {
  it("treats NaNs as unequal and both zeros as equal", () => {
    expect(BINARY.eq.apply("f32", Number.NaN, Number.NaN)).toBe(false);
    expect(BINARY.ne.apply("f32", Number.NaN, Number.NaN)).toBe(true);
    expect(BINARY.le.apply("f32", Number.NaN, 1)).toBe(false);
    expect(BINARY.eq.apply("f32", 0, -0)).toBe(true);
  });
});

describe("on bool", () => {
  it("and, or, xor, not are logical", () => {
    const table = (op: BinaryOp) => [0, 1, 2, 3].map((i) => BINARY[op].apply("bool", i > 1, i % 2 === 1));
    expect(table("and")).toEqual([false, false, false, true]);
    expect(table("or")).toEqual([false, true, true, true]);
    expect(table("xor")).toEqual([false, true, true, false]);
    expect([true, false].map((x) => UNARY.not.apply("bool", x))).toEqual([false, true]);
  });
});

describe("absdiff", () => {
  it("of integers holds the bits of the unsigned difference", () => {
    const [low, high] = [-0x80000000, 0x7fffffff];
    expect(BINARY.absdiff.apply("i32", low, high)).toBe(-1);
    expect(BINARY.absdiff.apply("i32", high, low)).toBe(-1);
    expect(BINARY.absdiff.apply("i32", low, 0)).toBe(low);
    expect(BINARY.absdiff.apply("u32", 1, 0xffffffff)).toBe(0xfffffffe);
    expect(BINARY.absdiff.apply("i64", -(2n ** 63n), 2n ** 63n - 1n)).toBe(-1n);
  });
  it.each(FLOATS)("of %s is never -0, and NaN if the difference is NaN", (type) => {
    expect(BINARY.absdiff.apply(type, -0, 0)).toBe(0);
    expect(BINARY.absdiff.apply(type, 1.5, 1.5)).toBe(0);
    expect(BINARY.absdiff.apply(type, Number.NEGATIVE_INFINITY, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(BINARY.absdiff.apply(type, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBeNaN();
    expect(BINARY.absdiff.apply(type, Number.NaN, 1)).toBeNaN();
  });
});

describe("gcd", () => {
  it.each(INTEGERS)("of %s with 0 is the magnitude, which wraps for the least integer", (type) => {
    const { whole, lowest, kind } = SCALARS[type];
    expect(BINARY.gcd.apply(type, whole(0), whole(0))).toBe(whole(0));
    expect(BINARY.gcd.apply(type, whole(0), whole(12))).toBe(whole(12));
    expect(BINARY.gcd.apply(type, lowest, whole(0))).toBe(lowest);
    expect(BINARY.gcd.apply(type, lowest, lowest)).toBe(lowest);
    expect(BINARY.gcd.apply(type, whole(12), whole(18))).toBe(whole(6));
    if (kind === "int") expect(BINARY.gcd.apply(type, whole(-12), whole(-18))).toBe(whole(6));
    if (kind === "int") expect(BINARY.gcd.apply(type, lowest, whole(12))).toBe(whole(4));
  });
});

describe("a cast", () => {
  const pairs = INTEGERS.flatMap((from) => INTEGERS.map((to) => [from, to] as const));
  for (const [from, to] of pairs) {
    test(`from ${from} to ${to} wraps`, () =>
      fc.property(anyOf(from), (a) => {
        expect(castValue(from, to, a)).toBe(into(to, BigInt(a)));
      }));
  }
  for (const to of INTEGERS) {
    test(`from f64 to ${to} truncates and saturates`, () =>
      fc.property(
        fc.oneof(anyOf("f64"), fc.double({ min: -1e10, max: 1e10 }), fc.double({ min: -1e20, max: 1e20 })),
        (a) => {
          const x = a as number;
          const [low, high] = [BigInt(SCALARS[to].lowest), BigInt(SCALARS[to].highest)];
          const whole = Number.isNaN(x)
            ? 0n
            : x === Infinity
              ? high
              : x === -Infinity
                ? low
                : BigInt(Math.trunc(x));
          expect(castValue("f64", to, x)).toBe(into(to, whole < low ? low : whole > high ? high : whole));
        },
      ));
  }

  it("of a float between -1 and 0 is 0 without a sign", () => {
    for (const to of INTEGERS) expect(castValue("f32", to, -0.5)).toBe(into(to, 0n));
    expect(castValue("f32", "i32", -0)).toBe(0);
  });

  const ties = fc.tuple(
    fc.integer({ min: 0, max: 39 }),
    fc.bigInt({ min: 2n ** 24n, max: 2n ** 25n }),
    fc.integer({ min: -1, max: 1 }),
  );
  for (const to of ["f16", "f32"] as const) {
    test(`from a 64-bit integer to ${to} rounds once, ties to even`, () =>
      fc.property(
        fc.oneof(
          fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
          fc.bigInt({ min: -70000n, max: 70000n }),
          ties.map(([by, mantissa, off]) => BigInt.asIntN(64, (mantissa << BigInt(by)) + BigInt(off))),
        ),
        (a) => {
          expect(castValue("i64", to, a)).toBe(a === 0n ? 0 : nearestTo(to, fraction(a)));
        },
      ));
  }

  it("from a 64-bit integer rounds once where an f64 between the two would round twice", () => {
    expect(castValue("i64", "f32", 2n ** 60n + 2n ** 36n + 1n)).toBe(2 ** 60 + 2 ** 37);
    expect(castValue("i64", "f64", 2n ** 53n + 1n)).toBe(2 ** 53);
    expect(castValue("u64", "f16", 2n ** 64n - 1n)).toBe(Number.POSITIVE_INFINITY);
  });

  it("of the least number above a 64-bit type saturates", () => {
    expect(castValue("f64", "i64", 2 ** 63)).toBe(2n ** 63n - 1n);
    expect(castValue("f64", "u64", 2 ** 64)).toBe(2n ** 64n - 1n);
  });

  it("to bool asks whether it is zero", () => {
    expect([0, -0, 0.5, NaN].map((x) => castValue("f32", "bool", x))).toEqual([false, false, true, true]);
    expect([0n, -1n].map((x) => castValue("i64", "bool", x))).toEqual([false, true]);
  });

  it.each(SCALAR_NAMES)("from bool to %s gives 0 and 1", (to) => {
    const one = to === "bool" ? true : into64(to) ? 1n : 1;
    expect(castValue("bool", to, true)).toBe(one);
    expect(castValue("bool", to, false)).toBe(to === "bool" ? false : into64(to) ? 0n : 0);
  });

  test("between floats keeps values that fit", () =>
    fc.property(anyOf("f16"), (a) => {
      expect(castValue("f64", "f16", castValue("f32", "f64", castValue("f16", "f32", a)))).toBe(a);
    }));
});

const into64 = (type: Scalar): boolean => type === "i64" || type === "u64";

describe("a bitcast", () => {
  const same = SCALAR_NAMES.flatMap((from) =>
    SCALAR_NAMES.filter((to) => SCALARS[to].bits === SCALARS[from].bits).map((to) => [from, to] as const),
  );
  for (const [from, to] of same) {
    test(`from ${from} to ${to} and back changes nothing`, () =>
      fc.property(anyOf(from), (a) => {
        const there = bitcastValue(from, to, a);
        if (!Number.isNaN(there)) expect(bitcastValue(to, from, there)).toBe(a);
      }));
  }

  it("returns the bits", () => {
    expect(bitcastValue("f32", "u32", 1)).toBe(0x3f800000);
    expect(bitcastValue("f32", "i32", -0)).toBe(-0x80000000);
    expect(bitcastValue("u32", "f32", 0x7f800000)).toBe(Number.POSITIVE_INFINITY);
    expect(bitcastValue("f64", "u64", -2)).toBe(0xc000000000000000n);
    expect(bitcastValue("u64", "i64", 2n ** 64n - 1n)).toBe(-1n);
    expect([false, true].map((x) => bitcastValue("bool", "bool", x))).toEqual([false, true]);
  });

  it("to words returns the low one first", () => {
    expect([0, 1].map((word) => wordOf("u64", 0x1_0000_0002n, word as 0 | 1))).toEqual([2, 1]);
    expect(wordOf("f16", 1, 0)).toBe(0x3c00);
    expect(wordOf("i32", -1, 0)).toBe(0xffffffff);
    expect(wordOf("bool", true, 0)).toBe(1);
  });
});

describe("the tables", () => {
  it("state the properties of each operator", () => {
    const where = (has: (row: (typeof BINARY)[BinaryOp]) => boolean): string =>
      (Object.keys(BINARY) as BinaryOp[]).filter((op) => has(BINARY[op])).join(" ");
    expect(where(({ compares }) => compares)).toBe("eq ne lt le gt ge");
    expect(where(({ rounds }) => rounds)).toBe("add sub mul div absdiff");
    expect(where(({ sum }) => sum)).toBe("add sub absdiff");
    expect(where(({ rightType }) => rightType === "u32")).toBe("shl shr");
    expect(where(({ on }) => on.includes("float"))).toBe("add sub mul div min max absdiff eq ne lt le gt ge");
    expect(where(({ on }) => on.includes("bool"))).toBe("and or xor eq ne");
    expect(where(({ on }) => on.includes("int") && on.includes("uint"))).toBe(Object.keys(BINARY).join(" "));
  });

  it("state the types of operators of one operand", () => {
    const types = Object.entries(UNARY).map(([op, { on }]) => [op, on.join(" ")]);
    expect(Object.fromEntries(types)).toEqual({
      neg: "int float",
      abs: "int uint float",
      not: "int uint bool",
      popcount: "int uint",
      clz: "int uint",
    });
  });

  it("define each operator where languages differ", () => {
    const rows = [...Object.values(BINARY), ...Object.values(UNARY)];
    expect(rows.every(({ summary, on }) => summary.length > 3 && on.length > 0)).toBe(true);
    expect((Object.keys(UNARY) as UnaryOp[]).filter((op) => Object.hasOwn(BINARY, op))).toEqual([]);
  });
});
