/** Functions of integers: each written once, for the words of both widths. */
import { type IntegerScalar, SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  call,
  constant,
  eq,
  lt,
  mul,
  select,
  sub,
  unary,
  zeroOf,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { body, bodyName, not, or, shl, shr, type Word, xor } from "./format.ts";

const WORDS: readonly Word[] = ["u32", "u64"];
const SIGNED: Readonly<Record<Word, IntegerScalar>> = { u32: "i32", u64: "i64" };
const widthOf = (type: Scalar): number => SCALARS[type].bits;
const whole = (type: Scalar, value: bigint): Expr => constant(type, SCALARS[type].whole(value));
const least = (type: Scalar): Expr => constant(type, SCALARS[type].lowest);
const greatest = (type: Scalar): Expr => constant(type, SCALARS[type].highest);
const isNegative = (x: Expr): Expr => lt(x, zeroOf(x.type));

type Fill = (code: Code, ...args: Expr[]) => void;
const define = (op: string, type: Scalar, doc: string, rest: readonly [string, Scalar][], fill: Fill): Fn =>
  body(bodyName(op, type), doc, [["x", type], ...rest], type, fill);

const trailingZeros = (type: Word): Fn =>
  define("ctz", type, "Zero bits below the lowest 1; the width for 0.", [], (code, x) =>
    code.return(unary("popcount", and(not(x as Expr), sub(x as Expr, whole(type, 1n))))),
  );

/** Every group of so many bits that is followed by one to swap it with. */
const groups = (width: number, size: number): bigint => {
  let mask = 0n;
  for (let at = 0; at < width; at += 2 * size) mask |= ((1n << BigInt(size)) - 1n) << BigInt(at);
  return mask;
};
const swapping = (op: string, doc: string, smallest: number, type: Word): Fn =>
  define(op, type, doc, [], (code, x) => {
    const swapped = code.var("swapped", x as Expr);
    for (let size = smallest; size < widthOf(type); size *= 2) {
      const mask = whole(type, groups(widthOf(type), size));
      code.assign(swapped, or(and(shr(swapped, size), mask), shl(and(swapped, mask), size)));
    }
    code.return(swapped);
  });

const rotation = (type: Word): Fn =>
  define(
    "rotateLeft",
    type,
    "The bits rotated left by the amount modulo the width.",
    [["by", "u32"]],
    (code, x, by) => {
      // Shifts take their amounts modulo the width.
      code.return(or(shl(x as Expr, by as Expr), shr(x as Expr, sub(0, by as Expr))));
    },
  );

const SUM = "The exact sum, or the nearest value of the type.";
const DIFFERENCE = "The exact difference, or the nearest value of the type.";
const unsignedSum = (type: Word): Fn =>
  define("addSaturating", type, SUM, [["y", type]], (code, x, y) => {
    const sum = code.let("sum", add(x as Expr, y as Expr));
    code.return(select(lt(sum, x as Expr), greatest(type), sum));
  });
const unsignedDifference = (type: Word): Fn =>
  define("subSaturating", type, DIFFERENCE, [["y", type]], (code, x, y) =>
    code.return(sub(x as Expr, binary("min", x as Expr, y as Expr))),
  );
const saturation = (op: "add" | "sub", type: IntegerScalar): Fn => {
  const doc = op === "add" ? SUM : DIFFERENCE;
  return define(`${op}Saturating`, type, doc, [["y", type]], (code, ...args) => {
    const [x, y] = args as [Expr, Expr];
    const wrapped = code.let("wrapped", binary(op, x, y));
    // The exact result has the sign of x where the signs of x and of what is added to it are equal.
    const differs = op === "add" ? and(xor(x, wrapped), xor(y, wrapped)) : and(xor(x, y), xor(x, wrapped));
    const limit = select(isNegative(x), least(type), greatest(type));
    code.return(select(isNegative(differs), limit, wrapped));
  });
};

export const mulHigh = (x: Expr, y: Expr): Expr => call(bodyName("mulHigh", x.type), x.type, [x, y]);
const UPPER = "The upper half of the product.";
const product = (type: Word): Fn =>
  define("mulHigh", type, UPPER, [["y", type]], (code, x, y) => {
    const half = widthOf(type) / 2;
    const low = (e: Expr): Expr => and(e, whole(type, (1n << BigInt(half)) - 1n));
    const [x0, x1] = [code.let("x_low", low(x as Expr)), code.let("x_high", shr(x as Expr, half))];
    const [y0, y1] = [code.let("y_low", low(y as Expr)), code.let("y_high", shr(y as Expr, half))];
    // Neither sum wraps.
    const first = code.let("first", add(mul(x1, y0), shr(mul(x0, y0), half)));
    const second = code.let("second", add(mul(x0, y1), low(first)));
    code.return(add(add(mul(x1, y1), shr(first, half)), shr(second, half)));
  });
const signedProduct = (word: Word): Fn => {
  const type = SIGNED[word];
  return define("mulHigh", type, UPPER, [["y", type]], (code, ...args) => {
    const [x, y] = args as [Expr, Expr];
    const [a, b] = [bitcast(word, x), bitcast(word, y)];
    const upper = code.let("upper", bitcast(type, mulHigh(a, b)));
    const zero = zeroOf(type);
    code.return(sub(sub(upper, select(isNegative(x), y, zero)), select(isNegative(y), x, zero)));
  });
};

const FIELD: readonly [string, Scalar][] = [
  ["offset", "u32"],
  ["count", "u32"],
];
/** The first bit of a field, and its number of bits: it ends at the width. */
function fieldOf(code: Code, width: number, offset: Expr, count: Expr): { from: Expr; size: Expr } {
  const from = code.let("from", binary("min", offset, width));
  return { from, size: code.let("size", binary("min", count, sub(width, from))) };
}
const extraction = (type: IntegerScalar): Fn =>
  define(
    "extractBits",
    type,
    "The field of bits, extended by the sign of the type.",
    FIELD,
    (code, ...args) => {
      const [x, offset, count] = args as [Expr, Expr, Expr];
      const width = widthOf(type);
      const { from, size } = fieldOf(code, width, offset, count);
      code.if(eq(size, 0), (then) => then.return(zeroOf(type)));
      const above = sub(sub(width, from), size);
      code.return(shr(shl(x, above), sub(width, size)));
    },
  );
const insertion = (type: Word): Fn =>
  define(
    "insertBits",
    type,
    "The value with another field of bits.",
    [["bits", type], ...FIELD],
    (code, ...args) => {
      const [x, bits, offset, count] = args as [Expr, Expr, Expr, Expr];
      const { from, size } = fieldOf(code, widthOf(type), offset, count);
      code.if(eq(size, 0), (then) => then.return(x));
      const lowest = shr(greatest(type), sub(widthOf(type), size));
      const mask = code.let("mask", shl(lowest, from));
      code.return(or(and(x, not(mask)), and(shl(bits, from), mask)));
    },
  );

/** x modulo y with the sign of y; 0 if y is 0. */
const modulus = (type: IntegerScalar): Fn =>
  define("mod", type, "The remainder of the floored quotient.", [["y", type]], (code, ...args) => {
    const [x, y] = args as [Expr, Expr];
    const rest = code.let("rest", binary("rem", x, y));
    const isOther = and(binary("ne", rest, zeroOf(type)), isNegative(xor(rest, y)));
    code.return(select(isOther, add(rest, y), rest));
  });
const sign = (type: IntegerScalar): Fn =>
  define("sign", type, "1, 0 or -1.", [], (code, x) => {
    const isPositive = binary("gt", x as Expr, zeroOf(type));
    const other = select(isNegative(x as Expr), whole(type, -1n), zeroOf(type));
    code.return(select(isPositive, whole(type, 1n), other));
  });

/** Callees before callers. */
export const INTEGER_BODIES: readonly Fn[] = WORDS.flatMap((word) => {
  const type = SIGNED[word];
  return [
    trailingZeros(word),
    swapping("reverseBits", "The bits in the opposite order.", 1, word),
    swapping("swapBytes", "The bytes in the opposite order.", 8, word),
    rotation(word),
    unsignedSum(word),
    unsignedDifference(word),
    saturation("add", type),
    saturation("sub", type),
    product(word),
    signedProduct(word),
    extraction(word),
    extraction(type),
    insertion(word),
    modulus(type),
    sign(type),
  ];
});
