/** Functions against exact arithmetic that shares nothing with the reference or with the lowering. */
import { describe, expect, it } from "vitest";
import { FUNCTION_ROWS, isElementary } from "../src/functions/functions.ts";
import type { FunctionName } from "../src/functions/spec.ts";
import { halfToNumber, SCALARS, type Scalar, type ScalarValue } from "../src/tables/scalar.ts";
import {
  besides,
  exactly,
  type FloatName,
  type Fraction,
  floorOf,
  fraction,
  minus,
  nearestTo,
  order,
  plus,
  power,
  times,
} from "./exact-floats.ts";
import { fc, test } from "./fast-check.ts";
import { anyOf } from "./support.ts";

const NAN = Number.NaN;
const isMinus = (x: number): boolean => x < 0 || Object.is(x, -0);
const signed = (magnitude: number, minus: boolean): number => (minus ? -magnitude : magnitude);
/** A whole number with the sign of the operand where it is 0. */
const wholeLike = (x: number, whole: bigint): number =>
  whole === 0n ? signed(0, isMinus(x)) : Number(whole);
const isOrdinary = (x: number): boolean => Number.isFinite(x) && x !== 0;
const toWhole =
  (round: (x: Fraction) => bigint) =>
  (_: FloatName, x: number): number =>
    isOrdinary(x) ? wholeLike(x, round(exactly(x))) : x;
const HALF = fraction(1n, 2n);
const rounded = (type: FloatName, x: Fraction): number => (x.n === 0n ? 0 : nearestTo(type, x));

/** The greatest whole number whose square is not greater, by Newton's method. */
function wholeRoot(x: bigint): bigint {
  let root = 1n << BigInt((x.toString(2).length + 2) >> 1);
  for (let next = (root + x / root) >> 1n; next < root; next = (root + x / root) >> 1n) root = next;
  return root;
}

function rootOf(type: FloatName, x: number): number {
  if (Number.isNaN(x) || x < 0) return NAN;
  if (!isOrdinary(x)) return x;
  const { n, d } = exactly(x);
  // The denominator is a power of two; a square one leaves it out of the root.
  const by = d.toString(2).length % 2 === 1 ? 0n : 1n;
  const square = n << (by + 240n);
  const root = wholeRoot(square);
  const half = BigInt((d << by).toString(2).length - 1) / 2n + 120n;
  // A root that is cut off has more digits than any tie.
  const digits = 2n * root + (root * root === square ? 0n : 1n);
  return nearestTo(type, fraction(digits, 1n << (half + 1n)));
}

function exponentOf(x: number): number {
  if (!isOrdinary(x)) return 0;
  const magnitude = exactly(Math.abs(x));
  let exponent = magnitude.n.toString(2).length - magnitude.d.toString(2).length - 1;
  while (order(magnitude, power(exponent)) >= 0) exponent += 1;
  return exponent;
}

type Oracle = (type: FloatName, ...x: number[]) => ScalarValue;
const remainder = (x: number, y: number): Fraction => {
  const [a, b] = [exactly(x), exactly(y)];
  const quotient = (a.n * b.d) / (a.d * b.n);
  return minus(a, times(fraction(quotient), b));
};
const hasNoRemainder = (x: number, y: number): boolean => !Number.isFinite(x) || Number.isNaN(y) || y === 0;
const maximum = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? NAN : a === b ? (isMinus(a) ? b : a) : a > b ? a : b;
const product = (type: FloatName, a: number, b: number): number =>
  isOrdinary(a) && isOrdinary(b) ? rounded(type, times(exactly(a), exactly(b))) : a * b;
const sum = (type: FloatName, a: number, b: number): number => {
  if (!isOrdinary(a) || !isOrdinary(b)) return a + b;
  return rounded(type, plus(exactly(a), exactly(b)));
};

const above = (type: FloatName, x: number): number =>
  Number.isNaN(x) || x === Infinity ? x : x === -Infinity ? -GREATEST[type] : besides(type, x, true);

