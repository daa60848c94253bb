/** The instructions that emitted modules use, by their names in the text format, with their bytes (WebAssembly core specification 2.0, 5.4). */

/** The types of values on the stack. */
export type ValueType = "i32" | "i64" | "f32" | "f64";

/** Their bytes. */
export const VALUE_TYPES: Readonly<Record<ValueType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
};

const names = (type: ValueType, list: string): readonly string[] =>
  list.split(" ").map((name) => `${type}.${name}`);
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
  ["select", [0x1b]],
  ["return", [0x0f]],
  ["unreachable", [0x00]],
  ["memory.fill", [0xfc, 0x0b, 0x00]],
]);

/** Accesses of memory: the byte, and the logarithm of the bytes of an element. */
export const ACCESSES: Readonly<Record<string, readonly [byte: number, log: number]>> = {
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
export const CONSTANTS: Readonly<Record<ValueType, number>> = { i32: 0x41, i64: 0x42, f32: 0x43, f64: 0x44 };
/** The bytes of blocks. */
export const BLOCKS = { block: 0x02, loop: 0x03, if: 0x04, else: 0x05, end: 0x0b } as const;
