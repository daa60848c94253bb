/** The digits of keys that sorts process, one in each pass. */
import { errorOf, type Wanted, whole } from "@groupwise/core/target";
import type { U32Value } from "@groupwise/dsl";
import type { Bits } from "./order.ts";

/** Bits of the digit of one step: a stable rank supports that many keys. */
const SORT_BITS = 8;
/** The number of digits. */
export const SORT_KEYS: number = 2 ** SORT_BITS;

/** Options of each use of a sort: sorting by some bits of the key alone takes a pass for each eight of them. */
export type SortNumbers = {
  /**
   * The lowest bit to sort by, counted from 0; default: 0. Of a signed integer or a float, bits are those of the unsigned number with
   * the same order.
   */
  readonly beginBit?: number;
  /** One more than the highest bit to sort by: 16 for integers from 0 to 65535; default: the number of bits of the type. */
  readonly endBit?: number;
};

const BIT: Wanted = /*@__PURE__*/ whole(0, 64);
/** What {@link SortNumbers} must be. */
export const SORT_NUMBERS: { readonly [K in keyof Required<SortNumbers>]: Wanted } = {
  beginBit: BIT,
  endBit: BIT,
};

/** The range of bits that a sort processes. @throws GroupwiseError `bad-usage` for bits that the type does not have */
export function bitRange(
  name: string,
  { beginBit = 0, endBit }: SortNumbers,
  bits: number,
): { readonly begin: number; readonly end: number } {
  const end = endBit ?? bits;
  if (beginBit <= end && end <= bits) return { begin: beginBit, end };
  const reason = `beginBit is ${beginBit} and endBit is ${end}, of ${bits} bits`;
  throw errorOf("bad-usage", { reason, hint: `use bits from 0 to ${bits}, beginBit <= endBit` }, name);
}

/** Some bits of a key: where they begin, and which of those from there belong to them. */
export type Window = { readonly shift: number; readonly mask: number };

/** The bits from one to before another, of at most 53. */
export const windowOf = (begin: number, end: number): Window =>
  begin < end ? { shift: begin, mask: 2 ** (end - begin) - 1 } : { shift: 0, mask: 0 };

/** The digits between two bits, from the lowest. @param least the number of passes that are needed in any case, in which nothing moves */
export function windowsOf(begin: number, end: number, least: number): readonly Window[] {
  const count = Math.max(least, Math.ceil((end - begin) / SORT_BITS));
  return Array.from({ length: count }, (_, pass) => {
    const shift = begin + pass * SORT_BITS;
    return windowOf(shift, Math.min(shift + SORT_BITS, end));
  });
}

/** The digit of a key. */
export const digitIn = (bits: Bits, shift: U32Value, mask: U32Value | number): U32Value =>
  bits.shr(shift).toU32().and(mask);
