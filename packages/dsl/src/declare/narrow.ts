/** Narrow types: element types of inputs, tables and outputs that values do not have. */
import type { ArrayType, Narrow, Scalar } from "@groupwise/core";
import { BOOLEAN, errorOf, isNarrow, NARROW } from "@groupwise/core/target";
import { optionsOf } from "../base/choice.ts";
import { callerOf } from "../base/place.ts";
import type { F32Value, I32Value, NarrowOutput, U32Value } from "../values/value.ts";
import { DeclaredExpr } from "./expr.ts";
import { NarrowExpr } from "./outputs.ts";

/** How values become elements of a narrow type. */
export interface NarrowOptions {
  /** Whether integers out of range saturate to the least or the greatest element; default `false`: they wrap. */
  readonly saturate?: boolean;
}

/** The values that outputs of each narrow type accept. */
export interface NarrowOperands {
  i8: I32Value | U32Value;
  u8: I32Value | U32Value;
  i16: I32Value | U32Value;
  u16: I32Value | U32Value;
  bf16: F32Value;
}

/**
 * A type of array elements: names the type of an input or a table, and makes an output of a value, `u8(x)`. It is not a type of
 * values: those of an input are i32, u32 or f32.
 */
export interface NarrowType<N extends Narrow> {
  /**
   * An output whose elements hold the value. Integers wrap, or saturate on request; floats round to nearest, ties to even. A minimum or maximum over no items
   * is that of i32 or u32: saturated, it is that of this type.
   * @throws GroupwiseError `type-mismatch`, `bad-usage`
   */
  (value: NarrowOperands[N], options?: NarrowOptions): NarrowOutput<N>;
  readonly type: N;
}

/** One of the narrow types. */
export type AnyNarrowType = { [N in Narrow]: NarrowType<N> }[Narrow];

function narrowType<N extends Narrow>(type: N): NarrowType<N> {
  const make = (value: unknown, options?: unknown): unknown => narrowed(type, value, options, callerOf(make));
  return Object.freeze(Object.assign(make, { type })) as NarrowType<N>;
}

/** Signed 8-bit integers, as i32. */
export const i8: NarrowType<"i8"> = /*@__PURE__*/ narrowType("i8");
/** Unsigned 8-bit integers, as u32: bytes. */
export const u8: NarrowType<"u8"> = /*@__PURE__*/ narrowType("u8");
/** Signed 16-bit integers, as i32. */
export const i16: NarrowType<"i16"> = /*@__PURE__*/ narrowType("i16");
/** Unsigned 16-bit integers, as u32. */
export const u16: NarrowType<"u16"> = /*@__PURE__*/ narrowType("u16");
/** bfloat16, the upper half of an f32, as f32. On the host, its bits are in a `Uint16Array`. */
export const bf16: NarrowType<"bf16"> = /*@__PURE__*/ narrowType("bf16");

const isWord = (type: Scalar): type is "i32" | "u32" => type === "i32" || type === "u32";

function narrowed(type: Narrow, value: unknown, options: unknown, at: string | undefined): NarrowExpr {
  const { saturate } = optionsOf(options as NarrowOptions, { saturate: BOOLEAN }, at);
  const { value: want, range } = NARROW[type];
  const what = `the value of an output of ${type}`;
  if (!(value instanceof DeclaredExpr)) {
    const hint = `pass a value of ${want}, for example ${type}(x.to${want[0]?.toUpperCase()}${want.slice(1)}())`;
    throw errorOf("bad-usage", { reason: `${what} is not a value of a pipeline`, hint }, at);
  }
  const given = value.type;
  if (range ? !isWord(given) : given !== want) throw errorOf("type-mismatch", { what, want, got: given }, at);
  const held = range && saturate ? clamped(value, range) : value;
  return new NarrowExpr(type, cast(held, want));
}

// Methods of values, which expr.ts makes from tables.
type Methods = Record<string, (...args: unknown[]) => DeclaredExpr>;
const call = (value: DeclaredExpr, method: string, ...args: unknown[]): DeclaredExpr =>
  (value as unknown as Methods)[method]?.(...args) as DeclaredExpr;
const cast = (value: DeclaredExpr, to: Scalar): DeclaredExpr =>
  value.type === to ? value : call(value, "bitsAs", to);

function clamped(value: DeclaredExpr, [least, greatest]: readonly [number, number]): DeclaredExpr {
  const below = value.type === "i32" ? call(value, "max", least) : value;
  return call(below, "min", greatest);
}

/** The value of an element after a value was stored in it: an input with this element has this value. */
export function heldBy(type: ArrayType, value: DeclaredExpr): DeclaredExpr {
  if (!isNarrow(type)) return value;
  const { bits, value: of } = NARROW[type];
  if (of === "u32") return call(value, "and", 2 ** bits - 1);
  if (of === "i32") return call(call(value, "shl", 32 - bits), "shr", 32 - bits);
  const word = call(value, "bitsAs", "u32");
  const odd = call(call(word, "shr", 16), "and", 1);
  const nearest = call(call(call(word, "add", 0x7fff), "add", odd), "and", 0xffff0000);
  const isNoNumber = call(call(word, "and", 0x7fffffff), "gt", 0x7f800000);
  return call(call(isNoNumber, "select", 0x7fc00000, nearest), "bitsAs", "f32");
}
