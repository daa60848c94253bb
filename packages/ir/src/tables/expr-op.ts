import { isFloat, SCALARS, type Scalar, type ScalarKind, type ScalarValue, type WordForm } from "./scalar.ts";

/** Element-wise operators of one operand. */
export type UnaryOp = "neg" | "abs" | "not" | "popcount" | "clz";
/** Element-wise operators whose result has the operands' type. */
export type ArithmeticOp =
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "rem"
  | "min"
  | "max"
  | "absdiff"
  | "gcd"
  | "and"
  | "or"
  | "xor"
  | "shl"
  | "shr";
/** Operators that floats do not have. */
export type IntegerOp = "rem" | "gcd" | "and" | "or" | "xor" | "shl" | "shr";
/** Element-wise operators whose result is a bool. */
export type CompareOp = "eq" | "ne" | "lt" | "le" | "gt" | "ge";
/** Element-wise operators of two operands. */
export type BinaryOp = ArithmeticOp | CompareOp;

interface Spec<Apply> {
  readonly on: readonly ScalarKind[];
  /** One application, rounded or wrapped to the type; the reference's meaning. */
  readonly apply: Apply;
  /** The defined result if languages differ. */
  readonly summary: string;
}
/** A row of {@link UNARY}. */
export interface UnarySpec extends Spec<(type: Scalar, a: ScalarValue) => ScalarValue> {}
/** A row of {@link BINARY}. */
export interface BinarySpec extends Spec<(type: Scalar, a: ScalarValue, b: ScalarValue) => ScalarValue> {
  /** True if the result is a bool for all types of operands. */
  readonly compares: boolean;
  /** On floats: true if the exact result may not be a value of the type. Other operators select, compare or operate on bits. */
  readonly rounds: boolean;
  /** True if the result is a sum or a difference of the operands, or its magnitude. */
  readonly sum: boolean;
  /** True if exchanging the operands does not change the result. */
  readonly commutative: boolean;
  /** The right operand's type if it is not the left one's. */
  readonly rightType?: Scalar;
}

const NUMERIC: readonly ScalarKind[] = ["int", "uint", "float"];
const INTEGER: readonly ScalarKind[] = ["int", "uint"];
const BITS: readonly ScalarKind[] = ["int", "uint", "bool"];
const ANY: readonly ScalarKind[] = ["int", "uint", "float", "bool"];

type Both = { n: (a: number, b: number) => number; b: (a: bigint, b: bigint) => bigint };
const calc =
  ({ n, b }: Both): BinarySpec["apply"] =>
  (type, x, y) =>
    SCALARS[type].wrap(typeof x === "bigint" ? b(x, y as bigint) : n(Number(x), Number(y)));
/** A row without the properties that every operator states for itself. */
type Row = Omit<BinarySpec, "sum" | "commutative">;
const arithmetic = (on: readonly ScalarKind[], summary: string, both: Both): Row => ({
  on,
  summary,
  compares: false,
  rounds: false,
  apply: calc(both),
});
const rounding = (summary: string, both: Both): Row => ({
  ...arithmetic(NUMERIC, summary, both),
  rounds: true,
});
const comparison = (
  on: readonly ScalarKind[],
  summary: string,
  decide: (a: ScalarValue, b: ScalarValue) => boolean,
): Row => ({ on, summary, compares: true, rounds: false, apply: (_, a, b) => decide(a, b) });

const bits = (type: Scalar): number => SCALARS[type].bits;
const unsigned = (type: Scalar, a: ScalarValue): bigint => BigInt.asUintN(bits(type), BigInt(a));
export const whole = (type: Scalar, x: number | bigint): ScalarValue => SCALARS[type].whole(x);

const product = rounding("product; integers wrap", { n: (a, b) => a * b, b: (a, b) => a * b });
const divide: BinarySpec["apply"] = (type, a, b) => {
  if (isFloat(type)) return SCALARS[type].wrap((a as number) / (b as number));
  const [x, y] = [BigInt(a), BigInt(b)];
  return y === 0n ? a : whole(type, x / y);
};
const remainder: BinarySpec["apply"] = (type, a, b) => {
  const [x, y] = [BigInt(a), BigInt(b)];
  return whole(type, y === 0n ? 0 : x % y);
};
/** Euclid's algorithm. */
const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : divisor(b, a % b));
const shift =
  (move: (x: bigint, by: bigint) => bigint): BinarySpec["apply"] =>
  (type, a, b) =>
    whole(type, move(BigInt(a), BigInt(b) & BigInt(bits(type) - 1)));

const COMMUTES = { sum: false, commutative: true } as const;
const ORDERED = { sum: false, commutative: false } as const;

