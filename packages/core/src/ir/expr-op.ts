import { isFloat, SCALARS, type Scalar, type ScalarKind, type ScalarValue } from "../scalar.ts";

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
  | "and"
  | "or"
  | "xor"
  | "shl"
  | "shr";
/** Element-wise operators whose result is a bool. */
export type CompareOp = "eq" | "ne" | "lt" | "le" | "gt" | "ge";
/** Element-wise operators of two operands. */
export type BinaryOp = ArithmeticOp | CompareOp;

interface Spec<Apply> {
  readonly on: readonly ScalarKind[];
  /** One application, rounded or wrapped to the type; the reference's meaning. */
  readonly apply: Apply;
  /** The settled meaning where languages differ. */
  readonly summary: string;
}
/** A row of {@link UNARY}. */
export interface UnarySpec extends Spec<(type: Scalar, a: ScalarValue) => ScalarValue> {}
/** A row of {@link BINARY}. */
export interface BinarySpec extends Spec<(type: Scalar, a: ScalarValue, b: ScalarValue) => ScalarValue> {
  /** True where the result is a bool, whatever the operands are. */
  readonly compares: boolean;
  /** The right operand's type where it is not the left one's. */
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
const arithmetic = (on: readonly ScalarKind[], summary: string, both: Both): BinarySpec => ({
  on,
  summary,
  compares: false,
  apply: calc(both),
});
const comparison = (
  on: readonly ScalarKind[],
  summary: string,
  decide: (a: ScalarValue, b: ScalarValue) => boolean,
): BinarySpec => ({ on, summary, compares: true, apply: (_, a, b) => decide(a, b) });

const bits = (type: Scalar): number => SCALARS[type].bits;
const unsigned = (type: Scalar, a: ScalarValue): bigint => BigInt.asUintN(bits(type), BigInt(a));
const like = (type: Scalar, x: number): ScalarValue => SCALARS[type].wrap(x);

const divide: BinarySpec["apply"] = (type, a, b) => {
  if (isFloat(type)) return SCALARS[type].wrap((a as number) / (b as number));
  const [x, y] = [BigInt(a), BigInt(b)];
  return y === 0n ? a : SCALARS[type].wrap(bits(type) === 64 ? x / y : Number(x / y));
};
const remainder: BinarySpec["apply"] = (type, a, b) => {
  const [x, y] = [BigInt(a), BigInt(b)];
  return y === 0n ? like(type, 0) : SCALARS[type].wrap(bits(type) === 64 ? x % y : Number(x % y));
};
const shift =
  (move: (x: bigint, by: bigint) => bigint): BinarySpec["apply"] =>
  (type, a, b) => {
    const moved = move(BigInt(a), BigInt(b) & BigInt(bits(type) - 1));
    return SCALARS[type].wrap(bits(type) === 64 ? moved : Number(BigInt.asIntN(64, moved)));
  };

/** Every element-wise operator of two operands: where it exists and what it gives. */
export const BINARY: Readonly<Record<BinaryOp, BinarySpec>> = {
  add: arithmetic(NUMERIC, "sum; integers wrap", { n: (a, b) => a + b, b: (a, b) => a + b }),
  sub: arithmetic(NUMERIC, "difference; integers wrap", { n: (a, b) => a - b, b: (a, b) => a - b }),
  mul: {
    ...arithmetic(NUMERIC, "product; integers wrap", { n: (a, b) => a * b, b: (a, b) => a * b }),
    apply: (type, a, b) =>
      isFloat(type) || bits(type) === 64
        ? calc({ n: (x, y) => x * y, b: (x, y) => x * y })(type, a, b)
        : SCALARS[type].wrap(Math.imul(a as number, b as number)),
  },
  div: {
    on: NUMERIC,
    compares: false,
    apply: divide,
    summary: "quotient, integers truncate; x / 0 is x, and the least integer / -1 is itself",
  },
  rem: {
    on: INTEGER,
    compares: false,
    apply: remainder,
    summary: "remainder with the sign of the dividend; x % 0 is 0",
  },
  min: arithmetic(NUMERIC, "IEEE 754-2019 minimum for floats", { n: Math.min, b: (a, b) => (a < b ? a : b) }),
  max: arithmetic(NUMERIC, "IEEE 754-2019 maximum for floats", { n: Math.max, b: (a, b) => (a > b ? a : b) }),
  and: arithmetic(BITS, "bitwise; on bool logical", { n: (a, b) => a & b, b: (a, b) => a & b }),
  or: arithmetic(BITS, "bitwise; on bool logical", { n: (a, b) => a | b, b: (a, b) => a | b }),
  xor: arithmetic(BITS, "bitwise; on bool logical", { n: (a, b) => a ^ b, b: (a, b) => a ^ b }),
  shl: {
    on: INTEGER,
    compares: false,
    rightType: "u32",
    apply: shift((x, by) => x << by),
    summary: "shift left by the amount modulo the width",
  },
  shr: {
    on: INTEGER,
    compares: false,
    rightType: "u32",
    apply: shift((x, by) => x >> by),
    summary: "shift right by the amount modulo the width; signed types keep the sign",
  },
  eq: comparison(ANY, "equal; NaN equals nothing, -0 equals +0", (a, b) => a === b),
  ne: comparison(ANY, "not equal", (a, b) => a !== b),
  lt: comparison(NUMERIC, "less", (a, b) => a < b),
  le: comparison(NUMERIC, "less or equal", (a, b) => a <= b),
  gt: comparison(NUMERIC, "greater", (a, b) => a > b),
  ge: comparison(NUMERIC, "greater or equal", (a, b) => a >= b),
};

/** Every element-wise operator of one operand: where it exists and what it gives. */
export const UNARY: Readonly<Record<UnaryOp, UnarySpec>> = {
  neg: {
    on: ["int", "float"],
    apply: (type, a) => SCALARS[type].wrap(typeof a === "bigint" ? -a : -(a as number)),
    summary: "negative; the least integer is its own, a float's sign flips",
  },
  abs: {
    on: NUMERIC,
    apply: (type, a) => SCALARS[type].wrap(typeof a === "bigint" ? (a < 0n ? -a : a) : Math.abs(a as number)),
    summary: "magnitude; the least integer is its own",
  },
  not: {
    on: BITS,
    apply: (type, a) =>
      type === "bool" ? !a : SCALARS[type].wrap(typeof a === "bigint" ? ~a : ~(a as number)),
    summary: "complement of the bits; on bool logical",
  },
  popcount: {
    on: INTEGER,
    apply: (type, a) => like(type, unsigned(type, a).toString(2).replaceAll("0", "").length),
    summary: "number of bits that are 1",
  },
  clz: {
    on: INTEGER,
    apply: (type, a) =>
      like(type, bits(type) - (unsigned(type, a) === 0n ? 0 : unsigned(type, a).toString(2).length)),
    summary: "number of 0 bits above the highest 1; the width for 0",
  },
};

/** Converts between element types: integers wrap, floats to integers truncate and saturate, NaN gives 0. */
export function castValue(from: Scalar, to: Scalar, value: ScalarValue): ScalarValue {
  if (to === "bool") return typeof value === "number" ? value !== 0 : Boolean(value);
  if (from === "bool") return SCALARS[to].wrap(value ? 1 : 0);
  if (!isFloat(from) || isFloat(to)) return castExact(to, value);
  const number = value as number;
  if (Number.isNaN(number)) return like(to, 0);
  const { lowest, highest } = SCALARS[to];
  if (number <= Number(lowest)) return lowest;
  if (number >= Number(highest)) return highest;
  return SCALARS[to].wrap(bits(to) === 64 ? BigInt(Math.trunc(number)) : Math.trunc(number));
}

function castExact(to: Scalar, value: ScalarValue): ScalarValue {
  if (typeof value === "bigint") {
    if (isFloat(to)) return to === "f64" ? Number(value) : roundOddThen(to, value);
    return SCALARS[to].wrap(bits(to) === 64 ? value : Number(BigInt.asIntN(32, value)));
  }
  return SCALARS[to].wrap(value);
}

// A 64-bit integer to f32 or f16 through f64 would round twice: keep what is lost as a sticky last bit.
function roundOddThen(to: Scalar, value: bigint): ScalarValue {
  const magnitude = value < 0n ? -value : value;
  const extra = BigInt(Math.max(0, magnitude.toString(2).length - 40));
  const kept = magnitude >> extra;
  const sticky = kept << extra === magnitude ? kept : kept | 1n;
  const rounded = Number(sticky << extra);
  return SCALARS[to].wrap(value < 0n ? -rounded : rounded);
}

/** The same bits read as another type of the same width. */
export function bitcastValue(from: Scalar, to: Scalar, value: ScalarValue): ScalarValue {
  const view = new DataView(new ArrayBuffer(8));
  const bytes = SCALARS[from].bits / 8;
  WRITE[from](view, value);
  return bytes === SCALARS[to].bits / 8 ? READ[to](view) : SCALARS[to].lowest;
}

/** 32 of a value's bits, word 0 the low ones; what is shorter stands in word 0. */
export function wordOf(type: Scalar, value: ScalarValue, word: 0 | 1): number {
  const view = new DataView(new ArrayBuffer(8));
  WRITE[type](view, value);
  const { bits } = SCALARS[type];
  if (bits === 64) return view.getUint32(word === 0 ? 4 : 0);
  return bits === 16 ? view.getUint16(0) : view.getUint32(0);
}

const WRITE: Readonly<Record<Scalar, (view: DataView, value: ScalarValue) => void>> = {
  i32: (v, x) => v.setInt32(0, Number(x)),
  u32: (v, x) => v.setUint32(0, Number(x)),
  i64: (v, x) => v.setBigInt64(0, BigInt(x)),
  u64: (v, x) => v.setBigUint64(0, BigInt(x)),
  f16: (v, x) => v.setUint16(0, Number(SCALARS.f16.toHost(x))),
  f32: (v, x) => v.setFloat32(0, Number(x)),
  f64: (v, x) => v.setFloat64(0, Number(x)),
  bool: (v, x) => v.setUint8(0, x ? 1 : 0),
};
const READ: Readonly<Record<Scalar, (view: DataView) => ScalarValue>> = {
  i32: (v) => v.getInt32(0),
  u32: (v) => v.getUint32(0),
  i64: (v) => v.getBigInt64(0),
  u64: (v) => v.getBigUint64(0),
  f16: (v) => SCALARS.f16.fromHost(v.getUint16(0)),
  f32: (v) => v.getFloat32(0),
  f64: (v) => v.getFloat64(0),
  bool: (v) => v.getUint8(0) !== 0,
};
