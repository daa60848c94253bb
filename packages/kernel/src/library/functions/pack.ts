/** Rounds a sign, an exponent and digits to the nearest float, and functions that need only that. */
import type { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import { add, and, binary, bitcast, call, cast, lt, sub, u32 } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import {
  anyBit,
  body,
  bodyName,
  FORMATS,
  type Format,
  fractionMask,
  ge,
  gt,
  i32,
  infinity,
  leadingZeros,
  or,
  partsOf,
  powerBits,
  shl,
  shr,
  signed,
  significandOf,
  wordOf,
} from "./format.ts";

const packName = ({ float }: Format): string => bodyName("nearest", float);
const PACKED =
  "The float nearest to these bits. The top bit has the given biased exponent; the lowest bit is sticky.";

const pack = (f: Format): Fn => {
  const params = [
    ["sign", f.word],
    ["exponent", "u32"],
    ["digits", f.word],
  ] as const;
  const spare = f.width - 1 - f.digits;
  return body(packName(f), PACKED, params, f.float, (code, ...args) => {
    const [sign, exponent, given] = args as [Expr, Expr, Expr];
    const last = 2 * f.bias + 1;
    const isLarge = ge(signed(exponent), i32(last));
    code.if(isLarge, (then) => then.return(bitcast(f.float, or(sign, infinity(f)))));
    const digits = code.var("kept", given);
    const biased = code.var("biased", exponent);
    code.if(lt(signed(exponent), i32(1)), (then) => {
      // The exponent of subnormal numbers, and no hidden digit to add to it.
      const by = then.let("by", binary("min", sub(1, exponent), f.width - 1));
      const lost = anyBit(f, shl(digits, sub(f.width, by)));
      then.assign(digits, or(shr(digits, by), lost));
      then.assign(biased, u32(1));
    });
    const kept = code.let("whole", shr(digits, spare));
    const rest = add(and(digits, wordOf(f, (1n << BigInt(spare)) - 1n)), and(kept, wordOf(f, 1n)));
    const up = cast(f.word, gt(rest, wordOf(f, 1n << BigInt(spare - 1))));
    const head = shl(cast(f.word, sub(biased, 1)), f.digits);
    code.return(bitcast(f.float, or(sign, add(add(head, kept), up))));
  });
};

/** The float nearest to a word of digits whose top bit, which is set, has the biased exponent. */
export const packed = (f: Format, sign: Expr, exponent: Expr, digits: Expr): Expr =>
  call(packName(f), f.float, [sign, exponent, digits]);

/** Any digits but none at all: the top bit may be lower. */
export function packedDigits(code: Code, f: Format, sign: Expr, exponent: Expr, digits: Expr): Expr {
  const zeros = code.let("zeros", leadingZeros(digits));
  return packed(f, sign, sub(exponent, zeros), shl(digits, zeros));
}

/** Past these powers everything is 0 or infinite. */
const FAR = 5000;
const ldexp = (f: Format): Fn => {
  const params = [
    ["x", f.float],
    ["n", "i32"],
  ] as const;
  return body(bodyName("ldexp", f.float), "x * 2^n, rounded once.", params, f.float, (code, x, n) => {
    const parts = partsOf(code, f, x as Expr);
    code.if(parts.isFinal, (then) => then.return(x as Expr));
    const { digits, exponent } = significandOf(code, f, parts);
    const by = binary("max", binary("min", n as Expr, i32(FAR)), i32(-FAR));
    const top = shl(digits, f.width - 1 - f.digits);
    code.return(packed(f, parts.sign, add(exponent, bitcast("u32", by)), top));
  });
};

const mantissa = (f: Format): Fn =>
  body(bodyName("mantissa", f.float), "The fraction of frexp.", [["x", f.float]], f.float, (code, x) => {
    const parts = partsOf(code, f, x as Expr);
    code.if(parts.isFinal, (then) => then.return(x as Expr));
    const { digits } = significandOf(code, f, parts);
    const fraction = or(and(digits, fractionMask(f)), powerBits(f, -1));
    code.return(bitcast(f.float, or(parts.sign, fraction)));
  });

const exponent = (f: Format): Fn =>
  body(bodyName("exponent", f.float), "The exponent of frexp.", [["x", f.float]], "i32", (code, x) => {
    const parts = partsOf(code, f, x as Expr);
    code.if(parts.isFinal, (then) => then.return(i32(0)));
    const { exponent: biased } = significandOf(code, f, parts);
    code.return(signed(sub(biased, f.bias - 1)));
  });

/** Callees before callers. */
export const PACK_BODIES: readonly Fn[] = FORMATS.flatMap((f) => [
  pack(f),
  ldexp(f),
  mantissa(f),
  exponent(f),
]);