const FLOATS: Readonly<Partial<Record<FunctionName, Oracle>>> = {
  floor: toWhole(floorOf),
  ceil: toWhole(({ n, d }) => -floorOf({ n: -n, d })),
  trunc: toWhole(({ n, d }) => n / d),
  round: toWhole((x) => {
    const below = floorOf(x);
    const side = order(minus(x, fraction(below)), HALF);
    return side > 0 || (side === 0 && below % 2n !== 0n) ? below + 1n : below;
  }),
  fract: (type, x = 0) => {
    if (!Number.isFinite(x)) return NAN;
    return rounded(type, minus(exactly(x), fraction(floorOf(exactly(x)))));
  },
  copysign: (_, x = 0, y = 0) => signed(Math.abs(x), !Number.isNaN(y) && isMinus(y)),
  isNaN: (_, x = 0) => !(x <= 0) && !(x >= 0),
  isFinite: (_, x = 0) => x - x === 0,
  nextUp: (type, x = 0) => above(type, x),
  nextDown: (type, x = 0) => -above(type, -x),
  step: (_, x = 0, edge = 0) => (Number.isNaN(x) || Number.isNaN(edge) ? NAN : x >= edge ? 1 : 0),
  mantissa: (type, x = 0) => (isOrdinary(x) ? nearestTo(type, times(exactly(x), power(-exponentOf(x)))) : x),
  exponent: (_, x = 0) => exponentOf(x),
  fmod: (type, x = 0, y = 0) => {
    if (hasNoRemainder(x, y)) return NAN;
    if (!Number.isFinite(y) || x === 0) return x;
    const rest = remainder(x, y);
    return rest.n === 0n ? signed(0, isMinus(x)) : nearestTo(type, rest);
  },
  mod: (type, x = 0, y = 0) => {
    if (hasNoRemainder(x, y)) return NAN;
    if (!Number.isFinite(y)) return x === 0 ? signed(0, isMinus(y)) : isMinus(x) === isMinus(y) ? x : y;
    const b = exactly(y);
    const a = exactly(x);
    const rest = minus(a, times(fraction(floorOf(fraction(a.n * b.d, a.d * b.n))), b));
    return rest.n === 0n ? signed(0, isMinus(y)) : nearestTo(type, rest);
  },
  sign: (_, x = 0) => (isOrdinary(x) || Math.abs(x) > 1 ? signed(1, isMinus(x)) : x),
  clamp: (_, x = 0, low = 0, high = 0) => -maximum(-maximum(x, low), -high),
  sqrt: (type, x = 0) => rootOf(type, x),
  fma: (type, x = 0, y = 0, z = 0) => {
    if (![x, y].every(Number.isFinite) || x === 0 || y === 0) return x * y + z;
    if (!Number.isFinite(z)) return z;
    const exact = plus(times(exactly(x), exactly(y)), exactly(z));
    if (exact.n !== 0n) return nearestTo(type, exact);
    return 0;
  },
  mix: (type, a = 0, b = 0, t = 0) => sum(type, product(type, a, sum(type, 1, -t)), product(type, b, t)),
  ldexp: (type, x = 0, n = 0) =>
    isOrdinary(x) ? nearestTo(type, times(exactly(x), power(Math.max(-4500, Math.min(4500, n))))) : x,
};
const GREATEST: Readonly<Record<FloatName, number>> = {
  f16: 65504,
  f32: 3.4028234663852886e38,
  f64: Number.MAX_VALUE,
};

