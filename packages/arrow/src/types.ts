/** The types of the columns that a pipeline takes and returns. */
import type {
  HostArrays,
  HostScalars,
  PipelineSource,
  RunOptions,
  ScalarValue,
  TypedPipeline,
} from "@groupwise/core";
import type {
  Bool,
  DataType,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Vector,
} from "apache-arrow";

import type { VectorLike } from "./vectors.ts";

/** The Arrow type of each type of elements. Arrow has no bfloat16: a column holds its 16 bits. */
export interface ArrowTypes {
  readonly i8: Int8;
  readonly u8: Uint8;
  readonly i16: Int16;
  readonly u16: Uint16;
  readonly bf16: Uint16;
  readonly i32: Int32;
  readonly u32: Uint32;
  readonly i64: Int64;
  readonly u64: Uint64;
  readonly f16: Float16;
  readonly f32: Float32;
  readonly f64: Float64;
  readonly bool: Bool;
}

/**
 * The accepted forms of a column: a vector, also of another copy or version of apache-arrow, or a typed array, which has no nulls. A vector of i32 or i64 may
 * also be of dates, times, timestamps, durations or decimals, and one of integers a dictionary.
 */
export type ColumnOf<T extends keyof ArrowTypes> = VectorLike<HostArrays[T]> | HostArrays[T];
/** A column of any type. */
export type AnyColumn = VectorLike | HostArrays[keyof HostArrays];

/**
 * The arguments of a run by name: a vector, or a typed array without nulls, for each input and table; a value for each parameter.
 */
export type ColumnValues<P> = P extends TypedPipeline
  ? { readonly [K in keyof P["inputs"]]: ColumnOf<P["inputs"][K]> } & {
      readonly [K in keyof P["tables"]]: ColumnOf<P["tables"][K]>;
    } & { readonly [K in keyof P["params"]]: HostScalars[P["params"][K]] }
  : Readonly<Record<string, AnyColumn | ScalarValue>>;

/**
 * The results of a run by name: a vector for each output, and the value of each scalar output, which is null if its item is null:
 * `{ sums: Vector<Float64>; total: number | null }`.
 */
export type ColumnResults<P> =
  P extends Pick<TypedPipeline, "outputs" | "scalars">
    ? string extends keyof P["outputs"]
      ? Record<string, Vector<DataType> | ScalarValue | null>
      : { readonly [K in keyof P["outputs"]]: ResultOf<P, K> }
    : Record<string, Vector<DataType> | ScalarValue | null>;

/** The result of an output: a vector, or the value of a scalar output, which may be null. */
export type ResultOf<
  P extends Pick<TypedPipeline, "outputs" | "scalars">,
  K extends keyof P["outputs"],
> = K extends keyof P["scalars"]
  ? P["scalars"][K] extends keyof HostScalars
    ? HostScalars[P["scalars"][K]] | null
    : never
  : Vector<ArrowTypes[P["outputs"][K]]>;

/** How a run treats columns, besides the options of every run. */
export interface ColumnOptions<P extends PipelineSource = PipelineSource> extends RunOptions {
  /**
   * Outputs that are null at the nulls of an input: `{ sums: "price" }`. By default scans are valid at nulls (the prefix of the items before), as SQL's
   * window functions are; with this option they are null there, as in Arrow's `cumulative_sum`.
   */
  readonly nullWhere?: P extends TypedPipeline
    ? { readonly [K in keyof P["outputs"]]?: keyof P["inputs"] & string }
    : Readonly<Record<string, string>>;
}
