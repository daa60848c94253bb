/**
 * x * y + z, rounded once: the product in two words, the aligned addend, and the digits that are shifted out as a sticky digit.
 * (musl, src/math/fma.c, has the same alignment.)
 */
import type { Code } from "../../language/build.ts";
import type { Expr, VarExpr } from "../../language/expr.ts";
import { add, and, bitcast, cast, eq, lt, mul, ne, select, sub, u32 } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import {
  anyBit,
  body,
  bodyName,
  FORMATS,
  type Format,
  gt,
  i32,
  leadingZeros,
  not,
  or,
  type Parts,
  partsOf,
  returnNaN,
  shl,
  shr,
  signBit,
  signed,
  significandOf,
  wordOf,
  xor,
} from "./format.ts";
import { mulHigh } from "./integers.ts";
import { packed, packedDigits } from "./pack.ts";

interface Two {
  readonly hi: VarExpr;
  readonly lo: VarExpr;
}
interface Sum {
  readonly product: Two;
  readonly addend: Two;
  /** Of the lowest digit of both. */
  readonly exponent: VarExpr;
}

/** NaN, infinities, and products of 0, which need no digits. */
function specials(
  code: Code,
  f: Format,
  [a, b, c]: readonly [Parts, Parts, Parts],
  sign: Expr,
  z: Expr,
): void {
  const isInvalid = or(and(a.isInfinite, b.isZero), and(a.isZero, b.isInfinite));
  const isInfinite = code.let("product_infinite", or(a.isInfinite, b.isInfinite));
  const cancels = and(and(isInfinite, c.isInfinite), ne(sign, c.sign));
  const hasNaN = or(or(a.isNaN, b.isNaN), c.isNaN);
  code.if(or(or(hasNaN, isInvalid), cancels), (then) => returnNaN(then, f));
  code.if(isInfinite, (then) => {
    const magnitude = select(a.isInfinite, a.magnitude, b.magnitude);
    then.return(bitcast(f.float, or(sign, magnitude)));
  });
  code.if(c.isInfinite, (then) => then.return(z));
  code.if(or(a.isZero, b.isZero), (then) => {
    then.if(not(c.isZero), (other) => other.return(z));
    then.return(bitcast(f.float, and(sign, c.sign)));
  });
}

/** Shifts right by less than the width, and more than 0; the lowest digit of the result is sticky. */
const shiftedDown = (f: Format, x: Expr, by: Expr): Expr =>
  or(shr(x, by), anyBit(f, shl(x, sub(f.width, by))));

/** The addend has the higher lowest digit: it goes up, or the product down. */
function addendUp(code: Code, f: Format, { product, addend, exponent }: Sum, by: Expr, top: Expr): void {
  const width = u32(f.width);
  code.if(
    lt(by, width),
    (then) => {
      then.assign(addend.hi, shr(addend.lo, sub(width, by)));
      then.assign(addend.lo, shl(addend.lo, by));
    },
    (far) => {
      far.assign(addend.hi, addend.lo);
      far.assign(addend.lo, wordOf(f, 0n));
      far.assign(exponent, sub(top, width));
      const down = far.let("down", sub(by, width));
      far.if(gt(down, u32(0)), (more) =>
        more.if(
          lt(down, width),
          (near) => {
            const carried = shl(product.hi, sub(width, down));
            near.assign(product.lo, or(carried, shiftedDown(f, product.lo, down)));
            near.assign(product.hi, shr(product.hi, down));
          },
          (tiny) => {
            tiny.assign(product.lo, wordOf(f, 1n));
            tiny.assign(product.hi, wordOf(f, 0n));
          },
        ),
      );
    },
  );
}

/** The addend has the lower lowest digit: it goes down. */
function addendDown(code: Code, f: Format, { addend }: Sum, by: Expr): void {
  code.if(gt(by, u32(0)), (then) =>
    then.if(
      lt(by, f.width),
      (near) => near.assign(addend.lo, shiftedDown(f, addend.lo, by)),
      (far) => far.assign(addend.lo, anyBit(f, addend.lo)),
    ),
  );
}

