/** Division: exactly rounded for floats, defined everywhere for integers. */

import { SCALARS, type Scalar } from "../../ir/tables/scalar.ts";
import type { Code } from "../kernel/build.ts";
import type { Expr, VarExpr } from "../kernel/expr.ts";
import { add, and, binary, constant, eq, mul, ne, select, sub, u32, unary } from "../kernel/make-expr.ts";
import type { Fn } from "../kernel/module.ts";
import {
  bitsOf,
  define,
  floatOf,
  INFINITY,
  isNaNBits,
  magnitudeOf,
  nativeName,
  QUIET_NAN,
  SIGN,
} from "./base/define.ts";

const HIDDEN = 0x800000;

/** Mantissa with its leading bit at 2^23, and the exponent that belongs to it, also for subnormals. */
function normalise(code: Code, magnitude: Expr, hint: string): { mantissa: VarExpr; exponent: VarExpr } {
  const subnormal = binary("lt", magnitude, u32(HIDDEN));
  const shift = code.let(`${hint}_shift`, select(subnormal, sub(unary("clz", magnitude), u32(8)), u32(0)));
  const fraction = binary("and", magnitude, u32(HIDDEN - 1));
  const mantissa = code.var(
    `${hint}_mantissa`,
    select(subnormal, binary("shl", magnitude, shift), binary("or", fraction, u32(HIDDEN))),
  );
  const exponent = code.let(
    `${hint}_exponent`,
    select(subnormal, sub(u32(1), shift), binary("shr", magnitude, u32(23))),
  );
  return { mantissa, exponent };
}

const divideFloat = define("div_f32", {
  doc: "a / b, rounded to nearest even by long division of the mantissas.",
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
      binary("and", binary("xor", bitsOf(args[0] as Expr), bitsOf(args[1] as Expr)), u32(SIGN)),
    );
    const give = (condition: Expr, bits: Expr): void =>
      code.if(condition, (then) => then.return(floatOf(bits)));
    const bothAre = (value: number): Expr => and(eq(a, u32(value)), eq(b, u32(value)));
    const undefinedQuotient = binary("or", bothAre(0), bothAre(INFINITY));
    // The NaN's bits come from a variable: as a constant they could not be turned into a float.
    const quiet = code.var("quiet_nan", u32(QUIET_NAN));
    give(binary("or", binary("or", isNaNBits(a), isNaNBits(b)), undefinedQuotient), quiet);
    give(binary("or", eq(a, u32(INFINITY)), eq(b, u32(0))), binary("or", sign, u32(INFINITY)));
    give(binary("or", eq(a, u32(0)), eq(b, u32(INFINITY))), sign);

    const x = normalise(code, a, "a");
    const y = normalise(code, b, "b");
    // Wraps below 0; compared as a signed number further down.
    const exponent = code.var("exponent", add(sub(x.exponent, y.exponent), u32(127)));
    code.if(binary("lt", x.mantissa, y.mantissa), (then) => {
      then.assign(x.mantissa, binary("shl", x.mantissa, u32(1)));
      then.assign(exponent, sub(exponent, u32(1)));
    });
    code.comment("26 bits of quotient: 24 of mantissa and two for rounding; the remainder is sticky");
    const quotient = code.var("quotient", u32(0));
    code.for("bit", u32(0), u32(26), (body) => {
      const fits = body.let("fits", binary("ge", x.mantissa, y.mantissa));
      body.assign(quotient, binary("or", binary("shl", quotient, u32(1)), select(fits, u32(1), u32(0))));
      body.assign(x.mantissa, binary("shl", sub(x.mantissa, select(fits, y.mantissa, u32(0))), u32(1)));
    });
    const signed: Expr = { kind: "bitcast", of: exponent, type: "i32" };
    give(binary("ge", signed, constant("i32", 255)), binary("or", sign, u32(INFINITY)));
    const small = code.let("small", binary("lt", signed, constant("i32", 1)));
    const extra = code.let("extra", select(small, binary("min", sub(u32(1), exponent), u32(26)), u32(0)));
    const drop = code.let("drop", add(extra, u32(2)));
    const kept = code.let("kept", binary("shr", quotient, drop));
    const rest = code.let("rest", sub(quotient, binary("shl", kept, drop)));
    const half = code.let("half", binary("shl", u32(1), sub(drop, u32(1))));
    const odd = ne(binary("and", kept, u32(1)), u32(0));
    const tieUp = and(eq(rest, half), binary("or", ne(x.mantissa, u32(0)), odd));
    const rounded = code.let(
      "rounded",
      add(kept, select(binary("or", binary("gt", rest, half), tieUp), u32(1), u32(0))),
    );
    // A normal mantissa carries its hidden bit into the exponent, and a carry out of it one more.
    const high = select(small, u32(0), mul(sub(exponent, u32(1)), u32(HIDDEN)));
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
      // Dividing by 1 gives a, and leaves 0: what both rules ask for.
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
