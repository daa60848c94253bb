/**
 * The order of sorted arrays: by value, so that -0 equals +0, and NaNs equal one another and are last. It is that of NumPy and of the C++
 * and CUDA libraries; what `radixSort` sorts, which puts -0 before +0, is in this order too.
 */
import { BOOLEAN, optionsOf, requireArrayType, valueTypeOf } from "@groupwise/core/target";
import { type AnyValue, type BoolValue, type U32Value, u32 } from "@groupwise/dsl";
import type { ElementType } from "../base/stand-in.ts";

/** The direction of sorted arrays. */
export interface SortedOptions {
  /** Arrays are sorted with larger items first; NaNs are still last. */
  readonly descending?: boolean;
}

/** How values of a type compare. */
export interface SortedOrder {
  /** For the names of pipelines. */
  readonly name: string;
  readonly type: ElementType;
  /** Whether the first value comes strictly before the second. */
  isBefore(a: AnyValue, b: AnyValue): BoolValue;
  /** Whether two values are in the same place. */
  isSame(a: AnyValue, b: AnyValue): BoolValue;
}

/** @throws GroupwiseError `bad-argument`, `unknown-type`, `bad-usage` */
export function sortedOrder(what: string, type: ElementType, options: unknown): SortedOrder {
  requireArrayType(what, type);
  const { descending = false } = optionsOf(options, { descending: BOOLEAN }, `the options of ${what}`);
  const value = valueTypeOf(type.type);
  const isFloat = value.startsWith("f");
  const number = (one: AnyValue): U32Value => (value === "bool" ? one.toU32() : (one as U32Value));
  const isNone = (one: U32Value): BoolValue => one.ne(one);
  return {
    name: `${type.type}${descending ? "-down" : ""}`,
    type,
    isBefore: (a, b) => {
      const [x, y] = [number(a), number(b)];
      const before = descending ? x.gt(y) : x.lt(y);
      return isFloat ? before.or(isNone(y).and(isNone(x).not())) : before;
    },
    isSame: (a, b) => {
      const [x, y] = [a as U32Value, b as U32Value];
      return isFloat ? x.eq(y).or(isNone(x).and(isNone(y))) : x.eq(y);
    },
  };
}

/**
 * The greatest number up to `most` for which a property holds that holds for all smaller ones too, `from` if for none above: a binary search without a
 * branch, one question for each bit.
 * @param bits of `most - from`, which may be less than all of them
 */
export function greatest(
  bits: number,
  most: U32Value,
  holds: (number: U32Value) => BoolValue,
  from: U32Value = u32(0),
): U32Value {
  let found = from;
  for (let bit = bits - 1; bit >= 0; bit--) {
    const next = found.add(2 ** bit);
    found = next.le(most).and(holds(next)).select(next, found);
  }
  return found;
}
