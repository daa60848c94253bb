/** Scans and reductions of the rows along one axis. */

import type { DeviceArray, PipelineSource, Scalar } from "@groupwise/core";
import { type OpFor, requireArguments, requireType } from "@groupwise/core/target";
import {
  argmax,
  argmin,
  type Indexed,
  type OperatorDefinition,
  param,
  pipeline,
  type ScalarType,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { itemAt, pitchOf, placeOf } from "@groupwise/dsl/rows";
import { requireElements } from "./base/arguments.ts";
import { AXIS, type AxisNumbers, lanesOf, shapeOf, shapeOfItems } from "./base/axis.ts";
import {
  type ColumnScalars,
  formOf,
  monoidNames,
  monoidOf,
  type RecordMonoid,
  type ScanForm,
} from "./base/monoid.ts";
import { type Primitive, primitive } from "./base/primitive.ts";
import { standIn } from "./base/stand-in.ts";
import type { NumericScalar } from "./spmv.ts";

export { type AxisNumbers, along } from "./base/axis.ts";

/** See {@link axisScan}. */
export type AxisScan<R> = Primitive<ColumnScalars<"x", R>, ColumnScalars<"sums", R>, AxisNumbers>;
/** See {@link axisReduce}. */
export type AxisReduce<R> = Primitive<ColumnScalars<"x", R>, ColumnScalars<"results", R>, AxisNumbers>;
/** See {@link axisArgmax}. */
export type AxisExtreme<S extends NumericScalar> = Primitive<
  { readonly x: S },
  ColumnScalars<"results", Indexed<S>>,
  AxisNumbers
>;

/**
 * The scan of each row along an axis, with a user-defined operator or a built-in one and its type.
 *
 * `x`: n items of shape `[outer, length, inner]`, which `along(shape, axis)` gives; for records one array for each scalar,
 * `x_index`. `sums`: n, in the same shape; each row has the bits of a scan over that row alone, floats included. Over no items: none.
 * One step. Rows of neighbours of at most 256 items, and at least 64 rows of at most 16,384, are work-groups. Others take a segmented scan: where
 * floats or records do not fit together, rows begin at multiples of the next power of two, and the range has up to 2 n lanes, of which n read and
 * write. Rows along an axis with `inner` above 1 are read in strides.
 * @throws GroupwiseError `bad-divisor` if rows do not divide the items, `bad-usage` if the shape has another number of items or the
 * number of items is on the device, `too-many-items`
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { along, axisScan } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { sums } = await axisScan("add", f32).runOn(jsRuntime(), { x: Float32Array.of(1, 2, 3, 4, 5, 6) }, along([2, 3], 1));
 * console.log(sums); // [1, 3, 6, 4, 9, 15]
 * ```
 */
export function axisScan<S extends Scalar>(
  op: OpFor<S>,
  type: ScalarType<S>,
  form?: ScanForm,
): AxisScan<ScalarType<S>>;
export function axisScan<R>(operator: OperatorDefinition<R>, form?: ScanForm): AxisScan<R>;
export function axisScan(op: unknown, ...rest: readonly unknown[]): unknown {
  const monoid = monoidOf("axisScan", op, rest[0]);
  const form = formOf("axisScan", op, rest);
  return alongAxis({ name: `axis-${form}-scan-${monoid.name}`, form, ...recordsOf(monoid) });
}

/**
 * The items of each row along an axis combined, with a user-defined operator or a built-in one and its type. The operator need not
 * commute.
 *
 * `x`: n items, as in {@link axisScan}. `results`: outer · inner, the shape without its axis; each has the bits of a reduction of
 * that row alone, floats included. The result of a row without items is the identity. One step, as {@link axisScan}.
 * @throws GroupwiseError as {@link axisScan}
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { along, axisReduce } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { results } = await axisReduce("add", f32).runOn(jsRuntime(), { x: Float32Array.of(1, 2, 3, 4, 5, 6) }, along([2, 3], 0));
 * console.log(results); // [5, 7, 9]
 * ```
 */
export function axisReduce<S extends Scalar>(op: OpFor<S>, type: ScalarType<S>): AxisReduce<ScalarType<S>>;
export function axisReduce<R>(operator: OperatorDefinition<R>): AxisReduce<R>;
export function axisReduce(op: unknown, type?: unknown): unknown {
  requireArguments(arguments, "axisReduce", monoidNames(op));
  const monoid = monoidOf("axisReduce", op, type);
  return alongAxis({ name: `axis-reduce-${monoid.name}`, form: "reduce", ...recordsOf(monoid) });
}

/**
 * The greatest item of each row along an axis, and its place in the row: the lowest place of equal ones, and a NaN before any number.
 *
 * `x`: n items, as in {@link axisScan}. `results_value`, `results_index`: outer · inner. Of a row without items: what `argmax` gives
 * over no items. One step.
 * @throws GroupwiseError as {@link axisScan}
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { along, axisArgmax } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { results_value, results_index } = await axisArgmax(f32).runOn(jsRuntime(), { x: Float32Array.of(1, 5, 2, 9, 4, 9) }, along([2, 3], 1));
 * console.log(results_value); // [5, 9]
 * console.log(results_index); // [1, 0]
 * ```
 */
export function axisArgmax<S extends NumericScalar>(type: ScalarType<S>): AxisExtreme<S> {
  requireArguments(arguments, "axisArgmax", ["type"]);
  requireType("axisArgmax", type, (one) => one !== "bool");
  return extremes("argmax", type, argmax(type));
}

/**
 * The least item of each row along an axis, and its place in the row, as {@link axisArgmax}.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { along, axisArgmin } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { results_value, results_index } = await axisArgmin(f32).runOn(jsRuntime(), { x: Float32Array.of(1, 5, 2, 9, 4, 9) }, along([2, 3], 1));
 * console.log(results_value); // [1, 4]
 * console.log(results_index); // [0, 1]
 * ```
 */
export function axisArgmin<S extends NumericScalar>(type: ScalarType<S>): AxisExtreme<S> {
  requireArguments(arguments, "axisArgmin", ["type"]);
  requireType("axisArgmin", type, (one) => one !== "bool");
  return extremes("argmin", type, argmin(type));
}

function extremes<S extends NumericScalar>(
  name: string,
  type: ScalarType<S>,
  operator: unknown,
): AxisExtreme<S> {
  const monoid = monoidOf(name, operator, undefined);
  return alongAxis({
    name: `axis-${name}-${type.type}`,
    form: "reduce",
    monoid: { ...monoid, isExact: true },
    inputs: { x: standIn(type) },
    recordOf: ({ x }, index) => ({ value: x, index }),
  }) as AxisExtreme<S>;
}

type Values = Readonly<Record<string, U32Value>>;
type Arrays = Readonly<Record<string, DeviceArray>>;

/** What is combined along an axis. */
interface Combined {
  readonly name: string;
  readonly form: ScanForm | "reduce";
  readonly monoid: RecordMonoid;
  readonly inputs: Readonly<Record<string, ScalarType<"u32">>>;
  /** The record of an item. */
  recordOf(values: Values, column: U32Value): unknown;
}

const recordsOf = (monoid: RecordMonoid): Pick<Combined, "monoid" | "inputs" | "recordOf"> => ({
  monoid,
  inputs: monoid.types("x"),
  recordOf: (values) => monoid.record("x", values),
});

function alongAxis(what: Combined): unknown {
  const { name, form, monoid, inputs } = what;
  const prefix = form === "reduce" ? "results" : "sums";
  const outputs = monoid.scalars(prefix);
  const countOf = ({ rows }: { readonly rows: number }, n: number): number => (form === "reduce" ? rows : n);
  return primitive(name, {
    inputs: Object.fromEntries(Object.entries(inputs).map(([key, { type }]) => [key, type])),
    outputs,
    pipelines: {
      short: byGroups(what, SHORT),
      long: byGroups(what, LONG),
      together: together(what),
      apart: apart(what, false),
      strided: apart(what, true),
      identity: identities(what),
    },
    numbers: AXIS,
    lengths: (sizes, numbers: AxisNumbers) => {
      const n = Object.values(sizes)[0] as number;
      const count = countOf(shapeOf(name, n, numbers), n);
      return Object.fromEntries(Object.keys(outputs).map((key) => [key, count]));
    },
    steps: (steps, arrays, items, numbers) => {
      const shape = shapeOfItems(name, items, numbers);
      const { rows, length, inner } = shape;
      for (const key of Object.keys(inputs))
        requireElements(key, (arrays as Arrays)[key] as DeviceArray, items.n, name);
      const made = Object.fromEntries(
        Object.keys(outputs).map((key) => [key, (arrays as Arrays)[key]]),
      ) as Arrays;
      if (items.n === 0) {
        if (form === "reduce" && rows > 0) steps.run("identity", made, { n: rows });
        return;
      }
      const pitch = pitchOf(length);
      const isTight = monoid.isExact || rows === 1 || length === 2 ** pitch;
      const all = arrays as Readonly<Record<string, DeviceArray<"u32">>>;
      if (inner === 1 && length <= SHORT) steps.run("short", all, { globalSize: [length, rows] });
      else if (inner === 1 && length <= LONG && rows >= MANY)
        steps.run("long", all, { globalSize: [length, rows] });
      else if (inner === 1 && isTight) steps.run("together", { ...all, length }, { n: items.n });
      else {
        const given = { length, pitch, count: countOf(shape, items.n), ...(inner > 1 && { inner }) };
        const lanes = { n: lanesOf(name, shape, pitch) };
        steps.run(inner > 1 ? "strided" : "apart", { ...all, ...given }, lanes);
      }
    },
  });
}

const scanned = ({ form, monoid, recordOf }: Combined, values: Values, column: U32Value): Values => {
  const scan = form === "exclusive" ? monoid.scanExclusive : monoid.scanInclusive;
  const sums = scan(recordOf(values, column), { segments: column.eq(0) });
  return monoid.columns(form === "reduce" ? "results" : "sums", sums);
};

const each = <T>(values: Values, make: (value: U32Value) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, make(value)]));

