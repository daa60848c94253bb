/** Records of values: objects and fixed lists of element types, nested, and their fields one after the other. */

import type { Scalar } from "@groupwise/core";
import { ANY, errorOf, OBJECT, OPERATOR_LIMITS, requireArguments, whole } from "@groupwise/core/target";
import type { AnyValue, Hosts, Operands, ScalarOutput, Scatter, Values } from "../values/value.ts";
import { DeclaredExpr, ScatterExpr } from "./expr.ts";
import { ScalarExpr } from "./outputs.ts";
import { type AnyScalarType, typeOf } from "./scalar-type.ts";

/** The type of a record: an element type, a list of such types, or an object of such types. */
export type RecordType = AnyScalarType | readonly RecordType[] | { readonly [name: string]: RecordType };

/** The type itself if it is a record's type; otherwise a description of the mistake. */
export type RecordTypeOf<R> = R extends AnyScalarType
  ? R
  : R extends (...args: never[]) => unknown
    ? never
    : R extends object
      ? { readonly [K in keyof R]: RecordTypeOf<R[K]> }
      : never;

/** The values of a record. */
export type RecordOf<R> = R extends { readonly type: infer S extends Scalar }
  ? Values[S]
  : { readonly [K in keyof R]: RecordOf<R[K]> };
/** Operands for the values of a record, including constants. */
export type RecordOperand<R> = R extends { readonly type: infer S extends Scalar }
  ? Operands[S]
  : { readonly [K in keyof R]: RecordOperand<R[K]> };
/** The constants of a record, in JavaScript's notation. */
export type RecordHost<R> = R extends { readonly type: infer S extends Scalar }
  ? Hosts[S]
  : { readonly [K in keyof R]: RecordHost<R[K]> };

/** The result of a function of records: lists without their length, which the compiler does not infer. */
export type RecordResult<R> = R extends { readonly type: infer S extends Scalar }
  ? Operands[S]
  : R extends readonly unknown[]
    ? readonly RecordResult<R[number]>[]
    : { readonly [K in keyof R]: RecordResult<R[K]> };

/** A list of N elements of one type. */
export type ArrayOf<R, N extends number, L extends readonly R[] = readonly []> = L["length"] extends N
  ? L
  : number extends N
    ? readonly R[]
    : ArrayOf<R, N, readonly [...L, R]>;

/**
 * The type of a list of `length` elements: `arrayOf(f32, 4)`.
 * @example
 * ```ts
 * import { arrayOf, f32, fields, operator, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const pairs = operator("pairs", arrayOf(f32, 2), {
 *   combine: ([a, b], [c, d]) => [a.add(c), b.add(d)],
 *   identity: [0, 0],
 * });
 * const example = pipeline("example", { x: f32 }, ({ x }) => fields("sum", pairs.reduce([x, x.mul(x)])));
 * const program = await jsRuntime().compile(example);
 * const { sum_0, sum_1 } = await program.run({ x: Float32Array.of(1, 2, 3) });
 * console.log(sum_0); // [6]
 * console.log(sum_1); // [14]
 * ```
 */
export function arrayOf<R extends RecordType, N extends number>(type: R, length: N): ArrayOf<R, N> {
  requireArguments(arguments, "arrayOf", { type: ANY, length: whole(0, OPERATOR_LIMITS.nodes) });
  return Object.freeze(Array.from({ length }, () => type)) as unknown as ArrayOf<R, N>;
}

