/** Arrays of two dimensions, row after row in one range of width · height items. */

import type { Scalar } from "@groupwise/core";
import { type OpFor, requireArguments, requireType } from "@groupwise/core/target";
import {
  type OperatorDefinition,
  type ParamType,
  type PipelineDefinition,
  param,
  pipeline,
  type ScalarType,
  type U32Value,
  u32,
  type Values,
} from "@groupwise/dsl";
import { requireNumeric } from "./base/arguments.ts";
import {
  type Columns,
  type ColumnTypes,
  formOf,
  monoidOf,
  type RecordMonoid,
  type ScanForm,
} from "./base/monoid.ts";
import { ofTrueType, standIn, type TypeOf } from "./base/stand-in.ts";
import type { NumericScalar } from "./spmv.ts";

/** The index of item i of an array of `height` columns in its transpose, which has `height` rows. */
const across = (i: U32Value, width: U32Value, height: U32Value): U32Value =>
  i.rem(height).mul(width).add(i.div(height));

/**
 * Rows become columns: item (x, y) goes to (y, x).
 *
 * `x`: n items, n a multiple of the parameter `width`. `y`: n items, n / width in each row. Over no items:
 * none.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { transpose } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(transpose(f32));
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 3, 4, 5, 6), width: 3 });
 * console.log(y); // [1, 4, 2, 5, 3, 6]
 * ```
 */
export function transpose<S extends Scalar>(
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: TypeOf<S>; readonly width: ParamType<"u32"> },
  { readonly y: Values[S] }
> {
  requireArguments(arguments, "transpose", ["type"]);
  requireType("transpose", type);
  const inputs = { x: standIn(type), width: param(u32, { divides: true }) };
  const made = pipeline(`transpose-${type.type}`, inputs, ({ x, width }, { index, size }) => ({
    y: x.at(across(index(), width, size().div(width))),
  }));
  return ofTrueType(made);
}

/** See {@link rowScan} and {@link columnScan}. */
export type GridScan<R> = PipelineDefinition<
  ColumnTypes<"x", R> & { readonly width: ParamType<"u32"> },
  Columns<"sums", R>
>;

/**
 * The scan of each row, with a user-defined operator or a built-in one and its type.
 *
 * `x`: n items, n a multiple of the parameter `width`; for records one array for each scalar. `sums`: n. Over
 * no items: none. A segmented scan whose segments begin at column 0.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { rowScan } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(rowScan("add", f32));
 * const { sums } = await program.run({ x: Float32Array.of(1, 2, 3, 4, 5, 6), width: 3 });
 * console.log(sums); // [1, 3, 6, 4, 9, 15]
 * ```
 */
export function rowScan<S extends Scalar>(
  op: OpFor<S>,
  type: ScalarType<S>,
  form?: ScanForm,
): GridScan<ScalarType<S>>;
export function rowScan<R>(operator: OperatorDefinition<R>, form?: ScanForm): GridScan<R>;
export function rowScan(op: unknown, ...rest: readonly unknown[]): unknown {
  return gridScan("row", op, rest, (scan, record, width, { index }) =>
    scan(record, { segments: index().rem(width).eq(0) }),
  );
}

/**
 * The scan of each column: {@link rowScan} of the transpose, transposed back. The transposed reads cost more
 * than the scan.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { columnScan } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(columnScan("add", f32));
 * const { sums } = await program.run({ x: Float32Array.of(1, 2, 3, 4, 5, 6), width: 3 });
 * console.log(sums); // [1, 2, 3, 5, 7, 9]
 * ```
 */
export function columnScan<S extends Scalar>(
  op: OpFor<S>,
  type: ScalarType<S>,
  form?: ScanForm,
): GridScan<ScalarType<S>>;
export function columnScan<R>(operator: OperatorDefinition<R>, form?: ScanForm): GridScan<R>;
export function columnScan(op: unknown, ...rest: readonly unknown[]): unknown {
  return gridScan("column", op, rest, (scan, record, width, { index, size }, monoid) => {
    const height = size().div(width);
    const turn = (values: unknown, to: U32Value): unknown =>
      monoid.record(
        "turned",
        Object.fromEntries(
          Object.entries(monoid.columns("turned", values)).map(([name, value]) => [name, value.at(to)]),
        ),
      );
    const turned = turn(record, across(index(), width, height));
    return turn(scan(turned, { segments: index().rem(height).eq(0) }), across(index(), height, width));
  });
}

type Scan = RecordMonoid["scanInclusive"];
type Place = { index(): U32Value; size(): U32Value };

function gridScan(
  what: string,
  op: unknown,
  rest: readonly unknown[],
  build: (scan: Scan, record: unknown, width: U32Value, at: Place, monoid: RecordMonoid) => unknown,
): unknown {
  const monoid = monoidOf(`${what}Scan`, op, rest[0]);
  const form = formOf(`${what}Scan`, op, rest);
  const scan = form === "inclusive" ? monoid.scanInclusive : monoid.scanExclusive;
  const inputs = { ...monoid.types("x"), width: param(u32, { divides: true }) };
  const name = `${what}-${form}-scan-${monoid.name}`;
  return pipeline(name, inputs, ({ width, ...values }, at) => {
    const record = monoid.record("x", values);
    return monoid.columns("sums", build(scan, record, width as U32Value, at, monoid));
  });
}

/**
 * At each item the sum of the rectangle from the corner to it; the sum of any rectangle then needs four
 * reads.
 *
 * `x`: n items, n a multiple of the parameter `width`. `sums`: n, integers modulo 2^32 or 2^64. Over no
 * items: none. It is `columnScan` of `rowScan`, in one pipeline.
 *
 * Source: Crow, "Summed-area tables for texture mapping" (1984).
 * @example
 * ```ts
 * import { u32 } from "@groupwise/dsl";
 * import { summedAreaTable } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(summedAreaTable(u32));
 * const { sums } = await program.run({ x: Uint32Array.of(1, 2, 3, 4), width: 2 });
 * console.log(sums); // [1, 3, 4, 10]
 * ```
 */
export function summedAreaTable<S extends NumericScalar>(
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: TypeOf<S>; readonly width: ParamType<"u32"> },
  { readonly sums: Values[S] }
> {
  requireArguments(arguments, "summedAreaTable", ["type"]);
  requireNumeric("summedAreaTable", type);
  const number = standIn(type);
  const inputs = { x: number, width: param(u32, { divides: true }) };
  const made = pipeline(`summed-area-table-${type.type}`, inputs, ({ x, width }) => {
    const rows = rowScan("add", number)({ x, width });
    return columnScan("add", number)({ x: rows.sums, width });
  });
  return ofTrueType(made);
}
