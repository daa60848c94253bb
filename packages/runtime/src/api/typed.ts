/** The types of values and results, from the names and element types that a pipeline declares. */
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { HostArray, Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { DeviceArray } from "./device-array.ts";
import type { Float16View } from "./halves.ts";

/** The host's array for each type of elements: an f16 is a `Float16Array` or its 16 bits, a bf16 its 16 bits, a bool a byte that is 0 or 1. */
export interface HostArrays {
  readonly i8: Int8Array;
  readonly u8: Uint8Array;
  readonly i16: Int16Array;
  readonly u16: Uint16Array;
  readonly bf16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly i64: BigInt64Array;
  readonly u64: BigUint64Array;
  readonly f16: Uint16Array | Float16View;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly bool: Uint8Array;
}

/**
 * The arrays of {@link HostArrays} that runs make: in memory that is not shared, so that `Blob`, `fetch` and `crypto.subtle` take them. Runtimes
 * that are asked for shared memory return it under the same types.
 */
export interface ResultArrays {
  readonly i8: Int8Array<ArrayBuffer>;
  readonly u8: Uint8Array<ArrayBuffer>;
  readonly i16: Int16Array<ArrayBuffer>;
  readonly u16: Uint16Array<ArrayBuffer>;
  readonly bf16: Uint16Array<ArrayBuffer>;
  readonly i32: Int32Array<ArrayBuffer>;
  readonly u32: Uint32Array<ArrayBuffer>;
  readonly i64: BigInt64Array<ArrayBuffer>;
  readonly u64: BigUint64Array<ArrayBuffer>;
  readonly f16: Uint16Array<ArrayBuffer>;
  readonly f32: Float32Array<ArrayBuffer>;
  readonly f64: Float64Array<ArrayBuffer>;
  readonly bool: Uint8Array<ArrayBuffer>;
}

/** The host's value for each element type: of constants, parameters and scalar outputs. */
export interface HostScalars {
  readonly i32: number;
  readonly u32: number;
  readonly i64: bigint;
  readonly u64: bigint;
  readonly f16: number;
  readonly f32: number;
  readonly f64: number;
  readonly bool: boolean;
}

/** Element types by name. */
export type TypesByName = Readonly<Record<string, Scalar>>;
/** Types of the elements of arrays by name. */
export type ArrayTypesByName = Readonly<Record<string, ArrayType>>;

/** A pipeline whose names and element types TypeScript knows, such as the builder's. */
export interface TypedPipeline {
  readonly inputs: ArrayTypesByName;
  readonly params: TypesByName;
  readonly tables: ArrayTypesByName;
  readonly outputs: ArrayTypesByName;
  /** The outputs that a run returns as values, not as arrays of one element. */
  readonly scalars?: TypesByName;
}

/** By name: a host array for each input and table, a value for each parameter. */
export type RunValues = Readonly<Record<string, HostArray | Float16View | ScalarValue>>;
/**
 * By name: n elements, one per work-group, or one, by the uniformity of the value; for a scatter, up to its
 * length.
 */
export type RunOutputs = Record<string, HostArray>;
/** The results for a pipeline whose type is unknown: scalar outputs are values. */
export type RunResults = Record<string, HostArray | ScalarValue>;
/** By name: a device array for each input, table and output, a value for each parameter. */
export type RunArrays = Readonly<Record<string, DeviceArray | ScalarValue>>;

/** The input arrays of a run: `{ text: Uint32Array }`. */
export type InferInputs<P extends Pick<TypedPipeline, "inputs">> = {
  readonly [K in keyof P["inputs"]]: HostArrays[P["inputs"][K]];
};
/** The tables of a run, of any length: `{ offsets: Uint32Array }`. */
export type InferTables<P extends Pick<TypedPipeline, "tables">> = {
  readonly [K in keyof P["tables"]]: HostArrays[P["tables"][K]];
};
/** The parameters of a run: `{ alpha: number }`. */
export type InferParams<P extends Pick<TypedPipeline, "params">> = {
  readonly [K in keyof P["params"]]: HostScalars[P["params"][K]];
};

/** The values of a run by name: arrays of inputs and tables, numbers of parameters; without types, `RunValues`. */
export type InferValues<P> = P extends TypedPipeline
  ? [GivenNames<P>] extends [never]
    ? Readonly<Record<string, never>>
    : string extends GivenNames<P>
      ? RunValues
      : { readonly [K in GivenNames<P>]: K extends keyof P["params"] ? ParamOf<P, K> : HostOf<P, K> }
  : RunValues;

/**
 * The results of a run by name: `{ line: Uint32Array; lines: number }`, where `lines` is a scalar output.
 * Those of a document are `RunOutputs`.
 */
export type InferOutputs<P> = P extends TypedOutputs
  ? string extends keyof P["outputs"]
    ? RunResults
    : { readonly [K in keyof P["outputs"]]: K extends keyof P["scalars"] ? ScalarOf<P, K> : ArrayOf<P, K> }
  : P extends Pipeline
    ? RunOutputs
    : RunResults;

/** The outputs of a run by name, all as arrays: `{ line: Uint32Array; lines: Uint32Array }`. */
export type InferOutputArrays<P> = P extends TypedOutputs
  ? string extends keyof P["outputs"]
    ? RunOutputs
    : { readonly [K in keyof P["outputs"]]: ArrayOf<P, K> }
  : RunOutputs;

/**
 * The arrays and parameters of a step by name; without types, `RunArrays`.
 * Names in `Shared` may be omitted: an input and an output that uses its array are passed under either name.
 */
export type StepArrays<P, Shared extends string = never> = P extends TypedPipeline
  ? string extends keyof P["outputs"]
    ? RunArrays
    : [Shared] extends [never]
      ? { readonly [K in StepNames<P>]: InStep<P, K> }
      : { readonly [K in Exclude<StepNames<P>, Shared>]: InStep<P, K> } & {
          readonly [K in Extract<StepNames<P>, Shared>]?: InStep<P, K>;
        }
  : RunArrays;

/** Outputs that use the array of an input, `{ sums: "values" }`: other names of `A` do not compile. */
export type InPlace<P, A> = A & {
  readonly [K in keyof A]: P extends TypedPipeline
    ? K extends keyof P["outputs"]
      ? keyof P["inputs"] & string
      : never
    : string;
};

/** No output is in place. */
// biome-ignore lint/complexity/noBannedTypes: an index signature would stand for all names
export type NoNames = {};

/** The names of the inputs and outputs that share arrays. */
export type SharedNames<A> = { [K in keyof A]: (K & string) | (A[K] & string) }[keyof A];

type TypedOutputs = Pick<TypedPipeline, "outputs" | "scalars">;
type ScalarOf<P extends TypedOutputs, K extends keyof P["outputs"]> = P["outputs"][K] extends Scalar
  ? HostScalars[P["outputs"][K]]
  : never;
type ArrayOf<P extends TypedOutputs, K extends keyof P["outputs"]> = ResultArrays[P["outputs"][K]];
type ArrayNames<P extends TypedPipeline> = keyof P["inputs"] | keyof P["tables"];
type GivenNames<P extends TypedPipeline> = ArrayNames<P> | keyof P["params"];
type StepNames<P extends TypedPipeline> = GivenNames<P> | keyof P["outputs"];
type ParamOf<P extends TypedPipeline, K extends keyof P["params"]> = HostScalars[P["params"][K]];
/** The element type of an array. */
type TypeOf<P extends TypedPipeline, K> = K extends keyof P["inputs"]
  ? P["inputs"][K]
  : K extends keyof P["tables"]
    ? P["tables"][K]
    : K extends keyof P["outputs"]
      ? P["outputs"][K]
      : never;
type HostOf<P extends TypedPipeline, K> = HostArrays[TypeOf<P, K>];
type InStep<P extends TypedPipeline, K> = K extends keyof P["params"]
  ? ParamOf<P, K>
  : DeviceArray<TypeOf<P, K>>;
