/** Values of the pipeline, and what rules do with them. */
import type { ArrayType, Scalar } from "@groupwise/core";
import { GroupwiseError } from "@groupwise/core";
import { isNarrow, NARROW, SCALARS } from "@groupwise/core/target";
import * as dsl from "@groupwise/dsl";
import { type AnyValue, type BoolValue, constant, type ScalarType, type U32Value } from "@groupwise/dsl";
import { Refusal } from "./refusal.ts";
import { scalarOf } from "./types.ts";

/** The descriptor of a type. */
export const descriptorOf = (type: Scalar): ScalarType<Scalar> =>
  (dsl as unknown as Readonly<Record<Scalar, ScalarType<Scalar>>>)[type];

/** The descriptor of the elements of an array. */
export const elementsOf = (type: ArrayType): ScalarType<"f32"> =>
  (dsl as unknown as Readonly<Record<ArrayType, ScalarType<"f32">>>)[type];

/** Values as elements of an array, which are returned or scattered. */
export const elementsFrom = (type: ArrayType, value: AnyValue): U32Value =>
  (isNarrow(type)
    ? (elementsOf(type) as unknown as (value: AnyValue) => U32Value)(value)
    : value) as U32Value;

/** A constant of the type of values. @throws Refusal if the type does not have it */
export function constantIn(type: Scalar, value: number | bigint): AnyValue {
  const isWhole = SCALARS[type].whole(0) === 0n;
  if (isWhole && typeof value === "number" && !Number.isInteger(value))
    throw new Refusal(`${type} has no ${value}`);
  return constant(descriptorOf(type), isWhole ? (BigInt(value) as never) : (value as never));
}

/** A constant of the type of another value. */
export const constantLike = (like: AnyValue, value: number): AnyValue => constantIn(like.type, value);

/** An element of a constant tensor. */
export const literal = (type: ArrayType, value: unknown): AnyValue =>
  constant(descriptorOf(scalarOf(type)), value as never);

/** One of two values of the same type. */
export const select = (condition: AnyValue, then: AnyValue, otherwise: AnyValue): AnyValue =>
  (condition as BoolValue).select(then, otherwise as never);

/** Applies a method of the builder. @throws Refusal if it does not exist for the type */
export function apply(value: AnyValue, method: string, ...rest: unknown[]): AnyValue {
  const methods = value as unknown as Readonly<Record<string, (...rest: unknown[]) => AnyValue>>;
  if (typeof methods[method] !== "function") throw new Refusal(`${value.type} has no ${method}`);
  try {
    return methods[method](...rest);
  } catch (error) {
    if (error instanceof GroupwiseError) throw new Refusal(error.what);
    throw error;
  }
}

/** A value as the type of values. */
export const cast = (value: AnyValue, type: Scalar): AnyValue =>
  value.type === type ? value : apply(value, `to${type[0]?.toUpperCase()}${type.slice(1)}`);

/**
 * The f32 nearest to a value that bf16 has, ties to even. Sums, products, quotients and roots are those of bf16, because an f32 has more than twice
 * its digits.
 */
function halved(value: AnyValue): AnyValue {
  const bits = apply(value, "bitsAs", "u32");
  const odd = apply(apply(bits, "shr", 16), "and", 1);
  const near = apply(apply(apply(bits, "add", 0x7fff), "add", odd), "and", 0xffff0000);
  return select(apply(value, "isNaN"), value, apply(near, "bitsAs", "f32"));
}

/** The value wrapped to an integer of 8 or 16 bits, or rounded to a bf16; other types unchanged. */
export function wrapped(value: AnyValue, type: ArrayType): AnyValue {
  if (type === "bf16") return halved(value);
  if (type === "i8" || type === "i16") {
    const by = 32 - NARROW[type].bits;
    return apply(apply(value, "shl", by), "shr", by);
  }
  if (type === "u8" || type === "u16") return apply(value, "and", 2 ** NARROW[type].bits - 1);
  return value;
}

/** The nearest integer that a type of 8 or 16 bits has; other types unchanged. */
export function clamped(value: AnyValue, type: ArrayType): AnyValue {
  const range = type in NARROW ? NARROW[type as keyof typeof NARROW].range : undefined;
  return range ? apply(apply(value, "max", range[0]), "min", range[1]) : value;
}

/** A 64-bit integer that a double holds, and that rounds to the same float of at most 32 bits. */
function short(value: AnyValue): AnyValue {
  const rest = apply(value, "and", constantLike(value, 2047));
  const whole = apply(value, "sub", rest);
  const sticky = apply(whole, "or", constantLike(value, 2048));
  const isLong = apply(apply(value, "abs"), "ge", constantLike(value, 2 ** 53));
  const isExact = apply(rest, "eq", constantLike(value, 0));
  return select(apply(isLong, "and", apply(isExact, "not")), sticky, value);
}

/** A double as an f32 that rounds to the same bf16: an inexact one is truncated and made odd. */
function odd(value: AnyValue): AnyValue {
  const near = apply(value, "toF32");
  const back = apply(near, "toF64");
  const bits = apply(near, "bitsAs", "u32");
  const above = apply(apply(back, "abs"), "gt", apply(value, "abs"));
  const cut = apply(apply(bits, "sub", apply(above, "toU32")), "or", 1);
  const isExact = apply(apply(back, "eq", value), "or", apply(value, "isNaN"));
  return select(isExact, near, apply(cut, "bitsAs", "f32"));
}

/** An element of one type as another: floats to integers truncate and saturate, and floats round once. */
export function converted(value: AnyValue, to: ArrayType): AnyValue {
  const wide = { i64: short, u64: short }[value.type as string];
  if (to === "bf16" && value.type !== "f32" && value.type !== "f16" && value.type !== "bool")
    return halved(odd(cast(wide ? wide(value) : value, "f64")));
  return wrapped(cast(value, scalarOf(to)), to);
}

/** One value for each item. */
export const perItem = (value: AnyValue): AnyValue => apply(value, "perItem");
