/**
 * What an author can write on a value: one interface per element type, so that an operator which does
 * not exist for it neither compiles nor shows up in completion. `expr.ts` makes the methods from the
 * tables of `@groupwise/core`; a test keeps the two equal.
 */
import type { OpFor, Order, Scalar, ScatterCombine, Scope } from "@groupwise/core";

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
export interface Hosts {
  i32: number;
  u32: number;
  i64: bigint;
  u64: bigint;
  f16: number;
  f32: number;
  f64: number;
  bool: boolean;
}

/** What may stand as an operand: a value of the type, or a constant. */
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

/** A value of some element type. */
export type AnyValue = Values[Scalar];

/** How a constant for a value of type `V` is written. */
export type HostOf<V extends AnyValue> = Hosts[V["type"]];

/** How a collective runs. */
export interface CollectiveOptions {
  /** Who takes part: all items (`device`, the default) or those of the item's work-group. */
  readonly scope?: Scope;
}

/** How a reduce or a scan runs. */
export interface CombineOptions extends CollectiveOptions {
  /** True for the first item of each segment; nothing is combined across. The first item of all begins one. */
  readonly segments?: Operands["bool"];
  /** Segments of items that follow one another with equal keys; a key that is NaN equals none. */
  readonly keys?: AnyValue | readonly AnyValue[];
  /** The last item comes first, and is the left operand. */
  readonly reverse?: boolean;
}

/** How a reduce or a scan of a type's values runs. */
export interface TypedCombineOptions<S extends Scalar> extends CombineOptions {
  /**
   * What comes before the first item, and before that of each segment: `seed op prefix` for every item, the seed
   * itself where the prefix is empty.
   */
  readonly seed?: Operands[S];
}

