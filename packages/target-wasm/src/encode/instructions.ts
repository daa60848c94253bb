/** The instructions that emitted modules use, by their names in the text format, with their bytes (WebAssembly core specification 2.0, 5.4). */

/** The types of values on the stack. */
export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128";

/** Their bytes. */
export const VALUE_TYPES: Readonly<Record<ValueType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

const names = (type: string, list: string): readonly string[] =>
  list.split(" ").map((name) => `${type}.${name}`);
const COMPARED = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u";
const INTEGER_TESTS = "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u";
const FLOAT_TESTS = "eq ne lt gt le ge";
const INTEGERS = "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr";
const FLOATS = "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign";
const CONVERSIONS = [
  ["i32", "wrap_i64 trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u"],
  ["i64", "extend_i32_s extend_i32_u trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u"],
  ["f32", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u demote_f64"],
  ["f64", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u promote_f32"],
  ["i32", "reinterpret_f32"],
  ["i64", "reinterpret_f64"],
  ["f32", "reinterpret_i32"],
  ["f64", "reinterpret_i64"],
] as const;

/** Of vectors, with the numbers of their bytes after the prefix. Numbers in their names are immediate operands: elements, or bytes. */
const VECTORS: readonly (readonly [first: number, list: string])[] = [
  [0x0d, "i8x16.shuffle"],
  [0x0f, "i8x16.splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat"],
  [0x15, "i8x16.extract_lane_s i8x16.extract_lane_u"],
  [0x18, "i16x8.extract_lane_s i16x8.extract_lane_u"],
  [0x1b, "i32x4.extract_lane"],
  [0x1d, "i64x2.extract_lane"],
  [0x1f, "f32x4.extract_lane"],
  [0x21, "f64x2.extract_lane"],
  [0x23, ["i8x16", "i16x8", "i32x4"].flatMap((shape) => names(shape, COMPARED)).join(" ")],
  [0x41, [...names("f32x4", "eq ne lt gt le ge"), ...names("f64x2", "eq ne lt gt le ge")].join(" ")],
  [0x4d, "v128.not v128.and v128.andnot v128.or v128.xor v128.bitselect"],
  [0x60, "i8x16.abs i8x16.neg"],
  [0x64, "i8x16.bitmask"],
  [0x66, "i8x16.narrow_i16x8_u"],
  [0x6b, "i8x16.shl i8x16.shr_s i8x16.shr_u i8x16.add"],
  [0x71, "i8x16.sub"],
  [0x76, "i8x16.min_s i8x16.min_u i8x16.max_s i8x16.max_u"],
  [0x7c, "i16x8.extadd_pairwise_i8x16_s i16x8.extadd_pairwise_i8x16_u"],
  [0x7e, "i32x4.extadd_pairwise_i16x8_s i32x4.extadd_pairwise_i16x8_u"],
  [0x80, "i16x8.abs i16x8.neg"],
  [0x84, "i16x8.bitmask"],
  [0x86, "i16x8.narrow_i32x4_u"],
  [0x87, "i16x8.extend_low_i8x16_s"],
  [0x89, "i16x8.extend_low_i8x16_u"],
  [0x8b, "i16x8.shl i16x8.shr_s i16x8.shr_u i16x8.add"],
  [0x91, "i16x8.sub"],
  [0x95, "i16x8.mul i16x8.min_s i16x8.min_u i16x8.max_s i16x8.max_u"],
  [0xa0, "i32x4.abs i32x4.neg"],
  [0xa4, "i32x4.bitmask"],
  [0xa7, "i32x4.extend_low_i16x8_s"],
  [0xa9, "i32x4.extend_low_i16x8_u"],
  [0xab, "i32x4.shl i32x4.shr_s i32x4.shr_u i32x4.add"],
  [0xb1, "i32x4.sub"],
  [0xb5, "i32x4.mul i32x4.min_s i32x4.min_u i32x4.max_s i32x4.max_u"],
  [0xc0, "i64x2.abs i64x2.neg"],
  [0xc4, "i64x2.bitmask"],
  [0xcb, "i64x2.shl i64x2.shr_s i64x2.shr_u i64x2.add"],
  [0xd1, "i64x2.sub"],
  [0xd5, "i64x2.mul i64x2.eq i64x2.ne i64x2.lt_s i64x2.gt_s i64x2.le_s i64x2.ge_s"],
  [0xe0, "f32x4.abs f32x4.neg"],
  [0xe4, "f32x4.add f32x4.sub f32x4.mul f32x4.div f32x4.min f32x4.max"],
  [0xec, "f64x2.abs f64x2.neg"],
  [0xf0, "f64x2.add f64x2.sub f64x2.mul f64x2.div f64x2.min f64x2.max"],
  [0xf8, "i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u f32x4.convert_i32x4_s f32x4.convert_i32x4_u"],
];
/** The prefix, and the number in LEB128. */
const prefixed = (number: number): readonly number[] =>
  number < 0x80 ? [0xfd, number] : [0xfd, number, 0x01];

const numbered = (
  first: number,
  list: readonly string[],
): readonly (readonly [string, readonly number[]])[] => list.map((name, i) => [name, [first + i]]);

/** Operations on values: their bytes, without immediate operands. */
export const NUMERIC: ReadonlyMap<string, readonly number[]> = new Map([
  ...numbered(0x45, [
    ...names("i32", INTEGER_TESTS),
    ...names("i64", INTEGER_TESTS),
    ...names("f32", FLOAT_TESTS),
    ...names("f64", FLOAT_TESTS),
    ...names("i32", INTEGERS),
    ...names("i64", INTEGERS),
    ...names("f32", FLOATS),
    ...names("f64", FLOATS),
    ...CONVERSIONS.flatMap(([type, list]) => names(type, list)),
  ]),
  ...(["i32", "i64"] as const).flatMap((type, i) =>
    names(type, "trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u").map(
      (name, j) => [name, [0xfc, 4 * i + j]] as const,
    ),
  ),
  ...VECTORS.flatMap(([first, list]) =>
    list.split(" ").map((name, i) => [name, prefixed(first + i)] as const),
  ),
  ["select", [0x1b]],
  ["return", [0x0f]],
  ["unreachable", [0x00]],
  ["memory.fill", [0xfc, 0x0b, 0x00]],
]);

/** Accesses of memory: the byte, and the logarithm of the bytes of an element. */
export const ACCESSES: Readonly<Record<string, readonly [bytes: number | readonly number[], log: number]>> = {
  // Of vectors, at any address.
  "v128.load": [prefixed(0x00), 0],
  "v128.load8x8_s": [prefixed(0x01), 0],
  "v128.load8x8_u": [prefixed(0x02), 0],
  "v128.load16x4_s": [prefixed(0x03), 0],
  "v128.load16x4_u": [prefixed(0x04), 0],
  "v128.store": [prefixed(0x0b), 0],
  "v128.load32_zero": [prefixed(0x5c), 0],
  "i32.load": [0x28, 2],
  "i64.load": [0x29, 3],
  "f32.load": [0x2a, 2],
  "f64.load": [0x2b, 3],
  "i32.load8_s": [0x2c, 0],
  "i32.load8_u": [0x2d, 0],
  "i32.load16_s": [0x2e, 1],
  "i32.load16_u": [0x2f, 1],
  "i32.store": [0x36, 2],
  "i64.store": [0x37, 3],
  "f32.store": [0x38, 2],
  "f64.store": [0x39, 3],
  "i32.store8": [0x3a, 0],
  "i32.store16": [0x3b, 1],
};

/** Instructions with the name of a local variable, a global, or a function. */
export const NAMED = {
  "local.get": 0x20,
  "local.set": 0x21,
  "local.tee": 0x22,
  "global.get": 0x23,
  call: 0x10,
} as const;
/** Branches to a label. */
export const BRANCHES = { br: 0x0c, br_if: 0x0d } as const;
/** Constants. */
export const CONSTANTS: Readonly<Record<Exclude<ValueType, "v128">, number>> = {
  i32: 0x41,
  i64: 0x42,
  f32: 0x43,
  f64: 0x44,
};
/** The bytes of blocks. */
export const BLOCKS = { block: 0x02, loop: 0x03, if: 0x04, else: 0x05, end: 0x0b } as const;
