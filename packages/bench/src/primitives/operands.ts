/**
 * Operands of scans and reduces whose prefixes are known: sums and products telescope, a[i] = w(i + 1) - w(i), and operands
 * of maxima increase in the long run. Every partial result is exact in every type, whatever the
 * order of combination; a lost carry or a swapped range changes results.
 */
import { type F32Value, type U32Value, u32 } from "@groupwise/dsl";
import { hash, hashed } from "./job.ts";

export type OperandType = "u32" | "i32" | "f32" | "f16" | "f64" | "u64" | "i64";
export type OperandOp = "add" | "max" | "min" | "mul";

/** Operands as an expression of the index, and their prefixes. */
export interface PrefixOperands {
  readonly op: OperandOp;
  readonly type: OperandType;
  /** Item i; its type is that of the operands. */
  readonly at: (index: U32Value) => F32Value;
  /** Word k of the prefix that ends with item i. Calls are in ascending order of i. */
  readonly prefixes: () => (i: number, k: number) => number;
}

const CONVERTED: Readonly<Record<OperandType, (x: U32Value) => unknown>> = {
  u32: (x) => x,
  i32: (x) => x.toI32(),
  f32: (x) => x.toF32(),
  f16: (x) => x.toF16(),
  f64: (x) => x.toF64(),
  // Both words are the hash.
  u64: (x) => x.toU64().mul(0x1_0000_0001n),
  i64: (x) => x.toU64().mul(0x1_0000_0001n).toI64(),
};
const BITS: Readonly<
  Record<"f32" | "f64", { readonly value: Float32Array | Float64Array; readonly words: Uint32Array }>
> = {
  f32: bitsIn(new Float32Array(1)),
  f64: bitsIn(new Float64Array(1)),
};
function bitsIn(value: Float32Array | Float64Array) {
  return { value, words: new Uint32Array(value.buffer) };
}
function wordOf(type: "f32" | "f64", x: number, k: number): number {
  const { value, words } = BITS[type];
  value[0] = x;
  return words[k] as number;
}

const FIRST = hash(0);
const SMALL = 15;
/** Bits of the halves of 0 to 15, without the sign. */
const HALVES = [
  0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800, 0x4880, 0x4900, 0x4980, 0x4a00, 0x4a80,
  0x4b00, 0x4b80,
];
const halfOf = (x: number): number => (x < 0 ? 0x8000 : 0) + (HALVES[Math.abs(x)] as number);

/** The sum up to item i of the differences of whole hashes: its low word, and that of both words. */
const low = (i: number): number => (hash(i + 1) - FIRST) >>> 0;
const either = (i: number, k: number): number => (low(i) - (k === 1 && hash(i + 1) < FIRST ? 1 : 0)) >>> 0;
const small = (i: number): number => (hash(i + 1) & SMALL) - (FIRST & SMALL);

const SUM_WORDS: Readonly<Record<OperandType, (i: number, k: number) => number>> = {
  u32: low,
  i32: low,
  u64: either,
  i64: either,
  f32: (i) => wordOf("f32", small(i), 0),
  f16: (i) => halfOf(small(i)),
  f64: (i, k) => wordOf("f64", small(i), k),
};

const isFloat = (type: OperandType): boolean => type.startsWith("f");

function sumsOf(type: OperandType): PrefixOperands {
  const w = (i: U32Value): F32Value =>
    CONVERTED[type](isFloat(type) ? hashed(i).and(SMALL) : hashed(i)) as F32Value;
  return { op: "add", type, at: (i) => w(i.add(1)).sub(w(i)), prefixes: () => SUM_WORDS[type] };
}

const NOISE = 4095;
const rising = (i: U32Value): U32Value => i.add(hashed(i).and(NOISE));
const risingAt = (i: number): number => i + (hash(i) & NOISE);

/** The running maximum of values, as a word. */
function runningMaximum(
  valueAt: (i: number) => number,
  word: (x: number) => number,
): PrefixOperands["prefixes"] {
  return () => {
    let [next, most] = [0, Number.NEGATIVE_INFINITY];
    return (i) => {
      for (; next <= i; next++) most = Math.max(most, valueAt(next));
      return word(most);
    };
  };
}

const power = (i: U32Value): F32Value => u32(1).shl(hashed(i).and(7)).toF32();
const powerAt = (i: number): number => 2 ** (hash(i) & 7);
const single = (i: number): number => Math.fround(risingAt(i));

/** Every combination that is measured. */
export const OPERANDS: readonly PrefixOperands[] = [
  ...(["u32", "i32", "f32", "i64", "u64", "f16", "f64"] as const).map(sumsOf),
  { op: "max", type: "u32", at: rising as never, prefixes: runningMaximum(risingAt, (x) => x) },
  {
    op: "max",
    type: "f32",
    at: (i) => rising(i).toF32(),
    prefixes: runningMaximum(single, (x) => wordOf("f32", x, 0)),
  },
  {
    op: "min",
    type: "f32",
    at: (i) => rising(i).toF32().neg(),
    prefixes: runningMaximum(single, (x) => wordOf("f32", -x, 0)),
  },
  {
    op: "mul",
    type: "f32",
    at: (i) => power(i.add(1)).div(power(i)),
    prefixes: () => (i) => wordOf("f32", powerAt(i + 1) / powerAt(0), 0),
  },
];
