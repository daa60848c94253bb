/** Every operator and conversion of the emulated types, and the reference that its results must equal. */
import { SCALAR_NAMES, type Scalar, type ScalarValue } from "@groupwise/core";
import type { Expr } from "@groupwise/core/kernel";
import { BINARY, type BinaryOp, castValue, SCALARS, UNARY, type UnaryOp } from "@groupwise/core/target";
import type { Pair } from "@groupwise/kernel/library/types/base/pair.js";
import {
  type Wide,
  wideBinary,
  wideCast,
  wideConst,
  wideUnary,
} from "@groupwise/kernel/library/types/wide.js";
import type { Operation, Words } from "./harness.ts";

/** An operation with its meaning on the host. */
export interface Known extends Operation {
  readonly means: (...operands: ScalarValue[]) => ScalarValue;
}

export function unaryOf(type: Wide): Record<string, Known> {
  const ops = (Object.keys(UNARY) as UnaryOp[]).filter((op) => UNARY[op].on.includes(SCALARS[type].kind));
  return Object.fromEntries(
    ops.map((op) => [
      `${op}_of_${type}`,
      {
        from: [type],
        to: type,
        write: (code, a) => wideUnary(code, op, type, a as Pair),
        means: (a) => UNARY[op].apply(type, a),
      } satisfies Known,
    ]),
  );
}

export function binaryOf(type: Wide): Record<string, Known> {
  const ops = (Object.keys(BINARY) as BinaryOp[]).filter((op) => BINARY[op].on.includes(SCALARS[type].kind));
  return Object.fromEntries(
    ops.map((op) => [
      `${op}_of_${type}`,
      {
        from: [type, BINARY[op].rightType ?? type],
        to: BINARY[op].compares ? "bool" : type,
        write: (code, a, b) => wideBinary(code, op, type, a as Pair, b as Pair | Expr),
        means: (a, b) => BINARY[op].apply(type, a, b),
      } satisfies Known,
    ]),
  );
}

/** Conversions from the type to those of two words, and from one of two words to all. */
export function castsFrom(from: Scalar): Record<string, Known> {
  const isWide = (type: Scalar): boolean => SCALARS[type].bits === 64;
  const targets = SCALAR_NAMES.filter((to) => to !== from && (isWide(from) || isWide(to)));
  return Object.fromEntries(
    targets.map((to) => [
      `${to}_from_${from}`,
      {
        from: [from],
        to,
        write: (code, x) => wideCast(code, from, to, x),
        means: (x) => castValue(from, to, x),
      } satisfies Known,
    ]),
  );
}

/** Shifts by amounts that the text knows, and a constant added. */
export function constantsOf(type: "i64" | "u64"): Record<string, Known> {
  const amounts = [0, 1, 7, 31, 32, 33, 63, 64, 65];
  const shifts = amounts.flatMap((by) =>
    (["shl", "shr"] as const).map((op): [string, Known] => [
      `${op}_by_${by}_of_${type}`,
      {
        from: [type],
        to: type,
        write: (code, a) =>
          wideBinary(code, op, type, a as Pair, { kind: "const", type: "u32", value: by }) as Pair,
        means: (a) => BINARY[op].apply(type, a, by),
      },
    ]),
  );
  const added = type === "i64" ? -(2n ** 63n) + 5n : 2n ** 64n - 5n;
  const plus: Known = {
    from: [type],
    to: type,
    write: (code, a) => wideBinary(code, "add", type, a as Pair, wideConst(type, String(added))),
    means: (a) => BINARY.add.apply(type, a, added),
  };
  return { ...Object.fromEntries(shifts), [`plus_of_${type}`]: plus };
}

const ARRAYS: Readonly<Record<Scalar, (count: number) => Words>> = {
  i32: (n) => new Int32Array(n),
  u32: (n) => new Uint32Array(n),
  i64: (n) => new Uint32Array(2 * n),
  u64: (n) => new Uint32Array(2 * n),
  f16: (n) => new Float32Array(n),
  f32: (n) => new Float32Array(n),
  f64: (n) => new Uint32Array(2 * n),
  bool: (n) => new Uint8Array(n),
};
export const arrayOf = (type: Scalar, count: number): Words => ARRAYS[type](count);

/** Reads elements as the host's values of the type. */
export function reader(type: Scalar, words: Words): (i: number) => ScalarValue {
  if (type === "i64" || type === "u64" || type === "f64") {
    const view = { i64: BigInt64Array, u64: BigUint64Array, f64: Float64Array }[type];
    const array = new view(words.buffer as ArrayBuffer);
    return (i) => array[i] as ScalarValue;
  }
  return type === "bool" ? (i) => words[i] !== 0 : (i) => words[i] as number;
}