/** One scalar of a record. */
export interface Leaf {
  /** Its name in documents, from its path: `m.a`, `v_2`. */
  readonly name: string;
  readonly type: Scalar;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The names of a record's members, each with the separator that precedes it in names of documents. */
const keysOf = (record: object): [key: string, name: (path: string) => string][] =>
  Array.isArray(record)
    ? record.map((_, i) => [`${i}`, (path) => `${path || "item"}_${i}`])
    : Object.keys(record).map((key) => [key, (path) => (path ? `${path}.${key}` : key)]);

/** The scalars of a record's type, in order. */
export function leavesOf(record: unknown, at: string | undefined, path: string = ""): Leaf[] {
  if (!isObject(record)) return [{ name: path || "value", type: typeOf(record, at) }];
  return keysOf(record).flatMap(([key, name]) => leavesOf(record[key], at, name(path)));
}

/**
 * The operands for the scalars of a record, in order.
 * @throws GroupwiseError `bad-usage` if the value has another shape
 */
export function flatten(record: unknown, value: unknown, what: string, at: string | undefined): unknown[] {
  const walk = (type: unknown, part: unknown, path: string): unknown[] => {
    if (!isObject(type)) return [part];
    const known = keysOf(type);
    const named = path || "the record";
    if (!isObject(part) || part instanceof DeclaredExpr || Array.isArray(part) !== Array.isArray(type)) {
      const want = Array.isArray(type) ? `a list of ${type.length}` : "an object";
      throw errorOf("bad-usage", { reason: `${what}: ${named} is not ${want}`, hint: `pass ${want}` }, at);
    }
    const names = known.map(([key]) => key);
    const strange = Object.keys(part).find((key) => !names.includes(key));
    const missing = names.find((key) => !Object.hasOwn(part, key));
    if (strange !== undefined || missing !== undefined) {
      const reason =
        missing === undefined
          ? `${what}: ${named} has no field ${JSON.stringify(strange)}`
          : `${what}: ${named} lacks the field ${JSON.stringify(missing)}`;
      throw errorOf("bad-usage", { reason, hint: `its fields are ${names.join(", ")}` }, at);
    }
    return known.flatMap(([key, name]) => walk(type[key], part[key], name(path)));
  };
  return walk(record, value, "");
}

/** Scalars, in order, as a record. */
export function unflatten<T>(record: unknown, scalars: readonly T[]): unknown {
  let next = 0;
  const walk = (type: unknown): unknown => {
    if (!isObject(type)) return scalars[next++];
    if (Array.isArray(type)) return Object.freeze(type.map(walk));
    return Object.freeze(Object.fromEntries(Object.entries(type).map(([key, part]) => [key, walk(part)])));
  };
  return walk(record);
}

type Leaves<P extends string, V> = V extends AnyValue | Scatter | ScalarOutput
  ? readonly [P, V]
  : V extends readonly unknown[]
    ? { [K in keyof V]: Leaves<`${P}_${K & string}`, V[K]> }[number]
    : { [K in keyof V & string]: Leaves<`${P}_${K}`, V[K]> }[keyof V & string];
type Named<L> = {
  readonly [E in L as E extends readonly [infer P extends string, unknown] ? P : never]: E extends readonly [
    string,
    infer V,
  ]
    ? V
    : never;
};

const isOne = (part: unknown): boolean =>
  part instanceof DeclaredExpr || part instanceof ScalarExpr || part instanceof ScatterExpr;

/** The fields of records as outputs. */
export type OutputsOf<T> = Named<{ [K in keyof T & string]: Leaves<K, T[K]> }[keyof T & string]>;

/**
 * Records as outputs of a pipeline, one output for each field: `outputs({ best })` declares `best_value` and `best_index`.
 * Other values keep their names.
 * @example
 * ```ts
 * import { argmax, f32, outputs, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }, { index }) => outputs({ best: argmax(f32).reduce({ value: x, index: index() }) }));
 * const program = await jsRuntime().compile(example);
 * const { best_value, best_index } = await program.run({ x: Float32Array.of(1, 5, 2) });
 * console.log(best_value); // [5]
 * console.log(best_index); // [1]
 * ```
 */
export function outputs<T extends object>(records: T): OutputsOf<T> {
  requireArguments(arguments, "outputs", { records: OBJECT });
  const walk = (name: string, part: unknown): [string, unknown][] =>
    isOne(part) || !isObject(part)
      ? [[name, part]]
      : Object.entries(part as object).flatMap(([key, inner]) => walk(`${name}_${key}`, inner));
  const all = Object.entries(records).flatMap(([name, part]) => walk(name, part));
  return Object.fromEntries(all) as OutputsOf<T>;
}

/**
 * The fields of one record as outputs: `...fields("best", best)`.
 * @example
 * ```ts
 * import { argmax, f32, fields, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }, { index }) => fields("best", argmax(f32).reduce({ value: x, index: index() })));
 * const program = await jsRuntime().compile(example);
 * const { best_value, best_index } = await program.run({ x: Float32Array.of(1, 5, 2) });
 * console.log(best_value); // [5]
 * console.log(best_index); // [1]
 * ```
 */
export function fields<const P extends string, T>(name: P, record: T): OutputsOf<{ readonly [K in P]: T }> {
  requireArguments(arguments, "fields", ["name", "record"]);
  return outputs({ [name]: record } as { readonly [K in P]: T });
}