const TYPES: readonly FloatName[] = ["f16", "f32", "f64"];
const isUnary = (op: FunctionName): boolean => FUNCTION_ROWS[op].rest.length === 0;
const names = (kind: "float" | "int"): FunctionName[] =>
  (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter(
    (op) => FUNCTION_ROWS[op].on.includes(kind) && !isElementary(op),
  );
const applied = (op: FunctionName, type: Scalar, x: readonly ScalarValue[]): ScalarValue =>
  FUNCTION_ROWS[op].apply(type, x);

/** Ends of ranges, ties, neighbours of whole numbers and of powers of two. */
function hardOf(type: FloatName): number[] {
  const { least, digits } = {
    f16: { least: -24, digits: 11 },
    f32: { least: -149, digits: 24 },
    f64: { least: -1074, digits: 53 },
  }[type];
  const tiny = 2 ** least;
  const normal = 2 ** (least + digits - 1);
  const step = 2 ** (1 - digits);
  const some = [
    0,
    tiny,
    3 * tiny,
    normal - tiny,
    normal,
    0.5,
    0.5 - step / 4,
    0.5 + step / 2,
    1,
    1 - step / 2,
  ];
  const more = [1 + step, 1.5, 1.5 - step, 1.5 + step, 2, 2.5, 3, 3.5, 1023.5, 2 ** (digits - 2) + 0.5];
  const most = GREATEST[type];
  const large = [2 ** (digits - 1), 2 ** digits - 1, most, most / 2, 3 * 2 ** -7, 1 / 3, 10];
  const wrapped = [...some, ...more, ...large].map((x) => SCALARS[type].wrap(x) as number);
  return [...wrapped.flatMap((x) => [x, -x]), Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, NAN];
}
const POWERS = [
  0, 1, -1, 5, -5, 24, -24, 52, -52, 149, -149, 1074, -1074, 2100, -2100, 0x7fffffff, -0x80000000,
];

describe("every half", () => {
  const all = Array.from({ length: 65536 }, (_, bits) => halfToNumber(bits));
  // Exact arithmetic takes the time: outside of full runs a quarter of them, by turns of functions.
  const quarter = (turn: number): readonly number[] =>
    all.filter((_, bits) => process.env.GROUPWISE_FULL || bits % 4 === turn % 4);
  it.each(names("float").filter(isUnary))("has the exact %s", (op) => {
    const oracle = FLOATS[op] as Oracle;
    const wrong = quarter(op.length).filter((x) => !Object.is(applied(op, "f16", [x]), oracle("f16", x)));
    expect(wrong).toEqual([]);
  });
});

describe.each(TYPES)("of %s", (type) => {
  const hard = hardOf(type);
  // One of each kind, or several in full runs: 57 x 57 x 57 are minutes of exact arithmetic.
  const thirds = hard.filter((_, i) => i % (process.env.GROUPWISE_FULL ? 4 : 29) === 0);
  const expectExact = (op: FunctionName, x: readonly number[]): void => {
    const [got, want] = [applied(op, type, x), (FLOATS[op] as Oracle)(type, ...x)];
    if (!Object.is(got, want)) expect.fail(`${op}(${x}) is ${got}, not ${want}`);
  };
  for (const op of names("float")) {
    const isPower = FUNCTION_ROWS[op].rest[0] === "i32";
    const others = FUNCTION_ROWS[op].rest.map((wanted) => (wanted === "i32" ? "i32" : type));
    it(`${op} is exact at the ends of its range and at ties`, () => {
      for (const x of hard) {
        if (others.length === 0) expectExact(op, [x]);
        for (const y of others.length === 0 ? [] : isPower ? POWERS : hard)
          for (const z of others.length < 2 ? [0] : thirds)
            expectExact(op, others.length < 2 ? [x, y] : [x, y, z]);
      }
    });
    test(`${op} is what exact arithmetic gives`, () =>
      fc.property(fc.tuple(...[type, ...others].map((one) => anyOf(one))), (x) => {
        expectExact(op, x as number[]);
      }));
  }
});

type WholeOracle = (width: number, signed: boolean, ...x: bigint[]) => bigint;
const two = (e: bigint | number): bigint => 2n ** BigInt(e);
/** The floored quotient. */
const quotient = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;
const field = (x: bigint, from: bigint, size: bigint): bigint => {
  const above = quotient(x, two(from));
  return above - quotient(above, two(size)) * two(size);
};
const inside = (width: number, offset: bigint, count: bigint): [from: bigint, size: bigint] => {
  const from = offset > BigInt(width) ? BigInt(width) : offset;
  const most = BigInt(width) - from;
  return [from, count > most ? most : count];
};
const limits = (width: number, isSigned: boolean): [low: bigint, high: bigint] =>
  isSigned ? [-two(width - 1), two(width - 1) - 1n] : [0n, two(width) - 1n];
const limited = (width: number, isSigned: boolean, x: bigint): bigint => {
  const [low, high] = limits(width, isSigned);
  return x < low ? low : x > high ? high : x;
};
const turned = (width: number, x: bigint, by: bigint): bigint =>
  field(x, 0n, BigInt(width) - by) * two(by) + field(x, BigInt(width) - by, by);

const WHOLE: Readonly<Partial<Record<FunctionName, WholeOracle>>> = {
  ctz: (width, _, x = 0n) => {
    let zeros = 0n;
    while (zeros < width && field(x, zeros, 1n) === 0n) zeros += 1n;
    return zeros;
  },
  reverseBits: (width, _, x = 0n) => {
    let result = 0n;
    for (let i = 0; i < width; i++) result += field(x, BigInt(i), 1n) * two(width - 1 - i);
    return result;
  },
  swapBytes: (width, _, x = 0n) => {
    let result = 0n;
    for (let i = 0; i < width; i += 8) result += field(x, BigInt(i), 8n) * two(width - 8 - i);
    return result;
  },
  rotateLeft: (width, _, x = 0n, by = 0n) => turned(width, x, by % BigInt(width)),
  rotateRight: (width, _, x = 0n, by = 0n) =>
    turned(width, x, (BigInt(width) - (by % BigInt(width))) % BigInt(width)),
  addSaturating: (width, isSigned, x = 0n, y = 0n) => limited(width, isSigned, x + y),
  subSaturating: (width, isSigned, x = 0n, y = 0n) => limited(width, isSigned, x - y),
  mulHigh: (width, _, x = 0n, y = 0n) => quotient(x * y, two(width)),
  extractBits: (width, isSigned, x = 0n, offset = 0n, count = 0n) => {
    const [from, size] = inside(width, offset, count);
    const bits = field(x, from, size);
    const isMinusOne = isSigned && size > 0n && bits >= two(size - 1n);
    return isMinusOne ? bits - two(size) : bits;
  },
  insertBits: (width, _, x = 0n, bits = 0n, offset = 0n, count = 0n) => {
    const [from, size] = inside(width, offset, count);
    return x + (field(bits, 0n, size) - field(x, from, size)) * two(from);
  },
  sign: (_, __, x = 0n) => (x === 0n ? 0n : x > 0n ? 1n : -1n),
  clamp: (_, __, x = 0n, low = 0n, high = 0n) => {
    const above = x > low ? x : low;
    return above < high ? above : high;
  },
  mod: (_, __, x = 0n, y = 0n) => (y === 0n ? 0n : x - quotient(x, y) * y),
};

describe.each(["i32", "u32", "i64", "u64"] as const)("of %s", (type) => {
  const { bits, kind, whole } = SCALARS[type];
  const near = fc.integer({ min: 0, max: 70 });
  for (const op of names("int")) {
    const rest = FUNCTION_ROWS[op].rest;
    const operands = [anyOf(type), ...rest.map((one) => (one === "u32" ? near : anyOf(type)))];
    test(`${op} is what exact integers give`, () =>
      fc.property(fc.tuple(...operands), (x) => {
        const exact = (WHOLE[op] as WholeOracle)(bits, kind === "int", ...x.map((one) => BigInt(one)));
        expect(applied(op, type, x)).toBe(whole(exact));
      }));
  }
});

describe("the table", () => {
  it("has an oracle for every function", () => {
    expect(Object.keys(FLOATS).sort()).toEqual(names("float").sort());
    expect(Object.keys(WHOLE).sort()).toEqual(names("int").sort());
  });
  it("defines cases that other definitions leave open", () => {
    expect(applied("copysign", "f32", [-2, NAN])).toBe(2);
    expect(applied("step", "f32", [NAN, 1])).toBeNaN();
    expect(applied("fract", "f32", [-1e-20])).toBe(1);
    expect(applied("mod", "f64", [-1, Number.POSITIVE_INFINITY])).toBe(Number.POSITIVE_INFINITY);
    expect(applied("mod", "i32", [-7, 3])).toBe(2);
    expect(applied("clamp", "u32", [5, 9, 7])).toBe(7);
    expect(applied("nextUp", "f16", [-0])).toBe(2 ** -24);
    expect(applied("sqrt", "f64", [-0])).toBe(-0);
    expect(applied("extractBits", "i32", [0x80, 7, 1])).toBe(-1);
    expect(applied("insertBits", "u32", [0, 0xff, 28, 99])).toBe(0xf0000000);
  });
});
