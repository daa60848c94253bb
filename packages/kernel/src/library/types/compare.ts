/** Comparisons of native floats by their bits: exact for NaN, infinities, zeros and subnormals on any compiler. */

import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../../language/expr.ts";
import {
  and,
  binary,
  bitcast,
  call,
  constant,
  join,
  ne,
  select,
  u32,
  unary,
  word,
  zeroOf,
} from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { define, nativeName, SIGN } from "./base/define.ts";

/** The layout of a float in the bits of an integer, with the sign in the highest bit. */
interface Layout {
  readonly type: Scalar;
  readonly signed: Scalar;
  /** The number of the sign's bit. */
  readonly top: number;
  readonly infinity: Expr;
  readonly magnitude: Expr;
  readonly sign: Expr;
  bits(x: Expr): Expr;
  float(bits: Expr): Expr;
}

const F32: Layout = {
  type: "f32",
  signed: "i32",
  top: 31,
  infinity: u32(0x7f800000),
  magnitude: u32(0x7fffffff),
  sign: u32(SIGN),
  bits: (x) => bitcast("u32", x),
  float: (bits) => bitcast("f32", bits),
};
/** In the upper half of 32 bits, so that the sign is in the same bit as for the other types. */
const F16: Layout = {
  ...F32,
  type: "f16",
  infinity: u32(0x7c000000),
  bits: (x) => binary("shl", word(0, x), 16),
  float: (bits) => join("f16", [binary("shr", bits, 16)]),
};
const F64: Layout = {
  type: "f64",
  signed: "i64",
  top: 63,
  infinity: constant("u64", 0x7ff0000000000000n),
  magnitude: constant("u64", 0x7fffffffffffffffn),
  sign: constant("u64", 1n << 63n),
  bits: (x) => bitcast("u64", x),
  float: (bits) => bitcast("f64", bits),
};

const magnitudeOf = ({ magnitude, bits }: Layout, x: Expr): Expr => binary("and", bits(x), magnitude);
const isNaNOf = (layout: Layout, x: Expr): Expr => binary("gt", magnitudeOf(layout, x), layout.infinity);

/** Signed integers in the order of the floats; the two zeros are equal. */
const rank = (layout: Layout): Fn =>
  define(nativeName("rank", layout.type), {
    doc: "The position of the float among all floats, as a signed integer; -0 and +0 have the same position.",
    params: ["x"],
    type: layout.type,
    returns: layout.signed,
    body: (code, [x]) => {
      const magnitude = code.let("magnitude", bitcast(layout.signed, magnitudeOf(layout, x as Expr)));
      const negative = ne(binary("and", layout.bits(x as Expr), layout.sign), zeroOf(layout.sign.type));
      code.return(select(negative, unary("neg", magnitude), magnitude));
    },
  });

const comparison = (layout: Layout, doc: string, op: "eq" | "lt" | "le"): Fn =>
  define(nativeName(op, layout.type), {
    doc,
    params: ["a", "b"],
    type: layout.type,
    returns: "bool",
    body: (code, args) => {
      const [a, b] = args as [Expr, Expr];
      const ordered = code.let("ordered", unary("not", binary("or", isNaNOf(layout, a), isNaNOf(layout, b))));
      const rankOf = (x: Expr): Expr => call(nativeName("rank", layout.type), layout.signed, [x]);
      code.return(and(ordered, binary(op, rankOf(a), rankOf(b))));
    },
  });

/** IEEE 754-2019 minimum and maximum: -0 is less than +0, and NaN if an operand is NaN. */
const extreme = (layout: Layout, name: "min" | "max"): Fn =>
  define(nativeName(name, layout.type), {
    doc: `IEEE 754-2019 ${name}imum: NaN if an operand is NaN; -0 is less than +0.`,
    params: ["a", "b"],
    type: layout.type,
    returns: layout.type,
    body: (code, args) => {
      const [a, b] = args as [Expr, Expr];
      const { bits, float, signed, top } = layout;
      const ordered = args.map((x, i) => {
        const whole = code.let(`${"ab"[i]}_bits`, bitcast(signed, bits(x)));
        // The mask orders negative floats downwards, and puts -0 just below +0.
        const mask = binary("and", binary("shr", whole, top), bitcast(signed, layout.magnitude));
        return code.let(`${"ab"[i]}_order`, binary("xor", whole, mask));
      }) as [Expr, Expr];
      const wins = binary(name === "min" ? "lt" : "gt", ...ordered);
      // The comparison comes first, and the NaN of a last: some compilers crash on the swapped `and`, or on the swapped `or`.
      const beats = and(wins, unary("not", isNaNOf(layout, b)));
      const firstWins = binary("or", beats, isNaNOf(layout, a));
      code.return(float(select(firstWins, bits(a), bits(b))));
    },
  });

const comparisons = (layout: Layout): readonly Fn[] => [
  rank(layout),
  comparison(layout, "a == b; NaN equals nothing.", "eq"),
  comparison(layout, "a < b; false for NaN.", "lt"),
  comparison(layout, "a <= b; false for NaN.", "le"),
];
const extremes = (layout: Layout): readonly Fn[] => [extreme(layout, "min"), extreme(layout, "max")];

export const COMPARE_FUNCTIONS: readonly Fn[] = [
  ...comparisons(F32),
  ...extremes(F32),
  ...comparisons(F16),
  ...extremes(F16),
  ...comparisons(F64),
  ...extremes(F64),
];
