import { type ArrayType, type Narrow, SCALAR_NAMES, type Scalar } from "@groupwise/core";
import { BOOLEAN, errorOf, isNarrow, isScalar, requireArguments } from "@groupwise/core/target";
import { optionsOf } from "../base/choice.ts";
import { callerOf } from "../base/place.ts";
import type { AnyValue, BoolValue, HostOf, Hosts, ScalarOutput, Values } from "../values/value.ts";
import { BIT_TABLE, type BitsType, type BitTableType, bits } from "./bits.ts";
import { asValue, constantOf, DeclaredExpr, selectOf } from "./expr.ts";
import type { AnyNarrowType, NarrowType } from "./narrow.ts";
import { ScalarExpr } from "./outputs.ts";
// Every declaration needs types, so every bundle that has one has the methods.
import "./methods.ts";

/** An element type: names the type of an input, and makes constants, `u32(5)`. */
export interface ScalarType<S extends Scalar> {
  /** A constant of the type; a float is rounded to it. */
  (value: Hosts[S]): Values[S];
  readonly type: S;
}

/** One of the element types. */
export type AnyScalarType = { [S in Scalar]: ScalarType<S> }[Scalar];

/** The type of a scalar parameter; see {@link param}. */
export interface ParamType<S extends Scalar = Scalar> {
  readonly param: S;
  readonly divides?: true;
}

/** Options of a parameter. */
export interface ParamOptions {
  /**
   * True, for a u32: every run refuses a value that is 0 or does not divide the number of items (`bad-divisor`); where that number is a count on the
   * device, the error belongs to the arrays of the step, as other errors of submitted work do. A chunk of a stepper or a stream may have any number of items: each
   * step refuses 0, and a stream a remainder at its end.
   */
  readonly divides?: boolean;
}

/** The type of a table; see {@link table}. */
export interface TableType<S extends ArrayType = ArrayType> {
  readonly table: S;
}

function scalarType<S extends Scalar>(type: S): ScalarType<S> {
  function make(value: Hosts[S]): Values[S] {
    requireArguments(arguments, type, ["value"]);
    return asValue(constantOf(type, value, callerOf(make)));
  }
  return Object.freeze(Object.assign(make, { type }));
}

/** Signed 32-bit integers. */
export const i32: ScalarType<"i32"> = /*@__PURE__*/ scalarType("i32");
/** Unsigned 32-bit integers. */
export const u32: ScalarType<"u32"> = /*@__PURE__*/ scalarType("u32");
/** Signed 64-bit integers; constants are bigint. */
export const i64: ScalarType<"i64"> = /*@__PURE__*/ scalarType("i64");
/** Unsigned 64-bit integers; constants are bigint. */
export const u64: ScalarType<"u64"> = /*@__PURE__*/ scalarType("u64");
/** Half-precision floats (IEEE 754 binary16). */
export const f16: ScalarType<"f16"> = /*@__PURE__*/ scalarType("f16");
/** Single-precision floats (IEEE 754 binary32). */
export const f32: ScalarType<"f32"> = /*@__PURE__*/ scalarType("f32");
/** Double-precision floats (IEEE 754 binary64). */
export const f64: ScalarType<"f64"> = /*@__PURE__*/ scalarType("f64");
/** Truth values. */
export const bool: ScalarType<"bool"> = /*@__PURE__*/ scalarType("bool");

/**
 * A constant: `constant(u32, 5)` is `u32(5)`.
 * @example
 * ```ts
 * import { constant, f32, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => ({ y: constant(f32, 0.5).add(x) }));
 * const program = await jsRuntime().compile(example);
 * const { y } = await program.run({ x: Float32Array.of(1, 2) });
 * console.log(y); // [1.5, 2.5]
 * ```
 */
export function constant<S extends Scalar>(type: ScalarType<S>, value: Hosts[S]): Values[S] {
  requireArguments(arguments, "constant", ["type", "value"]);
  return asValue(constantOf(typeOf(type, callerOf(constant)), value, callerOf(constant)));
}

/**
 * A scalar that is given with each run and is the same for every item: `{ alpha: param(f32) }`; the number of items of a row: `{ width:
 * param(u32, { divides: true }) }`.
 * @example
 * ```ts
 * import { f32, param, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32, limit: param(f32) }, ({ x, limit }) => ({ kept: x.min(limit) }));
 * const program = await jsRuntime().compile(example);
 * const { kept } = await program.run({ x: Float32Array.of(1, 5), limit: 3 });
 * console.log(kept); // [1, 3]
 * ```
 */