/** Items of a row that work-groups of a device take at once, and of one that they take one part after the other. */
const [SHORT, LONG] = [256, 2 ** 14];
/** Rows that keep a device busy if each has one work-group. */
const MANY = 64;

/** Each row is a work-group. */
function byGroups(what: Combined, length: number): PipelineSource {
  const { form, monoid, inputs } = what;
  const combine = { inclusive: monoid.scanInclusive, exclusive: monoid.scanExclusive, reduce: monoid.reduce }[
    form
  ];
  return pipeline(
    `${what.name}-rows-of-${length}`,
    inputs,
    (values, { localId }) => {
      const combined = combine(what.recordOf(values as Values, localId(0)), { scope: "work-group" });
      return monoid.columns(form === "reduce" ? "results" : "sums", combined);
    },
    { workGroupSize: [length, 1] },
  );
}

/** Rows without gaps: the items are the range. */
function together(what: Combined): PipelineSource {
  const inputs = { ...what.inputs, length: param(u32, { divides: true }) };
  return pipeline(what.name, inputs, ({ length, ...values }, { index, size }) => {
    const column = index().rem(length as U32Value);
    const sums = scanned(what, values as Values, column);
    if (what.form !== "reduce") return sums;
    const [to, where] = [index().div(length as U32Value), column.eq((length as U32Value).sub(1))];
    return each(sums, (sum) => sum.scatter({ to, where, capacity: size().div(length as U32Value) }));
  });
}

