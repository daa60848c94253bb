/** Histograms by ranges of values: bins of one width, or between edges. */

import type { ArrayType, HostScalars, Scalar } from "@groupwise/core";
import {
  ANY,
  errorOf,
  optionsOf,
  requireArguments,
  requireArrayType,
  required,
  SCALARS,
  valueTypeOf,
  type Wanted,
  whole,
} from "@groupwise/core/target";
import {
  type BoolValue,
  bool,
  type PipelineDefinition,
  pipeline,
  type Scatter,
  type TableType,
  table,
  type U32Value,
  u32,
  type ValueOf,
} from "@groupwise/dsl";
import { type ElementType, ofTrueType, standIn, type TypeOf } from "./base/stand-in.ts";
import { greatest } from "./sorted/order.ts";

/** Element types that histograms by range take. */
export type RangedType = Exclude<ArrayType, "bool">;

/** A range of values, in bins of one width. */
export interface HistogramRange<S extends RangedType = RangedType> {
  /** The lower edge of the first bin. */
  readonly from: HostScalars[ValueOf<S>];
  /** The upper edge of the last bin, which includes it. */
  readonly to: HostScalars[ValueOf<S>];
  /** The number of bins, 1 to 65,535. */
  readonly bins: number;
}

/** What histograms by range and by edges count. */
export type RangeCounts = {
  /** Items of each bin: from its lower edge up to its upper one, which only the last bin includes. */
  readonly counts: Scatter<"u32">;
  /** Items below the first edge, -Infinity among them. */
  readonly below: Scatter<"u32">;
  /** Items above the last edge, Infinity among them. */
  readonly above: Scatter<"u32">;
  /** Items that are NaN. */
  readonly nans: Scatter<"u32">;
};

/** Bins of items. Numbers and values stand in for those of all types. */
interface Bins {
  readonly bins: number;
  readonly first: U32Value | number;
  readonly last: U32Value | number;
  /** The bin of an item between the first and the last edge. */
  binOf(x: U32Value): U32Value;
}

/** The numbers of items of each bin and beside them: slots too, because a pass over slots in work-group memory counts all of them at once. */
function countItems(x: U32Value, { bins, first, last, binOf }: Bins): RangeCounts {
  const one = u32(1).perItem();
  const count = (where: BoolValue, to: U32Value | number = 0, capacity = 1): Scatter<"u32"> =>
    one.scatter({ to, where, capacity, combine: "add" });
  const [isBelow, isAbove] = [x.lt(first), x.gt(last)];
  const isNone = (x.type as Scalar).startsWith("f") ? x.ne(x) : bool(false);
  return {
    counts: count(isBelow.or(isAbove).or(isNone).not(), binOf(x), bins),
    below: count(isBelow),
    above: count(isAbove),
    nans: count(isNone),
  };
}

/** The last bin whose lower edge an item reaches. @param isReached whether it does, of an edge from 1 to bins - 1 */
const search = (bins: number, isReached: (edge: U32Value) => BoolValue): U32Value =>
  greatest(32 - Math.clz32(bins - 1), u32(bins - 1), isReached);

/** Halves are compared as f32, in which bins are computed. */
const compared = (x: U32Value): U32Value =>
  (x.type as Scalar) === "f16" ? (x.toF32() as unknown as U32Value) : x;

const isRanged = (type: ArrayType): boolean => type !== "bool";
const EDGE: Wanted = {
  want: "a number, or a bigint",
  is: (value) => typeof value === "number" || typeof value === "bigint",
};
const RANGE = {
  ...{ from: /*@__PURE__*/ required(EDGE), to: /*@__PURE__*/ required(EDGE) },
  bins: /*@__PURE__*/ required(/*@__PURE__*/ whole(1, 65_535)),
};

/** The form of `histogram` that takes a range. */
export function rangeHistogram(type: ElementType, given: unknown): unknown {
  requireArrayType("histogram", type, isRanged);
  const range = optionsOf(given, RANGE, "the range of histogram") as unknown as HistogramRange;
  const value = valueTypeOf(type.type);
  const bins = value.startsWith("f") ? floatBins(value, range) : integerBins(value, range);
  const name = `histogram-range-${type.type}-${range.bins}`;
  return pipeline(name, { x: standIn(type) }, ({ x }) => ({ ...countItems(compared(x), bins) }));
}

function refuse({ from, to }: HistogramRange, hint: string): never {
  throw errorOf("bad-usage", { reason: `the range of histogram is from ${from} to ${to}`, hint });
}

