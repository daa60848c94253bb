/**
 * Keys as unsigned bits with the same order, so that the sort handles only unsigned bits. Floats: -INF first,
 * -0 before +0, and NaNs of any sign and payload last, in either direction; a descending order is reversed but for NaNs. Source: M. Herf, "Radix
 * Tricks" (2001).
 */
import type { ArrayType } from "@groupwise/core";
import { isNarrow } from "@groupwise/core/target";
import {
  type AnyValue,
  type ScalarType,
  type U32Value,
  type U64Value,
  u32,
  u64,
  type ValueOf,
  type Values,
} from "@groupwise/dsl";
import type { ElementType } from "../base/stand-in.ts";

/** The form in which keys are sorted. */
export type Bits = U32Value | U64Value;

/** Conversion of keys to bits and back. */
interface KeyOrder<S extends ArrayType = ArrayType> {
  /** The bits' element type. */
  readonly as: ScalarType<"u32"> | ScalarType<"u64">;
  /** The number of low bits that can differ. */
  readonly bits: number;
  /** True if all-ones bits represent a NaN. */
  readonly hasNaN?: boolean;
  /** Converts keys to bits: smaller keys to smaller bits, and NaNs to the largest bits. */
  encode(key: Values[ValueOf<S>]): Bits;
  /** The key of such bits, of which an element of a narrow type holds the low ones; a NaN may have another payload. */
  decode(bits: Bits): AnyValue;
}

const SIGN = 0x8000_0000;
const SIGN_64 = 1n << 63n;
const ONES_64 = (1n << 64n) - 1n;

/** Bits of a format of floats; those of 64 bits are bigint. */
type Format = Readonly<Record<"sign" | "size" | "infinity" | "ones", number>>;

const BRAIN: Format = { sign: 0x8000, size: 0x7fff, infinity: 0x7f80, ones: 0xffff };
const SINGLE: Format = { sign: SIGN, size: 0x7fff_ffff, infinity: 0x7f80_0000, ones: 0xffff_ffff };
const DOUBLE = {
  ...{ sign: SIGN_64, size: SIGN_64 - 1n, infinity: 0x7ffn << 52n, ones: ONES_64 },
} as unknown as Format;

/** Inverts negative floats and sets the sign bit of the others. */
function ordered(bits: Bits, { sign, size, infinity, ones }: Format): Bits {
  const own = bits as U32Value; // of either width
  const isNone = own.and(size).gt(infinity);
  return isNone.select(ones, own.ge(sign).select(own.xor(ones), own.or(sign)));
}

function unordered(bits: Bits, { sign, ones }: Format): Bits {
  const own = bits as U32Value;
  return own.ge(sign).select(own.xor(sign), own.xor(ones));
}

const floatOrder: KeyOrder<"f32"> = {
  as: u32,
  bits: 32,
  hasNaN: true,
  encode: (key) => ordered(key.bitsAs("u32"), SINGLE),
  decode: (bits) => (unordered(bits, SINGLE) as U32Value).bitsAs("f32"),
};

const doubleOrder: KeyOrder<"f64"> = {
  as: u64,
  bits: 64,
  hasNaN: true,
  encode: (key) => ordered(key.bitsAs("u64"), DOUBLE),
  decode: (bits) => (unordered(bits, DOUBLE) as U64Value).bitsAs("f64"),
};

/** A bf16 is the upper half of an f32. */
const brainOrder: KeyOrder<"bf16"> = {
  as: u32,
  bits: 16,
  hasNaN: true,
  encode: (key) => ordered(key.bitsAs("u32").shr(16), BRAIN),
  decode: (bits) => (unordered(bits, BRAIN) as U32Value).shl(16).bitsAs("f32"),
};

