/** The formats of floats as the bodies of functions see them: bits in one unsigned word of the same width. */

import { Names } from "@groupwise/ir/base/names.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import {
  and,
  binary,
  bitcast,
  cast,
  constant,
  eq,
  lt,
  ne,
  sub,
  u32,
  unary,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";

/** An unsigned type that holds the bits of a float. */
export type Word = "u32" | "u64";

/** A format of IEEE 754. */
export interface Format {
  readonly float: "f16" | "f32" | "f64";
  readonly word: Word;
  readonly width: number;
  /** Digits of the significand without the hidden one. */
  readonly digits: number;
  readonly bias: number;
}

export const SINGLE: Format = { float: "f32", word: "u32", width: 32, digits: 23, bias: 127 };
export const DOUBLE: Format = { float: "f64", word: "u64", width: 64, digits: 52, bias: 1023 };
/** A half as the low 16 bits of a word. */
export const HALF: Format = { float: "f16", word: "u32", width: 16, digits: 10, bias: 15 };
export const FORMATS: readonly Format[] = [SINGLE, DOUBLE];

/** Constants of a format, of its word. */
export const wordOf = ({ word }: Pick<Format, "word">, value: bigint): Expr =>
  constant(word, SCALARS[word].whole(value));
const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n;
export const signBit = (f: Format): Expr => wordOf(f, 1n << BigInt(f.width - 1));
const magnitudeMask = (f: Format): Expr => wordOf(f, ones(f.width - 1));
export const fractionMask = (f: Format): Expr => wordOf(f, ones(f.digits));
export const hiddenBit = (f: Format): Expr => wordOf(f, 1n << BigInt(f.digits));
/** The bits of the power of two with this exponent. */
export const powerBits = (f: Format, exponent: number): Expr =>
  wordOf(f, BigInt(exponent + f.bias) << BigInt(f.digits));
export const infinity = (f: Format): Expr => powerBits(f, f.bias + 1);

export const or = (a: Expr, b: Expr): Expr => binary("or", a, b);
export const xor = (a: Expr, b: Expr): Expr => binary("xor", a, b);
export const gt = (a: Expr, b: Expr): Expr => binary("gt", a, b);
export const ge = (a: Expr, b: Expr): Expr => binary("ge", a, b);
export const shl = (a: Expr, by: Expr | number): Expr =>
  binary("shl", a, typeof by === "number" ? u32(by) : by);
export const shr = (a: Expr, by: Expr | number): Expr =>
  binary("shr", a, typeof by === "number" ? u32(by) : by);
export const not = (a: Expr): Expr => unary("not", a);
/** 0 bits above the highest 1, as a u32. */
export const leadingZeros = (a: Expr): Expr => cast("u32", unary("clz", a));
export const i32 = (value: number): Expr => constant("i32", value);
export const signed = (a: Expr): Expr => bitcast("i32", a);
/** 1 of the word's type where any bit is set. */
export const anyBit = (f: Format, a: Expr): Expr => cast(f.word, ne(a, wordOf(f, 0n)));

/** Sign bit, magnitude, and the tests of a value's bits. */
export class Parts {
  readonly bits: Expr;
  readonly magnitude: Expr;
  readonly sign: Expr;
  private readonly f: Format;

  constructor(code: Code, f: Format, bits: Expr, hint: string = "") {
    this.f = f;
    this.bits = bits;
    this.magnitude = code.let(`${hint}magnitude`, and(bits, magnitudeMask(f)));
    this.sign = and(bits, signBit(f));
  }

  get isNaN(): Expr {
    return gt(this.magnitude, infinity(this.f));
  }
  get isInfinite(): Expr {
    return eq(this.magnitude, infinity(this.f));
  }
  /** Infinite or NaN. */
  get isSpecial(): Expr {
    return ge(this.magnitude, infinity(this.f));
  }
  get isZero(): Expr {
    return eq(this.magnitude, wordOf(this.f, 0n));
  }
  get isNegative(): Expr {
    return ne(this.sign, wordOf(this.f, 0n));
  }
  get isFinal(): Expr {
    return or(this.isZero, this.isSpecial);
  }
}

/** The parts of a float. */
export const partsOf = (code: Code, f: Format, x: Expr, hint: string = ""): Parts =>
  new Parts(code, f, code.let(`${hint}bits`, bitcast(f.word, x)), hint);

/** The significand of a number that is not 0, its highest bit the hidden one, and its biased exponent as a u32, which may wrap. */
export function significandOf(
  code: Code,
  f: Format,
  { magnitude }: Parts,
  hint: string = "",
): { readonly digits: Expr; readonly exponent: Expr } {
  const isSmall = code.let(`${hint}subnormal`, lt(magnitude, hiddenBit(f)));
  const shift = sub(leadingZeros(magnitude), f.width - 1 - f.digits);
  const digits = code.var(`${hint}digits`, or(and(magnitude, fractionMask(f)), hiddenBit(f)));
  const exponent = code.var(`${hint}exponent`, cast("u32", shr(magnitude, f.digits)));
  code.if(isSmall, (then) => {
    const by = then.let("by", shift);
    then.assign(digits, shl(magnitude, by));
    then.assign(exponent, sub(1, by));
  });
  return { digits, exponent };
}

/** NaN's bits come from a variable: as a constant they could not be turned into a float. */
export function returnNaN(code: Code, f: Format): void {
  const quiet = code.var("quiet_nan", or(infinity(f), wordOf(f, 1n << BigInt(f.digits - 1))));
  code.return(bitcast(f.float, quiet));
}

/** The name of a function's body on a type: `reverse_bits_u32`. */
export const bodyName = (op: string, type: Scalar): string =>
  `${op.replace("NaN", "Nan").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_of_${type}`;

/** The name of a fast function on an f32: `fast_exp_of_f32`. */
export const fastName = (op: string): string => `fast_${bodyName(op, "f32")}`;

/** Writes a function whose parameters have types of their own. */
export function body(
  name: string,
  doc: string,
  params: readonly (readonly [name: string, type: Scalar])[],
  returns: Scalar,
  fill: (code: Code, ...args: Expr[]) => void,
): Fn {
  const code = new Code(new Names(params.map(([param]) => param)));
  fill(code, ...params.map(([param, type]): Expr => ({ kind: "var", name: param, type })));
  return {
    name,
    doc,
    params: params.map(([param, type]) => ({ name: param, type })),
    returns,
    width: 1,
    body: code.stmts,
  };
}
