import { Names } from "@groupwise/ir/base/names.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { binary, bitcast } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";

/** The parts of a function: names and type of its parameters, its result, and its body. */
export interface Definition {
  readonly doc: string;
  readonly params: readonly string[];
  readonly type: Scalar;
  readonly returns: Scalar;
  readonly body: (code: Code, args: readonly Expr[]) => void;
  readonly width?: number;
}

/** Writes a function in Kernel IR: all its parameters have one type, and so have its results. */
export function define(name: string, { doc, params, type, returns, body, width = 1 }: Definition): Fn {
  const code = new Code(new Names(params));
  body(
    code,
    params.map((param): Expr => ({ kind: "var", name: param, type })),
  );
  return {
    name,
    doc,
    params: params.map((param) => ({ name: param, type })),
    returns,
    width,
    body: code.stmts,
  };
}

export const SIGN = 0x80000000;
export const MAGNITUDE = 0x7fffffff;
/** The digit of a normal number's significand that its bits leave out. */
export const HIDDEN = 0x800000;
export const INFINITY = 0x7f800000;
export const QUIET_NAN = 0x7fc00000;

export const bitsOf = (x: Expr): Expr => bitcast("u32", x);
export const floatOf = (x: Expr): Expr => bitcast("f32", x);
export const magnitudeOf = (bits: Expr): Expr => binary("and", bits, MAGNITUDE);
export const isNaNBits = (bits: Expr): Expr => binary("gt", magnitudeOf(bits), INFINITY);

/** The name of a function on native values; without the middle part it is the name of the function on two words. */
export const nativeName = (op: string, type: Scalar): string =>
  SCALARS[type].bits === 64 ? `${op}_native_${type}` : `${op}_${type}`;