export function param<S extends Scalar>(type: ScalarType<S>, options?: ParamOptions): ParamType<S> {
  const at = callerOf(param);
  const { divides } = optionsOf(options, { divides: BOOLEAN }, at);
  return Object.freeze({ param: typeOf(type, at) as S, ...(divides && { divides }) });
}

/**
 * An output of one value, which a run returns as a number, bigint or boolean by its type; without it, as an
 * array of one element: `{ total: scalar(x.reduce("add")) }`. A document and a device array have the element.
 * @throws GroupwiseError `not-uniform`, `bad-usage` if it is not a value
 * @example
 * ```ts
 * import { f32, pipeline, scalar } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => ({ total: scalar(x.reduce("add")) }));
 * const program = await jsRuntime().compile(example);
 * const { total } = await program.run({ x: Float32Array.of(1, 2) });
 * console.log(total); // 3
 * ```
 */
export function scalar<S extends Scalar>(value: Values[S] & { readonly type: S }): ScalarOutput<S> {
  requireArguments(arguments, "scalar", ["value"]);
  const at = callerOf(scalar);
  const expr: unknown = value;
  if (!(expr instanceof DeclaredExpr)) {
    const hint = 'pass a value that is the same for every item, for example x.reduce("add")';
    throw errorOf("bad-usage", { reason: "a scalar output is not a value of a pipeline", hint }, at);
  }
  const { uniformity } = expr;
  if (uniformity === "uniform") return new ScalarExpr(expr) as ScalarOutput<Scalar> as ScalarOutput<S>;
  throw errorOf("not-uniform", { what: "a scalar output", uniformity, want: "one value for all" }, at);
}

/**
 * An array with a length of its own, which items read at any index: `{ offsets: table(u32) }`.
 * @example
 * ```ts
 * import { f32, pipeline, table, u32 } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { code: u32, palette: table(f32) }, ({ code, palette }) => ({ colour: palette.at(code) }));
 * const program = await jsRuntime().compile(example);
 * const { colour } = await program.run({ code: Uint32Array.of(1, 0), palette: Float32Array.of(0.5, 2) });
 * console.log(colour); // [2, 0.5]
 * ```
 */
export function table<S extends Scalar>(type: ScalarType<S>): TableType<S>;
export function table<N extends Narrow>(type: NarrowType<N>): TableType<N>;
export function table(type: BitsType): BitTableType;
export function table(type: unknown): TableType | BitTableType {
  requireArguments(arguments, "table", ["type"]);
  if (type === bits) return BIT_TABLE;
  return Object.freeze({ table: arrayTypeOf(type, callerOf(table)) });
}

/**
 * `then` if the condition is true, `otherwise` if not; both are computed.
 * @example
 * ```ts
 * import { f32, pipeline, select } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => ({ positive: select(x.lt(0), 0, x) }));
 * const program = await jsRuntime().compile(example);
 * const { positive } = await program.run({ x: Float32Array.of(-1, 2) });
 * console.log(positive); // [0, 2]
 * ```
 */
export function select<V extends AnyValue>(
  condition: BoolValue,
  then: V,
  otherwise: NoInfer<V> | HostOf<V>,
): V;
export function select<V extends AnyValue>(condition: BoolValue, then: HostOf<V>, otherwise: V): V;
export function select(condition: BoolValue, then: unknown, otherwise: unknown): AnyValue {
  requireArguments(arguments, "select", ["condition", "then", "otherwise"]);
  return asValue(selectOf(condition, then, otherwise, callerOf(select)));
}

/** The type of array elements of a descriptor. */
export function arrayTypeOf(descriptor: unknown, at: string | undefined): ArrayType {
  const type = (descriptor as Partial<AnyNarrowType> | undefined)?.type;
  if (typeof descriptor === "function" && isNarrow(type)) return type;
  return typeOf(descriptor, at);
}

/** The element type of a descriptor. */
export function typeOf(descriptor: unknown, at: string | undefined): Scalar {
  const type = (descriptor as Partial<AnyScalarType> | undefined)?.type;
  if (typeof descriptor === "function" && isScalar(type)) return type;
  throw errorOf("unknown-type", { type: type ?? descriptor, known: SCALAR_NAMES }, at);
}