/** Every element-wise operator of two operands: its types and its result. */
export const BINARY: Readonly<Record<BinaryOp, BinarySpec>> = {
  add: {
    sum: true,
    commutative: true,
    ...rounding("sum; integers wrap", { n: (a, b) => a + b, b: (a, b) => a + b }),
  },
  sub: {
    sum: true,
    commutative: false,
    ...rounding("difference; integers wrap", { n: (a, b) => a - b, b: (a, b) => a - b }),
  },
  mul: {
    ...COMMUTES,
    ...product,
    // The product of two numbers that are integers could need more digits than a double has.
    apply: (type, a, b) =>
      isFloat(type) || typeof a === "bigint"
        ? product.apply(type, a, b)
        : SCALARS[type].wrap(Math.imul(a as number, b as number)),
  },
  div: {
    ...ORDERED,
    on: NUMERIC,
    compares: false,
    rounds: true,
    apply: divide,
    summary: "quotient, integers truncate; x / 0 is x, and the least integer / -1 is itself",
  },
  rem: {
    ...ORDERED,
    on: INTEGER,
    compares: false,
    rounds: false,
    apply: remainder,
    summary: "remainder with the sign of the dividend; x % 0 is 0",
  },
  min: {
    ...COMMUTES,
    ...arithmetic(NUMERIC, "IEEE 754-2019 minimum for floats", { n: Math.min, b: (a, b) => (a < b ? a : b) }),
  },
  max: {
    ...COMMUTES,
    ...arithmetic(NUMERIC, "IEEE 754-2019 maximum for floats", { n: Math.max, b: (a, b) => (a > b ? a : b) }),
  },
  absdiff: {
    sum: true,
    commutative: true,
    ...rounding("magnitude of the exact difference, rounded once; of integers modulo the width", {
      n: (a, b) => Math.abs(a - b),
      b: (a, b) => (a < b ? b - a : a - b),
    }),
  },
  gcd: {
    ...COMMUTES,
    on: INTEGER,
    compares: false,
    rounds: false,
    apply: (type, a, b) => whole(type, divisor(BigInt(a), BigInt(b))),
    summary:
      "greatest common divisor of the magnitudes, modulo the width; gcd(x, 0) is the magnitude of x, gcd(0, 0) is 0",
  },
  and: {
    ...COMMUTES,
    ...arithmetic(BITS, "bitwise; on bool logical", { n: (a, b) => a & b, b: (a, b) => a & b }),
  },
  or: {
    ...COMMUTES,
    ...arithmetic(BITS, "bitwise; on bool logical", { n: (a, b) => a | b, b: (a, b) => a | b }),
  },
  xor: {
    ...COMMUTES,
    ...arithmetic(BITS, "bitwise; on bool logical", { n: (a, b) => a ^ b, b: (a, b) => a ^ b }),
  },
  shl: {
    ...ORDERED,
    on: INTEGER,
    compares: false,
    rounds: false,
    rightType: "u32",
    apply: shift((x, by) => x << by),
    summary: "shift left by the amount modulo the width",
  },
  shr: {
    ...ORDERED,
    on: INTEGER,
    compares: false,
    rounds: false,
    rightType: "u32",
    apply: shift((x, by) => x >> by),
    summary: "shift right by the amount modulo the width; signed types keep the sign",
  },
  eq: { ...COMMUTES, ...comparison(ANY, "equal; NaN equals nothing, -0 equals +0", (a, b) => a === b) },
  ne: { ...COMMUTES, ...comparison(ANY, "not equal", (a, b) => a !== b) },
  lt: { ...ORDERED, ...comparison(NUMERIC, "less", (a, b) => a < b) },
  le: { ...ORDERED, ...comparison(NUMERIC, "less or equal", (a, b) => a <= b) },
  gt: { ...ORDERED, ...comparison(NUMERIC, "greater", (a, b) => a > b) },
  ge: { ...ORDERED, ...comparison(NUMERIC, "greater or equal", (a, b) => a >= b) },
};

/** True for the operators whose result is a bool. */
export const isCompare = (op: BinaryOp): op is CompareOp => BINARY[op].compares;

/** Every element-wise operator of one operand: its types and its result. */
export const UNARY: Readonly<Record<UnaryOp, UnarySpec>> = {
  neg: {
    on: ["int", "float"],
    apply: (type, a) => SCALARS[type].wrap(-(a as number)),
    summary: "negative; the least integer is its own, a float's sign flips",
  },
  abs: {
    on: NUMERIC,
    apply: (type, a) => SCALARS[type].wrap(typeof a === "bigint" ? (a < 0n ? -a : a) : Math.abs(a as number)),
    summary: "magnitude; the least integer is its own",
  },
  not: {
    on: BITS,
    apply: (type, a) => (type === "bool" ? !a : SCALARS[type].wrap(~(a as number))),
    summary: "complement of the bits; on bool logical",
  },
  popcount: {
    on: INTEGER,
    apply: (type, a) => whole(type, unsigned(type, a).toString(2).replaceAll("0", "").length),
    summary: "number of bits that are 1",
  },
  clz: {
    on: INTEGER,
    apply: (type, a) =>
      whole(type, bits(type) - (unsigned(type, a) === 0n ? 0 : unsigned(type, a).toString(2).length)),
    summary: "number of 0 bits above the highest 1; the width for 0",
  },
};
export const WORD: Readonly<Record<WordForm, (view: DataView, word: 0 | 1) => number>> = {
  pair: (view, word) => view.getUint32(word === 0 ? 4 : 0),
  low: (view) => view.getUint16(0),
  bits: (view) => view.getUint32(0),
  truth: (view) => view.getUint8(0),
};
