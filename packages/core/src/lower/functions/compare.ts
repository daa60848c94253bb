/** Comparisons of floats by their bits: exact for NaN, infinities, zeros and subnormals on any compiler. */
import { and, binary, bitcast, call, type Expr, select, u32, unary } from "../../kernel/expr.ts";
import type { Fn } from "../../kernel/stmt.ts";
import { bitsOf, define, floatOf, isNaNBits, MAGNITUDE, magnitudeOf, SIGN } from "./define.ts";

/** Signed integers in the order of the floats; the two zeros are one. */
const rank = define(
  "rank_f32",
  "The float's place among all floats, as a signed integer; -0 and +0 share theirs.",
  ["x"],
  "f32",
  "i32",
  (code, [x]) => {
    const magnitude = code.let("magnitude", bitcast("i32", magnitudeOf(bitsOf(x as Expr))));
    const negative = binary("ne", binary("and", bitsOf(x as Expr), u32(SIGN)), u32(0));
    code.return(select(negative, unary("neg", magnitude), magnitude));
  },
);

const comparison = (name: string, doc: string, op: "eq" | "lt" | "le"): Fn =>
  define(name, doc, ["a", "b"], "f32", "bool", (code, args) => {
    const [a, b] = args as [Expr, Expr];
    const ordered = code.let(
      "ordered",
      unary("not", binary("or", isNaNBits(bitsOf(a)), isNaNBits(bitsOf(b)))),
    );
    code.return(and(ordered, binary(op, call("rank_f32", "i32", [a]), call("rank_f32", "i32", [b]))));
  });

/** IEEE 754-2019 minimum and maximum: -0 is less than +0, and a NaN wins. */
const extreme = (name: string, op: "lt" | "gt"): Fn =>
  define(
    name,
    `IEEE 754-2019 ${name === "min_f32" ? "minimum" : "maximum"}: a NaN wins, -0 is less than +0.`,
    ["a", "b"],
    "f32",
    "f32",
    (code, args) => {
      const [a, b] = args as [Expr, Expr];
      const ordered = args.map((x, i) => {
        const signed = code.let(`${"ab"[i]}_bits`, bitcast("i32", bitsOf(x)));
        // The mask orders negative floats downwards, and puts -0 just below +0.
        const mask = binary("and", binary("shr", signed, u32(31)), bitcast("i32", u32(MAGNITUDE)));
        return code.let(`${"ab"[i]}_order`, binary("xor", signed, mask));
      }) as [Expr, Expr];
      const firstWins = binary(
        "or",
        isNaNBits(bitsOf(a)),
        binary("and", unary("not", isNaNBits(bitsOf(b))), binary(op, ...ordered)),
      );
      code.return(floatOf(select(firstWins, bitsOf(a), bitsOf(b))));
    },
  );

export const COMPARE_FUNCTIONS: readonly Fn[] = [
  rank,
  comparison("eq_f32", "a == b; NaN equals nothing.", "eq"),
  comparison("lt_f32", "a < b; false for NaN.", "lt"),
  comparison("le_f32", "a <= b; false for NaN.", "le"),
  extreme("min_f32", "lt"),
  extreme("max_f32", "gt"),
];
