/**
 * Sums, differences and products of f32 on devices that flush subnormal operands and results. A test of the device's own result tells
 * where that may be wrong; other results are computed from bits there. No float operation reads the result of another one, so compilers have nothing to merge.
 */
import type { Code } from "../../language/build.ts";
import type { Expr, VarExpr } from "../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  cast,
  constant,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  unary,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { bitsOf, define, floatOf, HIDDEN, INFINITY, magnitudeOf, SIGN } from "./base/define.ts";
import { normalise, TO_WHOLE, wholeOf } from "./base/normalise.ts";
import { bit, or, shl, shr, signed, xor } from "./base/pair.ts";
import { FLUSHED_NAMES, FLUSHED_OPS, type Flushed, unlessName } from "./subnormal-names.ts";

/**
 * The bits of 2^-101. To a number of at least this magnitude, a subnormal one adds less than half its last digit, and the difference of two such
 * numbers is not subnormal. Half of it would not do: 2^-102 - 2^-127 - 2^-149 is no tie, and the digits below a power of two are half as large.
 */
const LEAST_SUM = 0x0d000000;
/** The bits of 2^-125, past the least normal number, to which a device may round up. */
const LEAST_PRODUCT = 0x01000000;
const signOf = (bits: Expr): Expr => and(bits, SIGN);

/** Returns a result in a function of two operands; undefined stands for the device's own. */
type Return = (condition: Expr, result?: Expr) => void;

/**
 * Returns a + b of magnitudes below 2^-101, in whole numbers. A sum below the least normal number is exact, and a larger one is rounded to as
 * many digits whether times 2^149 or not.
 */
function returnSmallSum(code: Code, a: Expr, b: Expr, returnIf: Return): void {
  const largest = binary("max", magnitudeOf(bitsOf(a)), magnitudeOf(bitsOf(b)));
  // 0 wraps.
  returnIf(binary("ge", sub(largest, 1), LEAST_SUM - 1));
  const [x, y] = [a, b].map((e, i) =>
    code.let(`${"ab"[i]}_whole`, or(wholeOf(magnitudeOf(bitsOf(e))), signOf(bitsOf(e)))),
  ) as [Expr, Expr];
  const whole = code.let("whole", add(floatOf(x), floatOf(y)));
  const magnitude = code.let("magnitude", magnitudeOf(bitsOf(whole)));
  const isSmall = lt(magnitude, TO_WHOLE + HIDDEN);
  const result = select(isSmall, cast("u32", unary("abs", whole)), sub(magnitude, TO_WHOLE));
  code.return(floatOf(or(result, signOf(bitsOf(whole)))));
}

/** Digits of 12 bits, so that their products fit a word. */
const LIMB = 12;
const limbsOf = (digits: Expr): readonly [high: Expr, low: Expr] => [
  shr(digits, LIMB),
  and(digits, 2 ** LIMB - 1),
];
/** Digits below those that rounding needs: there are 47 or 48, and 23 or 24 remain. */
const STICKY = 21;
/** The product of two numbers of 24 digits, without its last 21; the lowest is sticky. */
function digitsOf(a: Expr, b: Expr): Expr {
  const [[a1, a0], [b1, b0]] = [limbsOf(a), limbsOf(b)];
  const middle = add(add(mul(a1, b0), mul(a0, b1)), shr(mul(a0, b0), LIMB));
  const high = add(shl(mul(a1, b1), 2 * LIMB - STICKY), shr(middle, STICKY - LIMB));
  return or(high, bit(ne(and(mul(a, b), 2 ** STICKY - 1), 0)));
}

/**
 * Returns a * b of numbers whose product or operands are subnormal, from their digits: of a 2^(x - 150) and b 2^(y - 150), 2^23 <= a, b < 2^24,
 * a product is rounded to its 24 digits or to a multiple of 2^-149.
 */
