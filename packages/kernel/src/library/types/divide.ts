/** Division: exactly rounded for floats, defined everywhere for integers. */

import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "../../language/build.ts";
import type { Expr, VarExpr } from "../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  constant,
  eq,
  mul,
  ne,
  select,
  sub,
  u32,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import {
  bitsOf,
  define,
  floatOf,
  HIDDEN,
  INFINITY,
  isNaNBits,
  magnitudeOf,
  nativeName,
  QUIET_NAN,
  SIGN,
} from "./base/define.ts";
import { normalise } from "./base/normalise.ts";

/** The bits of 1. */
const ONE = 0x3f800000;
const i32 = (value: number): Expr => constant("i32", value);
const signed = (x: Expr): Expr => bitcast("i32", x);

const FRACTION = HIDDEN - 1;
const digitsOf = (magnitude: Expr): Expr => binary("or", and(magnitude, FRACTION), HIDDEN);
/** The fraction as a float with this exponent. */
const scaled = (magnitude: Expr, exponent: Expr): Expr =>
  floatOf(binary("or", and(magnitude, FRACTION), exponent));
const isBetween = (x: Expr, least: number, count: number): Expr => binary("lt", sub(x, least), count);

/**
 * Returns the quotient if the language's own division is close enough: specifications bound its error to 2.5 ulp for normal numbers.
 * The remainder, computed in whole numbers, moves it to the nearest. No quotient of 24 digits lies halfway between two others.
 */
function returnNear(code: Code, sign: Expr, a: Expr, b: Expr): void {
  const powers = [a, b].map((x, i) => code.let(`${"ab"[i]}_power`, binary("shr", x, 23)));
  const [m, n] = powers as [Expr, Expr];
  const power = code.let("power", sub(add(m, 127), n));
  const areNormal = and(isBetween(m, 1, 254), isBetween(n, 1, 254));
  code.if(and(areNormal, isBetween(power, 2, 252)), (then) => {
    const divisor = then.let("divisor", digitsOf(b));
    const less = then.let("less", select(binary("lt", digitsOf(a), divisor), 1, 0));
    const [above, below] = [scaled(a, add(ONE, mul(less, HIDDEN))), scaled(b, u32(ONE))];
    const near = then.let("near", bitsOf(binary("div", above, below)));
    const shift = sub(binary("shr", near, 23), 126);
    const digits = then.var("digits", binary("shr", binary("shl", digitsOf(near), shift), 1));
    // Of the dividend times a power of two, less a product that is nearly as large, the low bits are left.
    const dividend = binary("shl", a, add(23, less));
    const left = then.var("left", signed(sub(dividend, mul(digits, divisor))));
    const exponent = then.let("exponent", binary("shl", sub(sub(power, less), 1), 23));
    const most = then.let("most", signed(divisor));
    const twice = binary("shl", left, 1);
    const isAbove = binary("gt", twice, most);
    const isBelow = binary("lt", twice, sub(i32(0), most));
    const step = (code: Code): void => {
      const by = code.let("by", sub(select(isAbove, i32(1), i32(0)), select(isBelow, i32(1), i32(0))));
      code.assign(digits, add(digits, bitcast("u32", by)));
      code.assign(left, sub(left, mul(by, most)));
    };
    const isNearest = and(binary("lt", twice, most), binary("gt", twice, sub(i32(0), most)));
    const giveNearest = (code: Code): void =>
      code.if(isNearest, (end) => end.return(floatOf(binary("or", sign, add(exponent, digits)))));
    // Most quotients are at most one unit off.
    step(then);
    giveNearest(then);
    then.for("more", 0, 2, step);
    giveNearest(then);
  });
}

