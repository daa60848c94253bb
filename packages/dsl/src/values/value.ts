/**
 * The methods of values: one interface per element type, so that an operator that does not exist for a type
 * neither compiles nor is offered in completion. `expr.ts` makes the methods from the tables of
 * `@groupwise/core`; a test keeps the two equal.
 */
import type { ArrayType, HostScalars, Narrow, Scalar, Scope } from "@groupwise/core";
import type { OpFor, Order, ScatterCombine } from "@groupwise/core/target";
import type { ElementaryFunctions, FloatFunctions, IntegerFunctions, NumericFunctions } from "./functions.ts";

/** The value interface of each element type. */
export interface Values {
  i32: I32Value;
  u32: U32Value;
  i64: I64Value;
  u64: U64Value;
  f16: F16Value;
  f32: F32Value;
  f64: F64Value;
  bool: BoolValue;
}

/** How a constant of each element type is written in JavaScript. */
export interface Hosts extends HostScalars {}

/** The types that are accepted as an operand: a value of the type, or a constant. */
export interface Operands {
  i32: I32Value | number;
  u32: U32Value | number;
  i64: I64Value | bigint;
  u64: U64Value | bigint;
  f16: F16Value | number;
  f32: F32Value | number;
  f64: F64Value | number;
  bool: BoolValue | boolean;
}

/** An output that a run returns as one value, a number, bigint or boolean by its type; see `scalar`. */
export interface ScalarOutput<S extends Scalar = Scalar> {
  readonly kind: "scalar";
  readonly type: S;
}

/** A value of some element type. */
export type AnyValue = Values[Scalar];

/** How a constant for a value of type `V` is written. */
export type HostOf<V extends AnyValue> = Hosts[V["type"]];

/** How a collective runs. */
export interface CollectiveOptions {
  /** The items that take part: all (`device`, the default) or those of the item's work-group. */
  readonly scope?: Scope;
}

/** How a reduce or a scan runs. */
export interface CombineOptions extends CollectiveOptions {
  /**
   * True for the first item of each segment; values of different segments are not combined. The first item of
   * the range always begins a segment.
   */
  readonly segments?: Operands["bool"];
  /** Segments are runs of consecutive items with equal keys; NaN equals no key. */
  readonly keys?: AnyValue | readonly AnyValue[];
  /** Reverses the order: the last item comes first and is the left operand. */
  readonly reverse?: boolean;
}

/** The segments in which neighbours are read: items of other segments do not exist. Default: the range is one segment. */
export interface NeighbourOptions extends Pick<CombineOptions, "segments" | "keys"> {}

/** How a reduce or a scan of a type's values runs. */
export interface TypedCombineOptions<S extends Scalar> extends CombineOptions {
  /**
   * The value that precedes the first item of the range or of each segment: every result is `seed op prefix`,
   * or the seed itself if the prefix is empty.
   */
  readonly seed?: Operands[S];
}

/** Scans and their total. Unused results cost nothing. */
export interface ScanWithTotal<V> {
  /** The inclusive scan. */
  readonly scan: V;
  /** The exclusive scan. */
  readonly before: V;
  /** All values combined; with segments, those of the item's segment. */
  readonly total: V;
}

/** How a collective on floats runs. */
export interface FloatCollectiveOptions<S extends Scalar = Scalar> extends TypedCombineOptions<S> {
  /**
   * `fixed`, the default: the same bits on every device, at any work-group size. `any`: the fastest
   * order, within an error bound.
   */
  readonly order?: Order;
}

/** The values and slots of a scatter. */
export interface ScatterOptions {
  /** The slot that an item writes. Two items must not use the same slot, unless `combine` is given. */
  readonly to: Operands["u32"];
  /** Which items write; default: all. */
  readonly where?: Operands["bool"];
  /** The number of valid slots, a uniform value, at most the capacity; default: the capacity. */
  readonly length?: Operands["u32"];
  /**
   * The number of slots: constants, u32 parameters, sizes of the range, lengths of tables, and `add`, `sub`,
   * `mul`, `div`, `min`, `max` of those; default: n. Slots that no item writes hold 0.
   */
  readonly capacity?: Operands["u32"];
}

