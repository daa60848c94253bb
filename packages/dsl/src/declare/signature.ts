import type { Pipeline } from "@groupwise/core";
import type {
  AnyValue,
  BoolValue,
  NarrowOutput,
  Operands,
  ScalarOutput,
  Scatter,
  Table,
  ValueOf,
  Values,
} from "../values/value.ts";
import type { BitsType, BitTable, BitTableType } from "./bits.ts";
import type { AnyNarrowType, NarrowType } from "./narrow.ts";
import type { AnyScalarType, ParamType, ScalarType, TableType } from "./scalar-type.ts";

/**
 * The inputs of a pipeline: arrays by type, parameters by `param(type)`, arrays of other lengths by
 * `table(type)`.
 */
export type Signature = Readonly<
  Record<string, AnyScalarType | AnyNarrowType | ParamType | TableType | AnyBitsType>
>;
/** A bitmap as an input or as a table: one bit an element. */
export type AnyBitsType = BitsType | BitTableType;

/** The outputs of a pipeline: values, scalar and narrow outputs, and scatters by name. */
export type Outputs = Readonly<Record<string, AnyValue | NarrowOutput | Scatter | ScalarOutput>>;

/** The values of the inputs and parameters inside the builder function. */
export type Handles<I extends Signature> = {
  readonly [K in keyof I]: I[K] extends ScalarType<infer S>
    ? Values[S]
    : I[K] extends NarrowType<infer N>
      ? Values[ValueOf<N>]
      : I[K] extends ParamType<infer S>
        ? Values[S]
        : I[K] extends TableType<infer S>
          ? Table<S>
          : I[K] extends BitsType
            ? BoolValue
            : I[K] extends BitTableType
              ? BitTable
              : never;
};

/**
 * The arguments of a pipeline that is applied inside another one: values for its inputs, values or constants
 * for its parameters, tables of words for its bits.
 */
export type Arguments<I extends Signature> = {
  readonly [K in keyof I]: I[K] extends ScalarType<infer S>
    ? Values[S]
    : I[K] extends NarrowType<infer N>
      ? Values[ValueOf<N>]
      : I[K] extends ParamType<infer S>
        ? Operands[S]
        : I[K] extends TableType<infer S>
          ? Table<S>
          : I[K] extends AnyBitsType
            ? Table<"u32">
            : never;
};

/** Element types of the inputs, by name. */
export type InputTypes<I extends Signature> = {
  readonly [K in keyof I as I[K] extends AnyScalarType | AnyNarrowType ? K : never]: I[K] extends ScalarType<
    infer S
  >
    ? S
    : I[K] extends NarrowType<infer N>
      ? N
      : never;
};
/** Element types of the parameters, by name. */
export type ParamTypes<I extends Signature> = {
  readonly [K in keyof I as I[K] extends ParamType ? K : never]: I[K] extends ParamType<infer S> ? S : never;
};
/** Element types of the tables, by name; bits are tables of u32. */
export type TableTypes<I extends Signature> = {
  readonly [K in keyof I as I[K] extends TableType | AnyBitsType ? K : never]: I[K] extends TableType<infer S>
    ? S
    : "u32";
};
/** Element types of the outputs, by name. */
export type OutputTypes<O extends Outputs> = { readonly [K in keyof O]: O[K]["type"] };
/** Element types of the scalar outputs, by name. */
export type ScalarTypes<O extends Outputs> = {
  readonly [K in keyof O as O[K] extends ScalarOutput ? K : never]: O[K]["type"];
};
/** The results of a pipeline inside another one: its scalar outputs are values there. */
export type Applied<O extends Outputs> = {
  readonly [K in keyof O]: O[K] extends ScalarOutput<infer S> ? Values[S] : O[K];
};

/** The work-items of a work-group, in one number or one per dimension. */
export type WorkGroupSize =
  | number
  | readonly [number]
  | readonly [number, number]
  | readonly [number, number, number];

/** Options of a pipeline. */
export interface PipelineOptions {
  /** Default: 256. Device-wide results do not depend on it. */
  readonly workGroupSize?: WorkGroupSize;
  /** Whether nodes record their source locations, for messages; default `true`. */
  readonly places?: boolean;
  /**
   * Whether conditions that nothing uses are accepted; default `false`: they are true in JavaScript, as in
   * `x.gt(3) ? a : b`, and this cannot be detected.
   */
  readonly unusedConditions?: boolean;
}

/** A pipeline: a document, and a function that applies it to the values of another pipeline. */
export interface PipelineDefinition<I extends Signature = Signature, O extends Outputs = Outputs> {
  /**
   * Applies the pipeline to values of the one under construction: its nodes become the caller's, and the
   * caller's work-group size applies. A uniform value becomes a value for each item if an input needs one.
   * @throws GroupwiseError `missing-input`, `unknown-input`, `type-mismatch`, `not-uniform`, `foreign-value`
   */
  (values: Arguments<I>): Applied<O>;
  readonly name: string;
  /** The checked document. */
  readonly ir: Pipeline;
  /** Element types of the inputs, by name. */
  readonly inputs: InputTypes<I>;
  /** Element types of the parameters, by name. */
  readonly params: ParamTypes<I>;
  /** Element types of the tables, by name. */
  readonly tables: TableTypes<I>;
  /** Element types of the outputs, by name. */
  readonly outputs: OutputTypes<O>;
  /** Element types of the scalar outputs, by name. */
  readonly scalars: ScalarTypes<O>;
  /** The document, for `JSON.stringify`. */
  toJSON(): Pipeline;
}

export type {
  HostArrays,
  InferInputs,
  InferOutputs,
  InferParams,
  InferTables,
  InferValues,
} from "@groupwise/core";
