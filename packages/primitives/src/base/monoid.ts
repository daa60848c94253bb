/** One interface for built-in and user-defined operators, with the arrays of their records by name. */

import { OP_NAMES, type Op, type Scalar } from "@groupwise/core";
import {
  errorOf,
  OPS,
  type OpFor,
  opExists,
  requireArgument,
  requireArguments,
  requireType,
} from "@groupwise/core/target";
import {
  type CombineOptions,
  constant,
  type OperatorDefinition,
  type OutputsOf,
  outputs,
  type RecordOf,
  type RecordType,
  type ScalarType,
  type Scatter,
  type U32Value,
} from "@groupwise/dsl";
import { FORM, OPERATOR } from "./arguments.ts";
import type { TypeOf } from "./stand-in.ts";

/** A record's scalars as arrays: `x` for a scalar, `x_a` and `x_b` for a record of `a` and `b`. */
export type Columns<P extends string, R> = OutputsOf<{ readonly [K in P]: RecordOf<R> }>;
/** Their types, for pipelines. */
export type ColumnTypes<P extends string, R> = {
  readonly [K in keyof Columns<P, R>]: Columns<P, R>[K] extends { readonly type: infer S extends Scalar }
    ? TypeOf<S>
    : never;
};
/** Their types, for primitives of several steps. */
export type ColumnScalars<P extends string, R> = {
  readonly [K in keyof Columns<P, R>]: Columns<P, R>[K] extends { readonly type: infer S extends Scalar }
    ? S
    : never;
};
/** Outputs that items write at computed slots. */
export type ColumnScatters<P extends string, R> = {
  readonly [K in keyof Columns<P, R>]: Columns<P, R>[K] extends { readonly type: infer S extends Scalar }
    ? Scatter<S>
    : never;
};

/** An operator with any record: values are untyped here. */
export interface RecordMonoid {
  readonly name: string;
  /** Element type of each array of the record, by name. */
  types(prefix: string): Readonly<Record<string, ScalarType<"u32">>>;
  /** The same as their names. */
  scalars(prefix: string): Readonly<Record<string, "u32">>;
  /** The arrays' values as a record. */
  record(prefix: string, columns: Readonly<Record<string, unknown>>): unknown;
  /** The values of a record by the arrays' names. */
  columns(prefix: string, record: unknown): Readonly<Record<string, U32Value>>;
  readonly identity: unknown;
  /** Any bracketing gives the same bits. */
  readonly isExact: boolean;
  reduce(record: unknown, options?: CombineOptions): unknown;
  scanInclusive(record: unknown, options?: CombineOptions): unknown;
  scanExclusive(record: unknown, options?: CombineOptions): unknown;
}

/** The arguments of users: a user-defined operator, or a built-in one and its type. */
export type Given = string | OperatorDefinition<never>;

/** Whether the scan includes the item itself. */
export type ScanForm = "inclusive" | "exclusive";

/**
 * @param what the primitive, for errors
 * @param type of a built-in operator
 * @throws GroupwiseError `bad-argument`, `unknown-op`, `op-type`, as `requireType`
 */
export function monoidOf(what: string, op: unknown, type: unknown): RecordMonoid {
  requireArgument(op, OPERATOR, `the operator of ${what}`);
  if (typeof op !== "string") return authored(op as OperatorDefinition);
  if (!OP_NAMES.includes(op as Op)) throw errorOf("unknown-op", { op, known: OP_NAMES }, what);
  requireType(what, type);
  const own = type as ScalarType<"u32">;
  const known = OP_NAMES.filter((one) => opExists(one, own.type));
  if (!known.includes(op as Op)) throw errorOf("op-type", { op, type: own.type, known }, what);
  return builtin(op, own);
}

/** The names of the parameters of a monoid, and of what follows it. */
export const monoidNames = (op: unknown, ...more: readonly string[]): readonly string[] => [
  ...(typeof op === "string" ? ["operator", "type"] : ["operator"]),
  ...more,
];

/** The last argument of a scan. @param rest the arguments after the operator @throws GroupwiseError `bad-argument` */
export function formOf(what: string, op: unknown, rest: readonly unknown[]): ScanForm {
  requireArguments([op, ...rest], what, monoidNames(op, "form"));
  const form = (typeof op === "string" ? rest[1] : rest[0]) ?? "inclusive";
  requireArgument(form, FORM, `the form of ${what}`);
  return form as ScanForm;
}

type Scan = "reduce" | "scanInclusive" | "scanExclusive";

function builtin(op: string, type: ScalarType<"u32">): RecordMonoid {
  const call =
    (form: Scan) =>
    (value: unknown, options?: CombineOptions): unknown =>
      (value as U32Value)[form](op as OpFor<"u32">, options as object);
  return {
    name: `${op}-${type.type}`,
    ...shape(type),
    isExact: OPS[op as OpFor<"u32">].exactlyAssociative(type.type),
    identity: constant(type, OPS[op as OpFor<"u32">].identity(type.type) as number),
    reduce: call("reduce"),
    scanInclusive: call("scanInclusive"),
    scanExclusive: call("scanExclusive"),
  };
}

function authored(operator: OperatorDefinition): RecordMonoid {
  return { ...operator, ...shape(operator.record as RecordType), isExact: false } as unknown as RecordMonoid;
}

const isScalarType = (type: RecordType): type is ScalarType<"u32"> => typeof type === "function";

/** The arrays of a record, by name, and the conversions between their values and the record. */
function shape(record: RecordType): Pick<RecordMonoid, "types" | "scalars" | "record" | "columns"> {
  const leaves = (type: RecordType, name: string): [string, ScalarType<"u32">][] =>
    isScalarType(type)
      ? [[name, type]]
      : Object.entries(type).flatMap(([key, part]) => leaves(part as RecordType, `${name}_${key}`));
  const build = (type: RecordType, name: string, columns: Readonly<Record<string, unknown>>): unknown => {
    if (isScalarType(type)) return columns[name];
    const parts = Object.entries(type).map(
      ([key, part]) => [key, build(part as RecordType, `${name}_${key}`, columns)] as const,
    );
    return Array.isArray(type) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  };
  return {
    types: (prefix) => Object.fromEntries(leaves(record, prefix)),
    scalars: (prefix) => Object.fromEntries(leaves(record, prefix).map(([key, { type }]) => [key, type])),
    record: (prefix, columns) => build(record, prefix, columns),
    columns: (prefix, values) => outputs({ [prefix]: values }) as Readonly<Record<string, U32Value>>,
  };
}