/** The values and slots of a scatter of 32-bit integers. */
export interface CombiningScatterOptions extends ScatterOptions {
  /** The operator that combines the values of one slot; slots that no item writes hold its identity. */
  readonly combine?: ScatterCombine;
}

/** An output that items write at computed slots. It is not a value: return it from the pipeline. */
export interface Scatter<S extends ArrayType = ArrayType> {
  readonly kind: "scatter";
  readonly type: S;
  /**
   * The element at an index after all items have written; the last element for an index past the end, 0 if there is none. It takes a later pass. The pipeline
   * returns the scatter too. Scatters with `combine` or of narrow elements are read in a second pipeline, as a `table`.
   * @throws GroupwiseError `bad-usage`
   */
  at(index: Operands["u32"]): Values[ValueOf<S>];
}

/** The type of the values of an array. */
export type ValueOf<S extends ArrayType> = S extends Scalar
  ? S
  : S extends "i8" | "i16"
    ? "i32"
    : S extends "bf16"
      ? "f32"
      : "u32";

/** An output of narrow elements, `u8(x)`. It is not a value: return it from the pipeline. */
export interface NarrowOutput<N extends Narrow = Narrow> {
  readonly kind: "narrow";
  readonly type: N;
  /** Makes an output of narrow elements in which each item writes at the slot that it computes. */
  scatter(options: ScatterOptions): Scatter<N>;
}

/** An array with a length of its own, which items read at any index. It is not a value itself. */
export interface Table<S extends ArrayType = ArrayType> {
  /** The type of the elements. */
  readonly type: S;
  /** The number of its elements; uniform. */
  readonly length: U32Value;
  /** The element at an index; the last element for an index past the end, 0 for an empty table. */
  at(index: Operands["u32"]): Values[ValueOf<S>];
}

/** Methods of values of every type. */
interface Value<S extends Scalar> {
  /** The element type. */
  readonly type: S;
  /** Equal; NaN equals nothing, -0 equals +0. */
  eq(right: Operands[S]): BoolValue;
  /** Not equal. */
  ne(right: Operands[S]): BoolValue;
  /** Converts; integers wrap, floats truncate and saturate, NaN becomes 0. */
  toI32(): I32Value;
  /** Converts; integers wrap, floats truncate and saturate, NaN becomes 0. */
  toU32(): U32Value;
  /** Converts; integers wrap, floats truncate and saturate, NaN becomes 0. */
  toI64(): I64Value;
  /** Converts; integers wrap, floats truncate and saturate, NaN becomes 0. */
  toU64(): U64Value;
  /** Converts; rounds to nearest, ties to even. */
  toF16(): F16Value;
  /** Converts; rounds to nearest, ties to even. */
  toF32(): F32Value;
  /** Converts; rounds to nearest, ties to even. */
  toF64(): F64Value;
  /** True if the value is not zero. */
  toBool(): BoolValue;
  /**
   * The value of the item at an index, for all items of the scope; the last item for an index past the end.
   */
  broadcast(index: Operands["u32"] | readonly Operands["u32"][], options?: CollectiveOptions): Values[S];
  /** The value at another item, by its index in the range; the last item for an index past the end. */
  at(index: Operands["u32"]): Values[S];
  /**
   * The value of the item `k` before, in the order of the range; `fill` if there is none.
   * @param k a number, 1 by default
   * @throws GroupwiseError `bad-argument` if `k` is no whole number from 1 on
   */
  previous(fill: Operands[S], k?: number, options?: NeighbourOptions): Values[S];
  /**
   * The value of the item `k` after, in the order of the range; `fill` if there is none.
   * @param k a number, 1 by default
   * @throws GroupwiseError `bad-argument` if `k` is no whole number from 1 on
   */
  next(fill: Operands[S], k?: number, options?: NeighbourOptions): Values[S];
  /**
   * The values of the items from `before` items before to `after` items after, for stencils and filters: `before + 1 + after` values, of which the first is that of
   * the earliest item. `fill` stands for items that do not exist.
   * @param before at most 31
   * @param after at most 31; default 0
   * @throws GroupwiseError `bad-argument`
   */
  window(fill: Operands[S], before: number, after?: number, options?: NeighbourOptions): readonly Values[S][];
  /** A value for every item, from a value that is uniform in a work-group or in the range. */
  perItem(): Values[S];
  /** Makes an output in which each item writes at the slot that it computes. */
  scatter(options: S extends "i32" | "u32" ? CombiningScatterOptions : ScatterOptions): Scatter<S>;
}

