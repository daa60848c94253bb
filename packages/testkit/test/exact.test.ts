/**
 * Compares the tables of operators, which define the expected results of all devices, with arithmetic that shares no code
 * with them: exact fractions in BigInt, rounded once by the definition of IEEE 754.
 */
import type { Scalar, ScalarValue } from "@groupwise/core";
import { BINARY, type BinaryOp, castValue, SCALARS } from "@groupwise/core/target";
import { describe, expect, it } from "vitest";
import { toValues } from "../src/data/arrays.ts";
import { DATA, dataOf } from "../src/data/data.ts";
import { randomOf } from "../src/data/random.ts";
import { specials } from "../src/data/special.ts";

/** numerator × 2^power */
interface Dyadic {
  readonly digits: bigint;
  readonly power: number;
}
const FLOATS = { f16: [11, -24, 15], f32: [24, -149, 127], f64: [53, -1074, 1023] } as const;
type Float = keyof typeof FLOATS;

function dyadic(x: number): Dyadic {
  const bits = new BigUint64Array(Float64Array.of(x).buffer)[0] as bigint;
  const exponent = Number((bits >> 52n) & 2047n);
  const fraction = bits & (2n ** 52n - 1n);
  const digits = exponent === 0 ? fraction : fraction | (1n << 52n);
  return { digits: bits >> 63n ? -digits : digits, power: Math.max(exponent, 1) - 1075 };
}

/** To nearest, ties to even, subnormals kept, overflow to infinity. `zero` is what an exact 0 gives. */
function round(type: Float, { digits, power }: Dyadic, zero: number): number {
  if (digits === 0n) return zero;
  const [precision, least, greatest] = FLOATS[type];
  const size = digits < 0n ? -digits : digits;
  const length = size.toString(2).length;
  const last = Math.max(power + length - precision, least);
  const shift = BigInt(last - power);
  let kept = shift <= 0n ? size << -shift : size >> shift;
  if (shift > 0n) {
    const rest = size - (kept << shift);
    const half = 1n << (shift - 1n);
    if (rest > half || (rest === half && kept % 2n === 1n)) kept += 1n;
  }
  const sign = digits < 0n ? -1 : 1;
  if (kept.toString(2).length + last > greatest + 1) return sign * Number.POSITIVE_INFINITY;
  // Exact: at most 53 digits, and two factors where one would underflow.
  return sign * Number(kept) * 2 ** Math.trunc(last / 2) * 2 ** (last - Math.trunc(last / 2));
}

const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0);
const ORACLE: Readonly<
  Record<"add" | "sub" | "mul" | "min" | "max" | "absdiff", (type: Float, a: number, b: number) => number>
> = {
  add: (type, a, b) => {
    if (![a, b].every(Number.isFinite)) return a + b;
    if (a === 0 && b === 0) return isNegative(a) && isNegative(b) ? -0 : 0;
    const [x, y] = [dyadic(a), dyadic(b)];
    const power = Math.min(x.power, y.power);
    const at = (d: Dyadic): bigint => d.digits << BigInt(d.power - power);
    return round(type, { digits: at(x) + at(y), power }, 0);
  },
  sub: (type, a, b) => ORACLE.add(type, a, -b),
  absdiff: (type, a, b) => Math.abs(ORACLE.add(type, a, -b)),
  mul: (type, a, b) => {
    if (![a, b].every(Number.isFinite)) return a * b;
    const [x, y] = [dyadic(a), dyadic(b)];
    const sign = isNegative(a) === isNegative(b) ? 1 : -1;
    const result = round(type, { digits: x.digits * y.digits, power: x.power + y.power }, 0);
    return sign * Math.abs(result);
  },
  min: (_, a, b) =>
    Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : a === b ? (isNegative(a) ? a : b) : a < b ? a : b,
  max: (_, a, b) =>
    Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : a === b ? (isNegative(a) ? b : a) : a > b ? a : b,
};

const isFull = Boolean(process.env.GROUPWISE_FULL);
const COUNT = isFull ? 300_000 : 10_000;

