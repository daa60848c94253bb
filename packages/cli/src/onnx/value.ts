/** Tensors of a graph: values of the pipeline, and the shapes that they have in ONNX. */
import type { ArrayType, Scalar } from "@groupwise/core";
import { GroupwiseError } from "@groupwise/core";
import { NARROW, SCALARS } from "@groupwise/core/target";
import * as dsl from "@groupwise/dsl";
import { type AnyValue, type BoolValue, constant, type ScalarType } from "@groupwise/dsl";
import { Refusal } from "./refusal.ts";
import type { Constant } from "./tensor.ts";
import { scalarOf } from "./types.ts";

/** The sides of a tensor, in numbers and names. */
export type Dims = readonly (number | string)[];

/** Which axis of the range each axis of a tensor is; undefined for sides of 1. */
export interface TensorAxes {
  readonly at: readonly (number | undefined)[];
  /** The sides of the range. */
  readonly sides: Dims;
}

/** A tensor with one element for each item of the range, with one element, or with one for each row of the range. */
export interface Tensor {
  readonly type: ArrayType;
  readonly dims: Dims;
  /** For each item of the range the element at its place. */
  readonly value: AnyValue;
  /** Of a tensor that lacks axes of the range. */
  readonly rows?: TensorAxes;
}

/** The axes of a tensor. Without rows its sides that are not 1 are all of the range's. */
export function layoutOf({ dims, rows }: Pick<Tensor, "dims" | "rows">): TensorAxes {
  let axes = 0;
  return (
    rows ?? {
      at: dims.map((side) => (side === 1 ? undefined : axes++)),
      sides: dims.filter((side) => side !== 1),
    }
  );
}

/** The shape of a tensor with these axes. */
export function shaped(dims: Dims, at: TensorAxes["at"], sides: Dims): Pick<Tensor, "dims" | "rows"> {
  const count = at.filter((axis) => axis !== undefined).length;
  return { dims, ...(count > 0 && count < sides.length && { rows: { at, sides } }) };
}

/** True for a tensor of one element, of any rank. */
export const isOne = (dims: Dims): boolean => dims.every((side) => side === 1);
/** A shape as models print it. */
export const printDims = (dims: Dims): string => `[${dims.join(", ")}]`;
/** The sides that are not 1, which are those of the range. */
export const coreOf = (dims: Dims): string => JSON.stringify(dims.filter((side) => side !== 1));

/**
 * The shape of an element-wise result. The axes of operands are those of the range, in its order, where they are not 1.
 * @throws Refusal
 */
export function broadcast(all: readonly Tensor[]): Pick<Tensor, "dims" | "rows"> {
  const rank = Math.max(...all.map(({ dims }) => dims.length));
  const padded = all.map((tensor) => {
    const none = Array<undefined>(rank - tensor.dims.length).fill(undefined);
    const { at, sides } = layoutOf(tensor);
    return { dims: [...none.map(() => 1), ...tensor.dims] as Dims, at: [...none, ...at], sides };
  });
  const long = padded.filter(({ at }) => at.some((axis) => axis !== undefined));
  const [first] = long;
  if (first === undefined) return { dims: Array<number>(rank).fill(1) };
  const axes = first.at.map((_, i) => {
    const [one, ...rest] = long.filter(({ at }) => at[i] !== undefined);
    const differs = rest.some(({ at, dims }) => at[i] !== one?.at[i] || dims[i] !== one?.dims[i]);
    return differs ? undefined : { at: one?.at[i], side: one?.dims[i] ?? 1 };
  });
  const given = axes.flatMap((axis) => axis?.at ?? []);
  const isOrdered = given.every((axis, i) => i === 0 || axis > (given[i - 1] as number));
  if (isOrdered && axes.every((axis) => axis !== undefined))
    return shaped(
      axes.map(({ side }) => side),
      axes.map(({ at }) => at),
      first.sides,
    );
  const other = long.find(({ dims }) => JSON.stringify(dims) !== JSON.stringify(first.dims)) ?? first;
  throw new Refusal(
    `the shapes ${printDims(first.dims)} and ${printDims(other.dims)} differ, and neither has one element`,
  );
}

/** The descriptor of a type. */
export const descriptorOf = (type: Scalar): ScalarType<Scalar> =>
  (dsl as unknown as Readonly<Record<Scalar, ScalarType<Scalar>>>)[type];

/** A constant of the type of values. */
export const constantIn = (type: Scalar, value: number): AnyValue =>
  constant(descriptorOf(type), SCALARS[type].whole(0) === 0n ? (BigInt(value) as never) : (value as never));

/** A constant of the type of another value. */
export const constantLike = (like: AnyValue, value: number): AnyValue => constantIn(like.type, value);

/** One of two values of the same type. */
export const select = (condition: AnyValue, then: AnyValue, otherwise: AnyValue): AnyValue =>
  (condition as BoolValue).select(then, otherwise as never);

/** The value of a constant of one element. @throws Refusal */
export function singleOf({ type, dims, values }: Constant): AnyValue {
  if (values.length !== 1)
    throw new Refusal(
      `a constant has the shape ${printDims(dims)}, and a document holds single values: make it an input of the model`,
    );
  return constant(descriptorOf(scalarOf(type)), values[0] as never);
}

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

/** The value wrapped to an integer of 8 or 16 bits; other types unchanged. */
export function wrapped(value: AnyValue, type: ArrayType): AnyValue {
  if (type === "i8" || type === "i16") {
    const by = 32 - NARROW[type].bits;
    return apply(apply(value, "shl", by), "shr", by);
  }
  if (type === "u8" || type === "u16") return apply(value, "and", 2 ** NARROW[type].bits - 1);
  return value;
}

/** A constant in each element of a shape. */
export const filled = (dims: Dims, value: AnyValue): AnyValue => (isOne(dims) ? value : perItem(value));

/** One value for each item. */
export const perItem = (value: AnyValue): AnyValue => apply(value, "perItem");
