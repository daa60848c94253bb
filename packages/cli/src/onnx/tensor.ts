/** Constants: initializers and the values of nodes. */
import type { ArrayType, ScalarValue } from "@groupwise/core";
import { arraySpec, isNarrow, SCALARS } from "@groupwise/core/target";
import type { AnyValue, U32Value } from "@groupwise/dsl";
import type { TensorProto } from "./model.ts";
import { Refusal } from "./refusal.ts";
import { printDims, type Tensor, tensor, uniform } from "./space.ts";
import { arrayTypeOf, typeName } from "./types.ts";
import { literal, select } from "./value.ts";

/** A constant tensor. */
export interface Constant {
  readonly type: ArrayType;
  readonly dims: readonly number[];
  /** In row-major order. */
  readonly values: readonly ScalarValue[];
}

/** The field of values that are not raw, by the array type. */
function listOf(tensor: TensorProto, type: ArrayType): readonly (number | string)[] {
  if (type === "f32") return tensor.floatData;
  if (type === "f64") return tensor.doubleData;
  if (type === "i64") return tensor.int64Data;
  return type === "u64" || type === "u32" ? tensor.uint64Data : tensor.int32Data;
}

/** @throws Refusal for a type without a counterpart, data in another file, or a wrong number of values */
export function constantOf(tensor: TensorProto): Constant {
  const type = arrayTypeOf(tensor.dataType);
  if (type === undefined) throw new Refusal(`its type is ${typeName(tensor.dataType)}`);
  if (tensor.dataLocation) throw new Refusal("its data is in another file");
  const dims = tensor.dims.map(Number);
  const values = tensor.rawData?.length ? rawValues(tensor.rawData, type) : typedValues(tensor, type);
  const count = dims.reduce((a, b) => a * b, 1);
  if (values.length !== count) throw new Refusal(`it has ${values.length} values for ${count} elements`);
  return { type, dims, values };
}

/** 16-bit floats are stored as their bits, as in the host's arrays. */
function typedValues(tensor: TensorProto, type: ArrayType): ScalarValue[] {
  const { fromHost } = arraySpec(type);
  const isBits = type === "f16" || type === "bf16";
  return listOf(tensor, type).map((value) => {
    if (typeof value === "string") return type === "u32" ? Number(value) : BigInt(value);
    if (isBits) return fromHost(value);
    if (type === "bool") return value !== 0;
    return isNarrow(type) ? value : SCALARS[type].wrap(value);
  });
}

/** Raw data is little-endian, and so are the platforms that run this. */
function rawValues(raw: Uint8Array, type: ArrayType): ScalarValue[] {
  const { array, hostBytes, fromHost } = arraySpec(type);
  if (raw.length % hostBytes !== 0)
    throw new Refusal(`its ${raw.length} bytes are not a whole number of elements`);
  const elements = new array(raw.length / hostBytes);
  new Uint8Array(elements.buffer).set(raw);
  return Array.from(elements as ArrayLike<number | bigint>, (stored) => fromHost(stored));
}

/** The most elements of a constant that a document holds, each as a value of its own. */
const EMBEDDED = 64;

/** A constant as a tensor: a choice by the index. @throws Refusal if it has too many elements */
export function embedded({ type, dims, values }: Constant): Tensor {
  const [first] = values;
  if (values.every((value) => Object.is(value, first))) return uniform(type, dims, literal(type, first ?? 0));
  if (values.length > EMBEDDED)
    throw new Refusal(
      `a constant has the shape ${printDims(dims)}, and a document holds at most ${EMBEDDED} values of one: make it an input of the model`,
    );
  const elements = values.map((value) => literal(type, value));
  const chosen = (index: U32Value, from: number, to: number): AnyValue => {
    if (to - from === 1) return elements[from] as AnyValue;
    const middle = (from + to) >> 1;
    return select(index.lt(middle), chosen(index, from, middle), chosen(index, middle, to));
  };
  return tensor(type, dims, (index) => chosen(index, 0, values.length));
}
