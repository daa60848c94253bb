/** Conversions and constants that languages define differently or not at all. */

import { SCALAR_NAMES, SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../../language/expr.ts";
import {
  add,
  binary,
  bitcast,
  cast,
  constant,
  join,
  lt,
  mul,
  select,
  sub,
  u32,
  unary,
  word,
  zeroOf,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import {
  bitsOf,
  define,
  floatOf,
  INFINITY,
  isNaNBits,
  magnitudeOf,
  nativeName,
  SIGN,
} from "./base/define.ts";

const fromBits = define("f32_of_bits", {
  doc: "The float with these bits. A function, because constants may not be infinite or NaN.",
  params: ["bits"],
  type: "u32",
  returns: "f32",
  body: (code, [bits]) => {
    code.return(floatOf(bits as Expr));
  },
});

const halfFromBits = define("f16_of_bits", {
  doc: "The half with these bits. A function, because constants may not be infinite or NaN.",
  params: ["bits"],
  type: "u32",
  returns: "f16",
  body: (code, [bits]) => {
    code.return(join("f16", [bits as Expr]));
  },
});

/** The float's magnitude truncated; only for magnitudes below 2^32. */
const truncated = (magnitude: Expr): Expr => {
  const exponent = binary("shr", magnitude, 23);
  const mantissa = binary("or", binary("and", magnitude, 0x7fffff), 0x800000);
  const left = binary("shl", mantissa, binary("and", sub(exponent, 150), 31));
  const right = binary("shr", mantissa, binary("and", sub(150, exponent), 31));
  return select(lt(exponent, 127), 0, select(lt(exponent, 150), right, left));
};

const toI32 = define("i32_of_f32", {
  doc: "Truncates; saturates outside i32; NaN becomes 0.",
  params: ["x"],
  type: "f32",
  returns: "i32",
  body: (code, [x]) => {
    const bits = code.let("bits", bitsOf(x as Expr));
    const magnitude = code.let("magnitude", magnitudeOf(bits));
    const negative = code.let("negative", binary("ge", bits, SIGN));
    code.if(isNaNBits(bits), (then) => then.return(constant("i32", 0)));
    // 0x4f000000 is 2^31.
    code.if(binary("ge", magnitude, 0x4f000000), (then) => {
      then.return(select(negative, bitcast("i32", u32(SIGN)), constant("i32", 0x7fffffff)));
    });
    const whole = code.let("whole", bitcast("i32", truncated(magnitude)));
    code.return(select(negative, unary("neg", whole), whole));
  },
});

const toU32 = define("u32_of_f32", {
  doc: "Truncates; saturates outside u32; NaN becomes 0.",
  params: ["x"],
  type: "f32",
  returns: "u32",
  body: (code, [x]) => {
    const bits = code.let("bits", bitsOf(x as Expr));
    // NaN and all floats with a sign.
    code.if(binary("gt", bits, INFINITY), (then) => then.return(u32(0)));
    // 0x4f800000 is 2^32.
    code.if(binary("ge", bits, 0x4f800000), (then) => then.return(u32(0xffffffff)));
    code.return(truncated(bits));
  },
});

/** From here on floats are whole numbers. */
export const FROM_WHOLE: number = 2 ** 24;
export const SHORT_NAME = "short_u32_of_f32";
const toShort: Fn = define(SHORT_NAME, {
  doc: "Truncates a number from 0 on and below 2^24.",
  params: ["x"],
  type: "f32",
  returns: "u32",
  body: (code, [x]) => {
    const bits = bitsOf(x as Expr);
    const mantissa = binary("or", binary("and", bits, 0x7fffff), 0x800000);
    code.return(binary("shr", mantissa, binary("min", sub(150, binary("shr", bits, 23)), 31)));
  },
});

/** Both halves convert exactly and the product is exact, so that only the sum rounds. */
const fromInteger = (type: "i32" | "u32"): Fn =>
  define(`f32_of_${type}`, {
    doc: "The nearest float, ties to even.",
    params: ["x"],
    type,
    returns: "f32",
    body: (code, [x]) => {
      const high = cast("f32", binary("shr", x as Expr, 16));
      const low = cast("f32", binary("and", x as Expr, constant(type, 0xffff)));
      code.return(add(mul(high, constant("f32", 65536)), low));
    },
  });

/** Conversions of floats to integers with 64 bits on one side. */
export const passesWide = (from: Scalar, to: Scalar): boolean =>
  FLOATS.includes(from) && INTEGERS.includes(to) && Math.max(SCALARS[from].bits, SCALARS[to].bits) === 64;
export const guardedName = (from: Scalar, to: Scalar): string => `${to}_or_0_of_${from}`;

const FLOATS: readonly Scalar[] = SCALAR_NAMES.filter((type) => SCALARS[type].kind === "float");
const INTEGERS: readonly Scalar[] = SCALAR_NAMES.filter((type) =>
  ["int", "uint"].includes(SCALARS[type].kind),
);

/** The language's own conversion, whose result for NaN is not reliable. */
const guarded = (from: Scalar, to: Scalar): Fn =>
  define(guardedName(from, to), {
    doc: "Truncates; saturates; NaN becomes 0.",
    params: ["x"],
    type: from,
    returns: to,
    body: (code, [x]) => {
      const notANumber = binary("ne", x as Expr, x as Expr);
      code.return(select(notANumber, zeroOf(to), cast(to, x as Expr)));
    },
  });

const popcount = define("popcount_u32", {
  doc: "The number of bits that are 1, by adding neighbouring fields.",
  params: ["x"],
  type: "u32",
  returns: "u32",
  body: (code, [x]) => {
    const pairs = code.let("pairs", sub(x as Expr, binary("and", binary("shr", x as Expr, 1), 0x55555555)));
    const fours = code.let(
      "fours",
      binary("add", binary("and", pairs, 0x33333333), binary("and", binary("shr", pairs, 2), 0x33333333)),
    );
    const eights = code.let(
      "eights",
      binary("and", binary("add", fours, binary("shr", fours, 4)), 0x0f0f0f0f),
    );
    code.return(binary("shr", mul(eights, 0x01010101), 24));
  },
});

/** Of a native integer of 64 bits: the counts of its words. */
const popcountOfTwo = define(nativeName("popcount", "u64"), {
  doc: "The number of bits that are 1.",
  params: ["x"],
  type: "u64",
  returns: "u64",
  body: (code, [x]) => {
    const [low, high] = ([0, 1] as const).map((i) => unary("popcount", word(i, x as Expr)));
    code.return(cast("u64", add(low as Expr, high as Expr)));
  },
});

export const CONVERT_FUNCTIONS: readonly Fn[] = [
  fromBits,
  halfFromBits,
  toI32,
  toU32,
  toShort,
  fromInteger("i32"),
  fromInteger("u32"),
  ...FLOATS.flatMap((from) => INTEGERS.filter((to) => passesWide(from, to)).map((to) => guarded(from, to))),
  popcount,
  popcountOfTwo,
];