/** Options of a stable rank. */
export interface RankOptions {
  /** The number of keys, 1 to 256: keys are 0 to `bins` - 1, and a key of `bins` or more counts as `bins` - 1. */
  readonly bins: number;
}

interface Combines<S extends Scalar, Options extends CombineOptions> {
  /**
   * All values of the scope combined; the operator's identity if there are no items. With segments, those of
   * the item's segment.
   */
  reduce(op: OpFor<S>, options?: Options): Values[S];
  /** The values up to and including the item's own combined. */
  scanInclusive(op: OpFor<S>, options?: Options): Values[S];
  /** The values before the item's own combined; the identity for the first item. */
  scanExclusive(op: OpFor<S>, options?: Options): Values[S];
  /** Both scans and the reduce, in one pass. */
  scanWithTotal(op: OpFor<S>, options?: Options): ScanWithTotal<Values[S]>;
  /**
   * The values of the last `width` items combined, the item's own among them, from the earliest to the latest: ((a op b) op c). The first items have fewer. It takes
   * `width` reads of each item; a wider sum of integers is `scan.sub(scan.previous(0, width))`.
   * @param width a number from 1 to 32
   * @throws GroupwiseError `bad-argument`
   */
  moving(op: OpFor<S>, width: number, options?: NeighbourOptions): Values[S];
}

interface Numeric<S extends Scalar> {
  /** Sum; integers wrap. */
  add(right: Operands[S]): Values[S];
  /** Difference; integers wrap. */
  sub(right: Operands[S]): Values[S];
  /**
   * The difference from the item before; the first item is unchanged. Integers wrap, and their inclusive sum is the value again.
   */
  diff(options?: NeighbourOptions): Values[S];
  /** Product; integers wrap. */
  mul(right: Operands[S]): Values[S];
  /** Quotient; integers truncate, and x / 0 is x. */
  div(right: Operands[S]): Values[S];
  /** The minimum; NaN if an operand is NaN; -0 < +0. */
  min(right: Operands[S]): Values[S];
  /** The maximum; NaN if an operand is NaN; -0 < +0. */
  max(right: Operands[S]): Values[S];
  /** Absolute difference: rounded once for floats; of integers modulo the width, so that its bits are those of an unsigned number. */
  absdiff(right: Operands[S]): Values[S];
  /** Absolute value; the least integer is unchanged. */
  abs(): Values[S];
  /** Less; false if an operand is NaN. */
  lt(right: Operands[S]): BoolValue;
  /** Less or equal; false if an operand is NaN. */
  le(right: Operands[S]): BoolValue;
  /** Greater; false if an operand is NaN. */
  gt(right: Operands[S]): BoolValue;
  /** Greater or equal; false if an operand is NaN. */
  ge(right: Operands[S]): BoolValue;
}

interface Signed<S extends Scalar> {
  /** Negation; the least integer is unchanged. */
  neg(): Values[S];
}

interface Bitwise<S extends Scalar> {
  /** Bitwise and; logical on bool. */
  and(right: Operands[S]): Values[S];
  /** Bitwise or; logical on bool. */
  or(right: Operands[S]): Values[S];
  /** Bitwise exclusive or; logical on bool. */
  xor(right: Operands[S]): Values[S];
  /** Complement of the bits; logical on bool. */
  not(): Values[S];
  /** Whether the value is true (not 0) for every item of the scope; true if there are no items. */
  all(options?: CollectiveOptions): BoolValue;
  /** Whether the value is true (not 0) for some item of the scope; false if there are no items. */
  any(options?: CollectiveOptions): BoolValue;
}