/** An item is in bin floor((x - from) scale), each operation rounded. */
function floatBins(value: Scalar, range: HistogramRange): Bins {
  const { bins } = range;
  const type = value === "f64" ? "f64" : "f32";
  const rounded = (number: unknown): number =>
    typeof number === "number" ? (SCALARS[type].wrap(number) as number) : Number.NaN;
  const [first, last] = [rounded(range.from), rounded(range.to)];
  const extent = rounded(last - first);
  const scale = rounded(bins / extent);
  if (!(first < last && Number.isFinite(extent) && Number.isFinite(scale)))
    refuse(range, `use numbers of ${type}, from < to, whose difference and ${bins} over it are finite`);
  const binOf = (x: U32Value): U32Value =>
    (first === 0 ? x : x.sub(first))
      .mul(scale)
      .toU32()
      .min(bins - 1);
  return { bins, first, last, binOf };
}

/** An item is in bin floor((x - from) bins / (to - from)), exactly. */
function integerBins(value: Scalar, range: HistogramRange): Bins {
  const { bins } = range;
  const { bits, wrap } = SCALARS[value];
  const held = (edge: unknown): bigint | undefined => {
    const isWhole = typeof edge === "bigint" || Number.isSafeInteger(edge);
    return isWhole && BigInt(wrap(edge as bigint) as number) === BigInt(edge as bigint)
      ? BigInt(edge as bigint)
      : undefined;
  };
  const [from, to] = [held(range.from), held(range.to)];
  if (from === undefined || to === undefined || from >= to)
    return refuse(range, `use integers of ${value}, from < to`);
  const isWide = bits === 64;
  // Of a 64-bit type constants are bigint.
  const own = (number: bigint): number => (isWide ? number : Number(number)) as number;
  const extent = to - from;
  const [step, rest] = [own(extent / BigInt(bins)), own(extent % BigInt(bins))];
  const binOf = (x: U32Value): U32Value => {
    const offset = x.sub(own(from)).bitsAs((isWide ? "u64" : "u32") as "u32");
    return search(bins, (edge) => {
      const at = (isWide ? edge.toU64() : edge) as U32Value;
      // The edge and the rest are less than 2^16, so that nothing wraps.
      const least = at
        .mul(rest)
        .add(own(BigInt(bins - 1)))
        .div(own(BigInt(bins)));
      return offset.ge(at.mul(step).add(least));
    });
  };
  return { bins, first: own(from), last: own(to), binOf };
}

const BINS: Wanted = /*@__PURE__*/ whole(1, 2 ** 32 - 2);

/**
 * The numbers of items between edges: in bin i those from edge i up to edge i + 1, which only the last bin includes, as in NumPy. Items below the
 * first edge, above the last and NaNs are counted apart.
 *
 * `x`: n items. `edges`: bins + 1 elements, which do not descend; bins between equal edges are empty, but for the last. `counts`: `bins` numbers;
 * `below`, `above`, `nans`: one each. -0 equals +0. Over no items: all 0. One pass, in which each item searches the edges by a read for each bit of
 * `bins`; sums are modulo 2^32. Up to 2,048 bins are counted in work-group memory first. Of edges that are not sorted or that are NaN, counts are
 * some numbers of items.
 * @param bins 1 or more
 *
 * Source: `numpy.histogram`, `cub::DeviceHistogram::HistogramRange`, whose last bin does not include its upper edge.
 * @example
 * ```ts
 * import { i32 } from "@groupwise/dsl";
 * import { histogramEdges } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(histogramEdges(i32, 2));
 * const { counts, above } = await program.run({ x: Int32Array.of(3, 18, 65, 70), edges: Int32Array.of(0, 18, 65) });
 * console.log(counts); // [1, 2]
 * console.log(above); // [1]
 * ```
 */
export function histogramEdges<S extends RangedType>(
  type: ElementType<S>,
  bins: number,
): PipelineDefinition<{ readonly x: TypeOf<S>; readonly edges: TableType<S> }, RangeCounts> {
  requireArguments(arguments, "histogramEdges", { type: ANY, bins: BINS });
  requireArrayType("histogramEdges", type, isRanged);
  const inputs = { x: standIn(type), edges: table(standIn(type)) };
  const made = pipeline(`histogram-edges-${type.type}-${bins}`, inputs, ({ x, edges }) => {
    const binOf = (): U32Value => search(bins, (edge) => x.ge(edges.at(edge)));
    return { ...countItems(x, { bins, first: edges.at(0), last: edges.at(bins), binOf }) };
  });
  return ofTrueType(made);
}