function returnSmallProduct(code: Code, a: Expr, b: Expr, returnIf: Return): void {
  const [x, y] = [a, b].map((e, i) => code.let(`${"ab"[i]}_magnitude`, magnitudeOf(bitsOf(e)))) as [
    Expr,
    Expr,
  ];
  const sign = code.let("sign", signOf(xor(bitsOf(a), bitsOf(b))));
  const largest = code.let("largest", binary("max", x, y));
  returnIf(or(eq(binary("min", x, y), 0), binary("gt", largest, INFINITY)));
  returnIf(eq(largest, INFINITY), floatOf(or(sign, largest)));
  const [m, n] = [normalise(code, x, "a"), normalise(code, y, "b")];
  const digits = code.let("digits", digitsOf(m.mantissa, n.mantissa));
  const exponent = code.let("exponent", signed(sub(add(m.exponent, n.exponent), 130)));
  const i32 = (value: number): Expr => constant("i32", value);
  const normal = select(lt(digits, 2 ** 26), i32(2), i32(3));
  const spare = code.let("spare", binary("max", normal, sub(i32(0), exponent)));
  const drop = code.let("drop", bitcast("u32", binary("min", spare, i32(31))));
  const belowHalf = sub(shl(1, sub(drop, 1)), 1);
  const rounded = shr(add(add(digits, belowHalf), and(shr(digits, drop), 1)), drop);
  // The hidden digit is added to the exponent.
  const head = shl(bitcast("u32", add(spare, exponent)), 23);
  code.return(floatOf(or(sign, add(head, rounded))));
}

/** Whether the device's own result is right. A small sum may be wrong, and a product also if it is that of a subnormal number and an infinity, which a device gives as NaN. */
const IS_RIGHT: Readonly<Record<Flushed, (bits: Expr) => Expr>> = {
  add: (bits) => binary("ge", magnitudeOf(bits), LEAST_SUM),
  sub: (bits) => binary("ge", magnitudeOf(bits), LEAST_SUM),
  // Of twice the magnitude, which is one operation with the difference, and has no sign.
  mul: (bits) => binary("le", sub(shl(bits, 1), 2 * LEAST_PRODUCT), 2 * (INFINITY - LEAST_PRODUCT)),
};
const RETURN_EXACT: Readonly<Record<Flushed, (code: Code, a: Expr, b: Expr, returnIf: Return) => void>> = {
  add: returnSmallSum,
  sub: (code, a, b, returnIf) => returnSmallSum(code, a, code.let("minus_b", unary("neg", b)), returnIf),
  mul: returnSmallProduct,
};
const SIGNS: Readonly<Record<Flushed, string>> = { add: "+", sub: "-", mul: "*" };

const exact = (op: Flushed, name: string, doc: string, normal?: VarExpr): Fn => {
  const fn = define(name, {
    doc: `a ${SIGNS[op]} b also for subnormal numbers, ${doc}.`,
    params: ["a", "b"],
    type: "f32",
    returns: "f32",
    body: (code, args) => {
      const [a, b] = args as [Expr, Expr];
      const own = code.let("own", binary(op, a, b));
      const returnIf: Return = (condition, result = own) => code.if(condition, (then) => then.return(result));
      const isRight = IS_RIGHT[op](bitsOf(own));
      returnIf(normal ? or(normal, isRight) : isRight);
      RETURN_EXACT[op](code, a, b, returnIf);
    },
  });
  return normal ? { ...fn, params: [...fn.params, { name: normal.name, type: "bool" }] } : fn;
};

const keeping = (op: Flushed): Fn => exact(op, FLUSHED_NAMES[op], "which devices may flush");
/** The function with a condition: without subnormal numbers the device's own result is right. */
const unless = (op: Flushed): Fn =>
  exact(op, unlessName(op), "unless there are none", { kind: "var", name: "normal", type: "bool" });

export const SUBNORMAL_FUNCTIONS: readonly Fn[] = [...FLUSHED_OPS.map(keeping), ...FLUSHED_OPS.map(unless)];