const divideFloat = define("div_f32", {
  doc: "a / b, rounded to nearest even: the language's own quotient and its exact remainder, or long division.",
  params: ["a", "b"],
  type: "f32",
  returns: "f32",
  body: (code, args) => {
    const [a, b] = args.map((x, i) => code.let(`${"ab"[i]}_magnitude`, magnitudeOf(bitsOf(x)))) as [
      VarExpr,
      VarExpr,
    ];
    const sign = code.let(
      "sign",
      binary("and", binary("xor", bitsOf(args[0] as Expr), bitsOf(args[1] as Expr)), SIGN),
    );
    const give = (condition: Expr, bits: Expr): void =>
      code.if(condition, (then) => then.return(floatOf(bits)));
    const bothAre = (value: number): Expr => and(eq(a, value), eq(b, value));
    const undefinedQuotient = binary("or", bothAre(0), bothAre(INFINITY));
    // The NaN's bits come from a variable: as a constant they could not be turned into a float.
    const quiet = code.var("quiet_nan", u32(QUIET_NAN));
    returnNear(code, sign, a, b);
    give(binary("or", binary("or", isNaNBits(a), isNaNBits(b)), undefinedQuotient), quiet);
    give(binary("or", eq(a, INFINITY), eq(b, 0)), binary("or", sign, INFINITY));
    give(binary("or", eq(a, 0), eq(b, INFINITY)), sign);

    const x = normalise(code, a, "a");
    const y = normalise(code, b, "b");
    // Wraps below 0; compared as a signed number further down.
    const exponent = code.var("exponent", add(sub(x.exponent, y.exponent), 127));
    code.if(binary("lt", x.mantissa, y.mantissa), (then) => {
      then.assign(x.mantissa, binary("shl", x.mantissa, 1));
      then.assign(exponent, sub(exponent, 1));
    });
    code.comment("26 bits of quotient: 24 of the significand and two for rounding; the remainder is sticky");
    const quotient = code.var("quotient", u32(0));
    code.for("bit", 0, 26, (body) => {
      const fits = body.let("fits", binary("ge", x.mantissa, y.mantissa));
      body.assign(quotient, binary("or", binary("shl", quotient, 1), select(fits, 1, 0)));
      body.assign(x.mantissa, binary("shl", sub(x.mantissa, select(fits, y.mantissa, 0)), 1));
    });
    give(binary("ge", signed(exponent), constant("i32", 255)), binary("or", sign, INFINITY));
    const small = code.let("small", binary("lt", signed(exponent), constant("i32", 1)));
    const extra = code.let("extra", select(small, binary("min", sub(1, exponent), 26), 0));
    const drop = code.let("drop", add(extra, 2));
    const kept = code.let("kept", binary("shr", quotient, drop));
    const rest = code.let("rest", sub(quotient, binary("shl", kept, drop)));
    const half = code.let("half", binary("shl", 1, sub(drop, 1)));
    const odd = ne(binary("and", kept, 1), 0);
    const tieUp = and(eq(rest, half), binary("or", ne(x.mantissa, 0), odd));
    const rounded = code.let(
      "rounded",
      add(kept, select(binary("or", binary("gt", rest, half), tieUp), 1, 0)),
    );
    // A normal mantissa carries its hidden bit into the exponent, and a carry out of it one more.
    const high = select(small, 0, mul(sub(exponent, 1), HIDDEN));
    code.return(floatOf(binary("or", sign, add(high, rounded))));
  },
});

const integer = (op: "div" | "rem", type: Scalar): Fn => {
  const doc =
    op === "div"
      ? "a / b towards 0; a / 0 is a, and the least integer / -1 is itself."
      : "a % b with the sign of a; a % 0 is 0.";
  return define(nativeName(op, type), {
    doc,
    params: ["a", "b"],
    type,
    returns: type,
    body: (code, args) => {
      const [a, b] = args as [Expr, Expr];
      const { kind, lowest, whole: made } = SCALARS[type];
      const whole = (x: number): Expr => constant(type, made(x));
      const isZero = eq(b, whole(0));
      // Dividing by 1 gives quotient a and remainder 0, as both rules require.
      const overflow =
        kind === "int" ? binary("or", isZero, and(eq(a, constant(type, lowest)), eq(b, whole(-1)))) : isZero;
      const divisor = code.let("divisor", select(overflow, whole(1), b));
      code.return({ kind: "binary", op, left: a, right: divisor, type });
    },
  });
};

export const DIVIDE_FUNCTIONS: readonly Fn[] = [
  divideFloat,
  ...(["i32", "u32", "i64", "u64"] as const).flatMap((type) => [integer("div", type), integer("rem", type)]),
];