/** Rows from multiples of 2^`pitch` on, of which the first `length` lanes are items, neighbours or `inner` apart. */
function apart(what: Combined, isStrided: boolean): PipelineSource {
  const tables = Object.entries(what.inputs).map(([key, type]) => [key, table(type)] as const);
  const numbers = { length: param(u32), pitch: param(u32), count: param(u32) };
  const inputs = { ...Object.fromEntries(tables), ...numbers, ...(isStrided && { inner: param(u32) }) };
  return pipeline(`${what.name}-${isStrided ? "strided" : "apart"}`, inputs, (given, { index }) => {
    const { length, pitch, count, inner, ...arrays } = given as unknown as Record<
      keyof typeof numbers,
      U32Value
    > & { readonly inner?: U32Value };
    const { row, column } = placeOf(index(), pitch);
    const place = itemAt(row, column.min(length.sub(1)), { length, inner });
    const values = each(arrays as Values, (array) => array.at(place));
    const isReduce = what.form === "reduce";
    const to = isReduce ? row : place;
    const where = isReduce ? column.eq(length.sub(1)) : column.lt(length);
    return each(scanned(what, values, column), (sum) => sum.scatter({ to, where, capacity: count }));
  });
}

/** Rows without items. */
const identities = ({ name, form, monoid }: Combined): PipelineSource =>
  pipeline(`${name}-identity`, {}, () =>
    each(monoid.columns(form === "reduce" ? "results" : "sums", monoid.identity), (value) => value.perItem()),
  );