/** Scans and their total. What is not used costs nothing. */
export interface ScanWithTotal<V> {
  /** With the item's own value. */
  readonly scan: V;
  /** Without the item's own value. */
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

/** Where and what a scatter writes. */
export interface ScatterOptions {
  /** The slot that an item writes to. No two items may choose the same, unless `combine` is given. */
  readonly to: Operands["u32"];
  /** Which items write; all where it is absent. */
  readonly where?: Operands["bool"];
  /** How many slots are valid, one value for all, at most the capacity; the capacity where it is absent. */
  readonly length?: Operands["u32"];
  /**
   * How many slots there are: constants, u32 parameters, sizes of the range, lengths of tables, and `add`, `sub`,
   * `mul`, `div`, `min`, `max` of those. n where it is absent. Slots that nobody chooses hold 0.
   */
  readonly capacity?: Operands["u32"];
}

/** Where and what a scatter of 32-bit integers writes. */
export interface CombiningScatterOptions extends ScatterOptions {
  /** What the values that choose one slot become together; slots that nobody chooses hold the operator's identity. */
  readonly combine?: ScatterCombine;
}

/** An output that items write to at slots which they compute. It is no value: return it from the pipeline. */
export interface Scatter<S extends Scalar = Scalar> {
  readonly kind: "scatter";
  readonly type: S;
}

/** An array of its own length, which items read at any index. It is no value itself. */
export interface Table<S extends Scalar = Scalar> {
  /** The element type. */
  readonly type: S;
  /** How many elements it has; one value for all. */
  readonly length: U32Value;
  /** The element at an index; past the end the last, of an empty table 0. */
  at(index: Operands["u32"]): Values[S];
}

/** What a value of every type can do. */
interface Value<S extends Scalar> {
  /** The element type. */
  readonly type: S;
  /** Equal; NaN equals nothing, -0 equals +0. */
  eq(right: Operands[S]): BoolValue;
  /** Not equal. */
  ne(right: Operands[S]): BoolValue;
  /** Converts; integers wrap, floats truncate and saturate, NaN gives 0. */
  toI32(): I32Value;
  /** Converts; integers wrap, floats truncate and saturate, NaN gives 0. */
  toU32(): U32Value;
  /** Converts; integers wrap, floats truncate and saturate, NaN gives 0. */
  toI64(): I64Value;
  /** Converts; integers wrap, floats truncate and saturate, NaN gives 0. */
  toU64(): U64Value;
  /** Converts; rounds to nearest, ties to even. */
  toF16(): F16Value;
  /** Converts; rounds to nearest, ties to even. */
  toF32(): F32Value;
  /** Converts; rounds to nearest, ties to even. */
  toF64(): F64Value;
  /** True where the value is not zero. */
  toBool(): BoolValue;
  /** The value of the item at an index, for all items of the scope; past the end: of the last item. */
  broadcast(index: Operands["u32"] | readonly Operands["u32"][], options?: CollectiveOptions): Values[S];
  /** What this is at another item, by its index in the range; past the end: at the last item. */
  at(index: Operands["u32"]): Values[S];
  /** One value for every item, out of a value of a work-group or of the whole range. */
  perItem(): Values[S];
  /** Makes an output of which each item chooses the slot that it writes to. */
  scatter(options: S extends "i32" | "u32" ? CombiningScatterOptions : ScatterOptions): Scatter<S>;
}

interface Combines<S extends Scalar, Options extends CombineOptions> {
  /** All values of the scope combined; over no items the operator's identity. With segments: of the item's own. */
  reduce(op: OpFor<S>, options?: Options): Values[S];
  /** The values up to and including the item's own combined. */
  scanInclusive(op: OpFor<S>, options?: Options): Values[S];
  /** The values before the item's own combined; the identity for the first item. */
  scanExclusive(op: OpFor<S>, options?: Options): Values[S];
  /** Both scans and the reduce, in one pass. */
  scanWithTotal(op: OpFor<S>, options?: Options): ScanWithTotal<Values[S]>;
}

interface Numeric<S extends Scalar> {
  /** Sum; integers wrap. */
  add(right: Operands[S]): Values[S];
  /** Difference; integers wrap. */
  sub(right: Operands[S]): Values[S];
  /** Product; integers wrap. */
  mul(right: Operands[S]): Values[S];
  /** Quotient; integers truncate, and x / 0 is x. */
  div(right: Operands[S]): Values[S];
  /** The lesser; a float that is NaN wins, and -0 < +0. */
  min(right: Operands[S]): Values[S];
  /** The greater; a float that is NaN wins, and -0 < +0. */
  max(right: Operands[S]): Values[S];
  /** Magnitude; the least integer is its own. */
  abs(): Values[S];
  /** Less; false where one is NaN. */
  lt(right: Operands[S]): BoolValue;
  /** Less or equal; false where one is NaN. */
  le(right: Operands[S]): BoolValue;
  /** Greater; false where one is NaN. */
  gt(right: Operands[S]): BoolValue;
  /** Greater or equal; false where one is NaN. */
  ge(right: Operands[S]): BoolValue;
}

interface Signed<S extends Scalar> {
  /** The negative; the least integer is its own. */
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
  /** Does it hold (is it not 0) for every item of the scope; true over no items. */
  all(options?: CollectiveOptions): BoolValue;
  /** Does it hold (is it not 0) for some item of the scope; false over no items. */
  any(options?: CollectiveOptions): BoolValue;
}

interface Integer<S extends Scalar> extends Bitwise<S> {
  /** Remainder with the sign of the dividend; x % 0 is 0. */
  rem(right: Operands[S]): Values[S];
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
type Int<S extends Scalar> = Value<S> & Numeric<S> & Integer<S> & Combines<S, TypedCombineOptions<S>>;
type Float<S extends Scalar> = Value<S> & Numeric<S> & Signed<S> & Combines<S, FloatCollectiveOptions<S>>;

/** A signed 32-bit integer of each item, each work-group, or the whole range. */
export interface I32Value extends Int<"i32">, Signed<"i32">, Bits32 {}
/** An unsigned 32-bit integer of each item, each work-group, or the whole range. */
export interface U32Value extends Int<"u32">, Bits32 {}
/** A signed 64-bit integer of each item, each work-group, or the whole range. */
export interface I64Value extends Int<"i64">, Signed<"i64">, Bits64 {}
/** An unsigned 64-bit integer of each item, each work-group, or the whole range. */
export interface U64Value extends Int<"u64">, Bits64 {}
/** A half-precision float of each item, each work-group, or the whole range. */
export interface F16Value extends Float<"f16"> {}
/** A single-precision float of each item, each work-group, or the whole range. */
export interface F32Value extends Float<"f32">, Bits32 {}
/** A double-precision float of each item, each work-group, or the whole range. */
export interface F64Value extends Float<"f64">, Bits64 {}
/** A truth value of each item, each work-group, or the whole range. */
export interface BoolValue
  extends Value<"bool">,
    Bitwise<"bool">,
    Combines<"bool", TypedCombineOptions<"bool">> {
  /** The first value where this holds, else the second; both are computed. */
  select<V extends AnyValue>(then: V, otherwise: NoInfer<V> | HostOf<V>): V;
  /** The first value where this holds, else the second; both are computed. */
  select<V extends AnyValue>(then: HostOf<V>, otherwise: V): V;
}
