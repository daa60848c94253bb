/** Powers, computed in a type that holds each exponent exactly. */
import type { ArrayType, Scalar } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import type { AnyValue } from "@groupwise/dsl";
import { kindOfType, scalarOf } from "./types.ts";
import { apply, cast, constantIn, constantLike, select } from "./value.ts";

/** The narrowest float that holds every exponent of a type; parts of 64-bit integers. */
const HOLDS: Readonly<Record<Exclude<ArrayType, "bool">, "f16" | "f32" | "f64">> = {
  ...{ i8: "f16", u8: "f16", f16: "f16", i16: "f32", u16: "f32", f32: "f32", bf16: "f32" },
  ...{ i32: "f64", u32: "f64", i64: "f64", u64: "f64", f64: "f64" },
};
const times = (a: AnyValue, b: AnyValue): AnyValue => apply(a, "mul", b);

/** A power by a constant whole number from 0 on. */
function chain(x: AnyValue, exponent: bigint): AnyValue {
  if (exponent === 0n) return constantLike(x, 1);
  if (exponent === 1n) return x;
  const half = chain(x, exponent / 2n);
  const square = times(half, half);
  return exponent % 2n === 0n ? square : times(square, x);
}

/** A power of integers, which wraps: a step for each bit of the exponent. The inverse of an integer other than 1 and -1 is truncated to 0. */
function wholePower(x: AnyValue, y: AnyValue, bits: number): AnyValue {
  const [one, zero] = [constantLike(x, 1), constantLike(x, 0)];
  let [result, factor, rest] = [one, x, y];
  for (let bit = 0; bit < bits; bit += 1) {
    const isOdd = apply(apply(rest, "and", constantLike(rest, 1)), "ne", constantLike(rest, 0));
    result = select(isOdd, times(result, factor), result);
    if (bit === bits - 1) break;
    factor = times(factor, factor);
    rest = apply(rest, "shr", 1);
  }
  if (SCALARS[y.type].kind !== "int") return result;
  const isUnit = apply(times(x, x), "eq", one);
  return select(apply(y, "lt", constantLike(y, 0)), select(isUnit, result, zero), result);
}

/** An exponent of 64 bits is the sum of two parts of one sign that a double holds, the first of them even. */
function longPower(x: AnyValue, y: AnyValue): AnyValue {
  const low = apply(y, "rem", constantLike(y, 2048));
  const high = apply(y, "sub", low);
  return times(apply(x, "pow", cast(high, "f64")), apply(x, "pow", cast(low, "f64")));
}

/** The exponent, and its value if it is constant. */
export interface Exponent {
  readonly value: AnyValue;
  readonly type: ArrayType;
  readonly constant: number | bigint | undefined;
}

/** A power in the type of the base, whose elements are of `type`. */
export function powerOf(x: AnyValue, type: ArrayType, { value: y, type: by, constant }: Exponent): AnyValue {
  const isWhole = constant !== undefined && Number.isSafeInteger(Number(constant));
  if (isWhole && Number(constant) === 2) return times(x, x);
  const isFloat = kindOfType(type) === "float";
  if (isWhole && isFloat && SCALARS[x.type].whole(Number(constant)) === Number(constant))
    return apply(x, "pow", constantIn(x.type, Number(constant)));
  if (kindOfType(by) === "bool") return select(y, x, constantLike(x, 1));
  if (!isFloat && isWhole && Number(constant) >= 0) return chain(x, BigInt(constant));
  if (!isFloat && kindOfType(by) !== "float") return wholePower(x, y, SCALARS[scalarOf(by)].bits);
  const wide = widest(isFloat ? x.type : "f64", HOLDS[by as keyof typeof HOLDS]);
  const base = cast(x, wide);
  const isLong = by === "i64" || by === "u64";
  return cast(isLong ? longPower(base, y) : apply(base, "pow", cast(y, wide)), x.type);
}

const widest = (a: Scalar, b: Scalar): Scalar => (SCALARS[a].bits >= SCALARS[b].bits ? a : b);