/** Adds or subtracts the addend; returns the sign of the sum. */
function addUp(code: Code, f: Format, { product, addend }: Sum, sign: Expr, own: Expr): VarExpr {
  const zero = wordOf(f, 0n);
  const result = code.var("sign_of_sum", sign);
  const before = code.let("before", product.lo);
  code.if(
    eq(sign, own),
    (same) => {
      same.assign(product.lo, add(product.lo, addend.lo));
      const carry = cast(f.word, lt(product.lo, before));
      same.assign(product.hi, add(add(product.hi, addend.hi), carry));
    },
    (differ) => {
      differ.assign(product.lo, sub(product.lo, addend.lo));
      const borrow = cast(f.word, lt(before, product.lo));
      differ.assign(product.hi, sub(sub(product.hi, addend.hi), borrow));
      differ.if(ne(and(product.hi, signBit(f)), zero), (negative) => {
        negative.assign(product.lo, sub(zero, product.lo));
        const carry = cast(f.word, ne(product.lo, zero));
        negative.assign(product.hi, sub(sub(zero, product.hi), carry));
        negative.assign(result, xor(sign, signBit(f)));
      });
    },
  );
  return result;
}

/** The nearest float to two words of digits. */
function rounded(code: Code, f: Format, { product, exponent }: Sum, sign: Expr): void {
  const zero = wordOf(f, 0n);
  // The biased exponent of the top bit of a word whose lowest digit has the exponent.
  const topOf = (lowest: Expr): Expr => add(lowest, f.width - 1 + f.bias);
  code.if(eq(or(product.hi, product.lo), zero), (then) => then.return(bitcast(f.float, zero)));
  code.if(eq(product.hi, zero), (then) =>
    then.return(packedDigits(then, f, sign, topOf(exponent), product.lo)),
  );
  // The top word has a zero above its digits: the lower one is shifted by less than the width.
  const by = code.let("by", leadingZeros(product.hi));
  const lower = shiftedDown(f, product.lo, sub(f.width, by));
  const top = sub(topOf(exponent), sub(by, f.width));
  code.return(packed(f, sign, top, or(shl(product.hi, by), lower)));
}

const fma = (f: Format): Fn => {
  const params = (["x", "y", "z"] as const).map((name) => [name, f.float] as const);
  return body(bodyName("fma", f.float), "x * y + z, rounded once.", params, f.float, (code, ...args) => {
    const all = args.map((x, i) => partsOf(code, f, x, `${"xyz"[i]}_`)) as [Parts, Parts, Parts];
    const [a, b, c] = all;
    const sign = code.let("sign", and(xor(a.bits, b.bits), signBit(f)));
    specials(code, f, all, sign, args[2] as Expr);
    const [p, q, r] = all.map((x, i) => significandOf(code, f, x, `${"xyz"[i]}_`)) as ReturnType<
      typeof significandOf
    >[];
    if (!p || !q || !r) return;
    // A zero above and below the digits of each.
    const [m, n] = [code.let("m", shl(p.digits, 1)), code.let("n", shl(q.digits, 1))];
    const product = { hi: code.var("high", mulHigh(m, n)), lo: code.var("low", mul(m, n)) };
    const offset = u32(f.bias + f.digits + 1);
    const exponent = code.var("lowest", sub(sub(add(p.exponent, q.exponent), offset), offset));
    const own = sub(r.exponent, offset);
    // A zero has no digits, and has the exponent of the product.
    const addendDigits = select(c.isZero, wordOf(f, 0n), shl(r.digits, 1));
    const top = code.let("z_lowest", select(c.isZero, exponent, own));
    const addend = { hi: code.var("addend_high", wordOf(f, 0n)), lo: code.var("addend_low", addendDigits) };
    const sum = { product, addend, exponent };
    const distance = code.let("distance", sub(top, exponent));
    code.if(
      gt(signed(distance), i32(0)),
      (then) => addendUp(then, f, sum, distance, top),
      (otherwise) => addendDown(otherwise, f, sum, otherwise.let("down", sub(0, distance))),
    );
    const signOfSum = addUp(code, f, sum, sign, c.sign);
    rounded(code, f, sum, signOfSum);
  });
};

export const FMA_BODIES: readonly Fn[] = FORMATS.map(fma);
