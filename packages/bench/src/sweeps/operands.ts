/** Operands of a sweep, computed from an index on the device: all bit patterns, or random and hard ones. */
import { type U32Value, u32 } from "@groupwise/dsl";

/** Types whose functions are swept. */
export type SweptType = "f16" | "f32" | "f64";

/** A float of any type, by the methods that sweeps call; names of functions are methods too. */
export interface FloatLike {
  toF16(): FloatLike;
  toF32(): FloatLike;
  toF64(): FloatLike;
  mul(factor: number): FloatLike;
  bitsAs(type: string): never;
}

/** How a type is laid out in its highest word. */
interface Layout {
  readonly width: number;
  readonly digits: number;
  readonly bias: number;
  /** Bound of the exponents of moderate numbers, a power of two. */
  readonly reach: number;
}
export const LAYOUTS: Readonly<Record<SweptType, Layout>> = {
  f16: { width: 16, digits: 10, bias: 15, reach: 8 },
  f32: { width: 32, digits: 23, bias: 127, reach: 32 },
  f64: { width: 32, digits: 20, bias: 1023, reach: 32 },
};

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

const READ: Readonly<Record<SweptType, (high: U32Value, low: U32Value) => FloatLike>> = {
  f16: half,
  f32: (high) => high.bitsAs("f32") as unknown as FloatLike,
  f64: (high, low) => high.toU64().shl(32).or(low.toU64()).bitsAs("f64") as unknown as FloatLike,
};

/** The float whose bits are the word's; of f16 and f32. */
export const floatOf = (type: "f16" | "f32", word: U32Value): FloatLike => READ[type](word, word);

/** Selects one of the choices by a number below their count. */
const oneOf = (at: U32Value, [first = 0, ...others]: readonly number[]): U32Value =>
  others.reduce((value, choice, i) => at.eq(i + 1).select(u32(choice), value), u32(first).perItem());

/** Zeros, subnormal numbers, those around 1, the largest, infinities and NaN. */
function special({ digits, bias }: Layout, hash: U32Value): U32Value {
  const most = 2 * bias + 1;
  const mask = 2 ** digits - 1;
  const exponent = oneOf(hash.and(7), [0, 1, bias, most - 1, most, 0, bias - 1, bias]);
  return exponent.shl(digits).or(oneOf(hash.shr(3).and(3), [0, 1, mask, 0]));
}

/**
 * A random or hard operand: any bits, numbers from 1/2 to 2, of moderate exponents, special values, whole numbers and
 * multiples of 1/64. @param seed a number for each index @param slot different for each operand
 */
export function operandOf(type: SweptType, seed: U32Value, slot: number): FloatLike {
  const layout = LAYOUTS[type];
  const { width, digits, bias, reach } = layout;
  const hash = mixed(seed.xor(mixed(u32(slot + 1).perItem())));
  const [high, low] = [mixed(hash.add(0x9e3779b9)), mixed(hash.add(0x3c6ef372))];
  const kind = hash.shr(29);
  const fraction = high.and(2 ** digits - 1);
  const withExponent = (exponent: U32Value): U32Value => exponent.shl(digits).or(fraction);
  const near = withExponent(hash.and(1).add(bias - 1));
  const moderate = withExponent(hash.and(2 * reach - 1).add(bias - reach));
  const isSpecial = kind.eq(3);
  const size = isSpecial.select(
    special(layout, hash),
    kind.eq(4).select(near, kind.eq(5).select(moderate, high)),
  );
  const sign = high.shr(31).shl(width - 1);
  const bits = size.and(2 ** (width - 1) - 1).or(sign);
  // The other words of special values are all 0 or all 1.
  const rest = isSpecial.select(hash.shr(5).and(1).mul(0xffffffff), low);
  return chosen(type, kind, READ[type](bits, rest), high);
}

/** The value, or a whole number or a multiple of 1/64 for the last two kinds. */
function chosen(type: SweptType, kind: U32Value, value: FloatLike, hash: U32Value): FloatLike {
  const whole = hash.and(0x3fff).bitsAs("i32").sub(0x2000).toF32();
  const scaled = kind.eq(6).select(whole, whole.mul(1 / 64));
  const number = scaled[TO[type]]() as unknown as FloatLike;
  return kind.ge(6).select(number as never, value as never) as unknown as FloatLike;
}
const TO = { f16: "toF16", f32: "toF32", f64: "toF64" } as const;