/** The bits of an f16 are computed from those of the equal f32, without the additional exponents. */
const halfOrder: KeyOrder<"f16"> = {
  as: u32,
  bits: 16,
  hasNaN: true,
  encode: (key) => {
    const wide = key.toF32();
    const bits = wide.bitsAs("u32");
    const size = bits.and(~SIGN >>> 0);
    // Halves below 2^-14 count in steps of 2^-24; from there on the exponent's bias differs, by 112.
    const finite = size
      .lt(0x3880_0000)
      .select(
        wide
          .abs()
          .mul(2 ** 24)
          .toU32(),
        size.shr(13).sub(112 << 10),
      )
      .min(0x7c00);
    const ordered = bits.ge(SIGN).select(finite.xor(0x7fff), finite.or(0x8000));
    return size.gt(0x7f80_0000).select(0xffff, ordered);
  },
  decode: (bits) => {
    const b = bits as U32Value;
    const size = b.ge(0x8000).select(b, b.not()).and(0x7fff);
    const normal = size.add(112 << 10).shl(13);
    const special = size.eq(0x7c00).select(0x7f80_0000, u32(0x7fc0_0000));
    const large = size.lt(0x7c00).select(normal, special).bitsAs("f32");
    const plain = size.lt(0x400).select(size.toF32().mul(2 ** -24), large);
    const sign = b.ge(0x8000).select(0, u32(SIGN));
    return plain.bitsAs("u32").or(sign).bitsAs("f32").toF16();
  },
};

const shortUnsigned = (bits: number): KeyOrder<"u8" | "u16"> => ({
  ...{ as: u32, bits },
  encode: (key) => key,
  decode: (order) => order,
});

/** The values are i32, of whose bits the low ones are the element. */
const shortSigned = (bits: number): KeyOrder<"i8" | "i16"> => ({
  ...{ as: u32, bits },
  encode: (key) =>
    key
      .bitsAs("u32")
      .xor(2 ** (bits - 1))
      .and(2 ** bits - 1),
  decode: (order) => (order as U32Value).xor(2 ** (bits - 1)),
});

/** By element type. */
const ORDERS: { readonly [S in ArrayType]: KeyOrder<S> } = {
  u8: shortUnsigned(8),
  i8: shortSigned(8),
  u16: shortUnsigned(16),
  i16: shortSigned(16),
  bf16: brainOrder,
  u32: { as: u32, bits: 32, encode: (key) => key, decode: (bits) => bits },
  i32: {
    as: u32,
    bits: 32,
    encode: (key) => key.bitsAs("u32").xor(SIGN),
    decode: (bits) => (bits as U32Value).xor(SIGN).bitsAs("i32"),
  },
  u64: { as: u64, bits: 64, encode: (key) => key, decode: (bits) => bits },
  i64: {
    as: u64,
    bits: 64,
    encode: (key) => key.bitsAs("u64").xor(SIGN_64),
    decode: (bits) => (bits as U64Value).xor(SIGN_64).bitsAs("i64"),
  },
  f16: halfOrder,
  f32: floatOrder,
  f64: doubleOrder,
  bool: { as: u32, bits: 1, encode: (key) => key.toU32(), decode: (bits) => bits.toBool() },
};

/** A type of keys in a direction: conversion to bits and back. */
export interface Key {
  /** For the names of pipelines. */
  readonly name: string;
  readonly type: ElementType;
  /** The type of the bits. */
  readonly as: ScalarType<"u32">;
  /** The key's bits, to sort upwards. */
  encode(key: AnyValue): Bits;
  /** The key of such bits. */
  decode(bits: Bits): U32Value;
  /**
   * The form of keys between passes: their own, so that passes alternate between the output and one more array. The bits where items that
   * share a word cannot be written together, and where bits are computed at length.
   */
  readonly between: Key;
  /** The number of low bits that can differ. */
  readonly bits: number;
}

/** How keys of a type are sorted. @param descending larger keys first; NaNs are still last */
export function keyOf(type: ElementType, descending: boolean): Key {
  const order = ORDERS[type.type] as unknown as KeyOrder<"u32">;
  const between = isNarrow(type.type) || type.type === "f16" ? keyOf(order.as, false) : undefined;
  const wide = order.as.type === "u64";
  const ones = wide ? ONES_64 : 2 ** order.bits - 1;
  const turn = (bits: Bits): Bits => (bits as U64Value).xor(ones as bigint);
  const turned = (bits: Bits): Bits => {
    if (!descending) return bits;
    return order.hasNaN
      ? (bits as U64Value).eq(ones as bigint).select(bits, turn(bits) as U32Value)
      : turn(bits);
  };
  const key: Omit<Key, "between"> = {
    name: descending ? `${type.type}-down` : type.type,
    type,
    as: order.as as ScalarType<"u32">,
    encode: (value) => turned(order.encode(value as U32Value)),
    decode: (bits) => order.decode(turned(bits)) as U32Value,
    bits: order.bits,
  };
  return between ? { ...key, between } : Object.assign(key, { between: key as Key });
}
