/** Operands of a sweep: the floats whose bits are the words that an index gives. */
import type { U32Value } from "@groupwise/dsl";

/** Types whose functions are swept: those of which a sweep reaches every operand. */
export type SweptType = "f16" | "f32";

/** A float of any type, by the methods that sweeps call; names of functions are methods too. */
export interface FloatLike {
  toF16(): FloatLike;
  toF32(): FloatLike;
  bitsAs(type: string): never;
}

/** A permutation of the 32-bit integers: two rounds of multiplying and shifting (lowbias32 of Chris Wellons). */
export function mixed(word: U32Value): U32Value {
  const once = word.xor(word.shr(16)).mul(0x7feb352d);
  const twice = once.xor(once.shr(15)).mul(0x846ca68b);
  return twice.xor(twice.shr(16));
}

/** The half with these 16 bits, through the f32 of the same value. */
function half(bits: U32Value): FloatLike {
  const digits = bits.and(1023);
  const exponent = bits.shr(10).and(31);
  const isSubnormal = exponent.eq(0);
  const biased = exponent.eq(31).select(255, exponent.add(112));
  const normal = biased.shl(23).or(digits.shl(13));
  const small = digits
    .toF32()
    .mul(2 ** -24)
    .bitsAs("u32");
  const size = isSubnormal.select(small, normal);
  return size.or(bits.shr(15).and(1).shl(31)).bitsAs("f32").toF16() as unknown as FloatLike;
}

/** The float whose bits are the word's. */
export const floatOf = (type: SweptType, word: U32Value): FloatLike =>
  type === "f16" ? half(word) : (word.bitsAs("f32") as unknown as FloatLike);