/** Special values with one another, and random ones of every kind of data. */
function* pairsOf(type: Scalar): Generator<readonly [ScalarValue, ScalarValue]> {
  const list = specials(type);
  for (const a of list) for (const b of list) yield [a, b];
  const kinds = DATA[SCALARS[type].kind];
  for (const kind of kinds) {
    const n = Math.ceil(COUNT / kinds.length);
    const [x, y] = [1, 2].map((seed) => toValues(type, dataOf(type, kind, n, seed)));
    for (let i = 0; i < n; i++) yield [x?.[i] as ScalarValue, y?.[i] as ScalarValue];
  }
}

describe.each(["f16", "f32", "f64"] as const)("%s", (type) => {
  it.each(Object.keys(ORACLE) as (keyof typeof ORACLE)[])("%s is the exact result, rounded once", (op) => {
    for (const [a, b] of pairsOf(type)) {
      const want = ORACLE[op](type, a as number, b as number);
      const got = BINARY[op].apply(type, a, b);
      if (!Object.is(got, want)) expect(got, `${a} ${op} ${b}`).toBe(want);
    }
  });

  it("conversions from every other type are rounded once", () => {
    for (const from of Object.keys(SCALARS) as Scalar[]) {
      for (const [a] of pairsOf(from)) {
        const exact: Dyadic | number =
          typeof a === "bigint"
            ? { digits: a, power: 0 }
            : Number.isFinite(Number(a))
              ? dyadic(Number(a))
              : Number(a);
        const want = typeof exact === "number" ? exact : round(type, exact, Object.is(a, -0) ? -0 : 0);
        const got = castValue(from, type, a);
        if (!Object.is(got, want)) expect(got, `${from} ${a}`).toBe(want);
      }
    }
  });
});

const MODULI = { i32: 32n, u32: 32n, i64: 64n, u64: 64n } as const;
const EXACT: Partial<Readonly<Record<BinaryOp, (a: bigint, b: bigint) => bigint>>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
  absdiff: (a, b) => (a < b ? b - a : a - b),
  gcd: (a, b) => {
    let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
    while (x !== 0n) [x, y] = [y % x, x];
    return y;
  },
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};
describe.each(Object.entries(MODULI))("%s", (name, bits) => {
  const type = name as Scalar;
  it.each(Object.keys(EXACT) as BinaryOp[])("%s wraps the exact result", (op) => {
    const reach = 1n << bits;
    const wrapped = (x: bigint): bigint => {
      const rest = ((x % reach) + reach) % reach;
      return SCALARS[type].kind === "int" && rest >= reach / 2n ? rest - reach : rest;
    };
    for (const [a, b] of pairsOf(type)) {
      const want = wrapped((EXACT[op] as (a: bigint, b: bigint) => bigint)(BigInt(a), BigInt(b)));
      const got = BigInt(BINARY[op].apply(type, a, b));
      if (got !== want) expect(got, `${a} ${op} ${b}`).toBe(want);
    }
  });
});

it("every half survives the conversion to its value", () => {
  const { fromHost, toHost } = SCALARS.f16;
  for (let bits = 0; bits < 65536; bits++) {
    const value = fromHost(bits) as number;
    if (Number.isNaN(value)) expect(toHost(value)).toBe(0x7e00);
    else if (toHost(value) !== bits) expect(toHost(value)).toBe(bits);
  }
});

it("the oracle equals the host's arithmetic where that is exact", () => {
  const random = randomOf("host");
  const word = new DataView(new ArrayBuffer(8));
  const any = (): number => {
    word.setUint32(0, random.bits());
    word.setUint32(4, random.bits());
    return word.getFloat64(0);
  };
  for (let i = 0; i < COUNT; i++) {
    const [a, b] = [any(), any()];
    for (const [op, want] of [
      ["add", a + b],
      ["mul", a * b],
    ] as const)
      if (!Object.is(ORACLE[op]("f64", a, b), want)) expect(ORACLE[op]("f64", a, b), `${a} ${b}`).toBe(want);
  }
});