interface Integer<S extends Scalar> extends Bitwise<S> {
  /** Remainder with the sign of the dividend; x % 0 is 0. */
  rem(right: Operands[S]): Values[S];
  /** Greatest common divisor of the magnitudes, modulo the width; gcd(x, 0) is the magnitude of x. */
  gcd(right: Operands[S]): Values[S];
  /** Shift left by the amount modulo the width. */
  shl(by: Operands["u32"]): Values[S];
  /** Shift right by the amount modulo the width; signed types keep the sign. */
  shr(by: Operands["u32"]): Values[S];
  /** Number of bits that are 1. */
  popcount(): Values[S];
  /** Number of 0 bits above the highest 1; the width for 0. */
  clz(): Values[S];
}

interface Bits<Same extends Scalar> {
  /** The same bits read as another type of the same width. */
  bitsAs<T extends Same>(type: T): Values[T];
}
type Bits32 = Bits<"i32" | "u32" | "f32">;
type Bits64 = Bits<"i64" | "u64" | "f64">;
type Int<S extends Scalar> = Value<S> &
  Numeric<S> &
  Integer<S> &
  NumericFunctions<S> &
  IntegerFunctions<S> &
  Combines<S, TypedCombineOptions<S>>;
type Float<S extends Scalar> = Value<S> &
  Numeric<S> &
  Signed<S> &
  NumericFunctions<S> &
  FloatFunctions<S> &
  Combines<S, FloatCollectiveOptions<S>>;

/**
 * A signed 32-bit integer with any uniformity.
 * @group Values
 */
export interface I32Value extends Int<"i32">, Signed<"i32">, Bits32 {}
/**
 * An unsigned 32-bit integer with any uniformity.
 * @group Values
 */
export interface U32Value extends Int<"u32">, Bits32 {
  /**
   * The stable rank of the value as a key: the number of items of the range with a smaller key, plus the number of earlier items with the same one.
   * A scatter to it sorts by the key, without a clear or bounds checks.
   */
  rank(options: RankOptions): U32Value;
}
/**
 * A signed 64-bit integer with any uniformity.
 * @group Values
 */
export interface I64Value extends Int<"i64">, Signed<"i64">, Bits64 {}
/**
 * An unsigned 64-bit integer with any uniformity.
 * @group Values
 */
export interface U64Value extends Int<"u64">, Bits64 {}
/**
 * A half-precision float with any uniformity.
 * @group Values
 */
export interface F16Value extends Float<"f16">, ElementaryFunctions<"f16"> {}
/**
 * A single-precision float with any uniformity.
 * @group Values
 */
export interface F32Value extends Float<"f32">, ElementaryFunctions<"f32">, Bits32 {}
/**
 * A double-precision float with any uniformity.
 * @group Values
 */
export interface F64Value extends Float<"f64">, ElementaryFunctions<"f64">, Bits64 {}
/**
 * A truth value with any uniformity. `if` and `?:` see an object, which is true: write `condition.select(a, b)`. The rule
 * `@typescript-eslint/no-unnecessary-condition` reports such uses.
 * @group Values
 */
export interface BoolValue
  extends Value<"bool">,
    Bitwise<"bool">,
    Combines<"bool", TypedCombineOptions<"bool">> {
  /** The first value if this is true, else the second; both are computed. Of two constants one states its type: `select(u32(1), 0)`. */
  select<V extends AnyValue>(then: V, otherwise: NoInfer<V> | HostOf<V>): V;
  /** The first value if this is true, else the second; both are computed. Of two constants one states its type: `select(u32(1), 0)`. */
  select<V extends AnyValue>(then: HostOf<V>, otherwise: V): V;
}
