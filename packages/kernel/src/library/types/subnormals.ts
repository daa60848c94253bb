/**
 * Sums, differences and products of f32 on devices that flush subnormal operands and results. A test of the device's own result tells
 * where that may be wrong; other results are computed from bits there. What is computed has one float operation at most, so compilers have nothing to merge.
 */
import type { Expr, VarExpr } from "../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  call,
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
import { normalise } from "./base/normalise.ts";
import { bit, or, shl, shr, signed, xor } from "./base/pair.ts";
import { FLUSHED_NAMES, FLUSHED_OPS, type Flushed, unlessName } from "./subnormal-names.ts";

/**
 * The bits of 2^-101. To a number of at least this magnitude, a subnormal one adds less than half its last digit, and the difference of two such
 * numbers is not subnormal. Half of it would not do: 2^-102 - 2^-127 - 2^-149 is no tie, and the digits below a power of two are half as large.
 */
const LEAST_SUM = 0x0d000000;
/** The bits of 2^-125, past the least normal number, to which a device may round up. */
const LEAST_PRODUCT = 0x01000000;
/** To the bits of a normal number: times 2^149, which makes a whole number of each float. */
const TO_WHOLE = 149 << 23;
const signOf = (bits: Expr): Expr => and(bits, SIGN);

const WHOLE = define("whole_of_f32", {
  doc: "x 2^149, which is a whole number, of a magnitude below 2^-101.",
  params: ["x"],
  type: "f32",
  returns: "f32",
  body: (code, [x]) => {
    const magnitude = code.let("magnitude", magnitudeOf(bitsOf(x as Expr)));
    const whole = select(lt(magnitude, HIDDEN), bitsOf(cast("f32", magnitude)), add(magnitude, TO_WHOLE));
    code.return(floatOf(or(whole, signOf(bitsOf(x as Expr)))));
  },
});
const wholeOf = (x: Expr): Expr => call(WHOLE.name, "f32", [x]);

/** A sum below the least normal number is exact, and a larger one is rounded to as many digits whether times 2^149 or not. */
const SMALL_SUM = define("small_sum_f32", {
  doc: "a + b of magnitudes below 2^-101, in whole numbers; of others and of zeros, the given sum.",
  params: ["sum", "a", "b"],
  type: "f32",
  returns: "f32",
  body: (code, args) => {
    const [sum, a, b] = args as [Expr, Expr, Expr];
    const largest = binary("max", magnitudeOf(bitsOf(a)), magnitudeOf(bitsOf(b)));
    // 0 wraps.
    code.if(binary("ge", sub(largest, 1), LEAST_SUM - 1), (then) => then.return(sum));
    const whole = code.let("whole", add(wholeOf(a), wholeOf(b)));
    const magnitude = code.let("magnitude", magnitudeOf(bitsOf(whole)));
    const isSmall = lt(magnitude, TO_WHOLE + HIDDEN);
    const result = select(isSmall, cast("u32", unary("abs", whole)), sub(magnitude, TO_WHOLE));
    code.return(floatOf(or(result, signOf(bitsOf(whole)))));
  },
});

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

/** Numbers a 2^(x - 150) and b 2^(y - 150), 2^23 <= a, b < 2^24: a product is rounded to its 24 digits or to a multiple of 2^-149. */
const SMALL_PRODUCT = define("small_product_f32", {
  doc: "a * b of numbers whose product or operands are subnormal, from their digits; of others, the given product.",
  params: ["product", "a", "b"],
  type: "f32",
  returns: "f32",
  body: (code, args) => {
    const [product, a, b] = args as [Expr, Expr, Expr];
    const [x, y] = [a, b].map((e, i) => code.let(`${"ab"[i]}_magnitude`, magnitudeOf(bitsOf(e)))) as [
      Expr,
      Expr,
    ];
    const sign = code.let("sign", signOf(xor(bitsOf(a), bitsOf(b))));
    const largest = code.let("largest", binary("max", x, y));
    const isFinal = or(eq(binary("min", x, y), 0), binary("gt", largest, INFINITY));
    code.if(isFinal, (then) => then.return(product));
    code.if(eq(largest, INFINITY), (then) => then.return(floatOf(or(sign, largest))));
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
  },
});

/** A sum that may be wrong is small; a product may also be that of a subnormal number and an infinity, which a device gives as NaN. */
const MAY_BE_WRONG: Readonly<Record<Flushed, (bits: Expr) => Expr>> = {
  add: (bits) => lt(magnitudeOf(bits), LEAST_SUM),
  sub: (bits) => lt(magnitudeOf(bits), LEAST_SUM),
  // Of twice the magnitude, which is one operation with the difference, and has no sign.
  mul: (bits) => binary("gt", sub(shl(bits, 1), 2 * LEAST_PRODUCT), 2 * (INFINITY - LEAST_PRODUCT)),
};
const EXACT: Readonly<Record<Flushed, (own: Expr, a: Expr, b: Expr) => Expr>> = {
  add: (own, a, b) => call(SMALL_SUM.name, "f32", [own, a, b]),
  sub: (own, a, b) => call(SMALL_SUM.name, "f32", [own, a, unary("neg", b)]),
  mul: (own, a, b) => call(SMALL_PRODUCT.name, "f32", [own, a, b]),
};
const SIGNS: Readonly<Record<Flushed, string>> = { add: "+", sub: "-", mul: "*" };

const keeping = (op: Flushed): Fn =>
  define(FLUSHED_NAMES[op], {
    doc: `a ${SIGNS[op]} b also for subnormal numbers, which devices may flush.`,
    params: ["a", "b"],
    type: "f32",
    returns: "f32",
    body: (code, args) => {
      const [a, b] = args as [Expr, Expr];
      const own = code.let("own", binary(op, a, b));
      code.if(MAY_BE_WRONG[op](bitsOf(own)), (then) => then.return(EXACT[op](own, a, b)));
      code.return(own);
    },
  });

/** The function with a condition: without subnormal numbers the device's own result is right. */
const unless = (op: Flushed): Fn => {
  const kept = keeping(op);
  const normal: VarExpr = { kind: "var", name: "normal", type: "bool" };
  return {
    ...kept,
    name: unlessName(op),
    doc: `a ${SIGNS[op]} b also for subnormal numbers, unless there are none.`,
    params: [...kept.params, { name: normal.name, type: "bool" }],
    body: kept.body.map((stmt) =>
      stmt.kind === "if" ? { ...stmt, condition: binary("and", unary("not", normal), stmt.condition) } : stmt,
    ),
  };
};

/** Callees before callers. */
export const SUBNORMAL_FUNCTIONS: readonly Fn[] = [
  WHOLE,
  SMALL_SUM,
  SMALL_PRODUCT,
  ...FLUSHED_OPS.map(keeping),
  ...FLUSHED_OPS.map(unless),
];
