/** Expressions in native types; see `types.ts`. */
import type { Names } from "@groupwise/ir/base/names.js";
import { BINARY } from "@groupwise/ir/tables/expr-op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { Code } from "../../language/build.ts";
import type { Expr, LoadExpr } from "../../language/expr.ts";
import { add, binary, bitcast, cast, join, load, select, word } from "../../language/make-expr.ts";
import { mapParts } from "../../language/map-expr.ts";
import type { Pair } from "../../library/types/base/pair.ts";
import { isWide, type Wide, wideBinary, wideCast, wideConst, wideUnary } from "../../library/types/wide.ts";
import { carrierOf, type Forms, rounded } from "./forms.ts";
import { type FormValue, fail, isPair, type RewrittenNames } from "./rewritten.ts";

// Casts between types of which at least one is emulated.
/** Converts a value in the form of `from` to `to` in its own form. */
function castValueTo(block: ExprRewriter, from: Scalar, to: Scalar, value: FormValue): FormValue {
  const [source, target] = [block.form(from), block.form(to)];
  if (source === "native" && target === "native") return cast(to, value as Expr);
  // A half is an f32 for all that follows, which is exact.
  if (from === "f16") return castValueTo(block, "f32", to, cast("f32", value as Expr));
  // An f64 becomes a half in one step: rounded to an f32 before, it could come to a tie that it was not.
  if (source === "words" || target === "words" || from === "f64") return castWords(block, from, to, value);
  // To a half. Below 2^24 an f32 holds integers, and from there on both overflow to infinity.
  return rounded(to).round(cast("f32", value as Expr));
}

function castWords(block: ExprRewriter, from: Scalar, to: Scalar, value: FormValue): FormValue {
  const source = block.named(isWide(from) ? wordsOf(block, value) : value, "cast");
  const result = wideCast(block.code, from, to, source);
  if (isPair(result)) return block.form(to) === "native" ? join(to, [result.lo, result.hi]) : result;
  // Halves come as f32.
  return block.form(to) === "native" ? cast(to, result) : result;
}

/** The words of a 64-bit value in either form. */
function wordsOf(block: ExprRewriter, value: FormValue): Pair {
  if (isPair(value)) return value;
  const one = block.named(value, "cast") as Expr;
  return { lo: word(0, one), hi: word(1, one) };
}

/** Rewrites expressions for a block under construction, to which it adds the calls and loads of words that must precede their statement. */
export class ExprRewriter {
  code: Code;
  protected readonly around: RewrittenNames;
  /** The words of names that became two; a name is not reused for something else inside its block. */
  protected readonly pairs: Map<string, Pair> = new Map<string, Pair>();
  /** The words of vec4s, in order. */
  protected readonly rows: Map<string, readonly Expr[]> = new Map<string, readonly Expr[]>();
  /** The values of vec4s of bits. */
  protected readonly decoded: Map<string, readonly Expr[]> = new Map<string, readonly Expr[]>();

  constructor(names: Names, around: RewrittenNames) {
    this.code = new Code(names);
    this.around = around;
  }

  form(type: Scalar): ReturnType<Forms> {
    return this.around.forms(type);
  }

  /** The value in its form. */
  value(e: Expr, hint: string = "word"): FormValue {
    return this.form(e.type) === "words" ? this.wide(e, hint) : this.narrow(e);
  }

  /** A value whose words or expression can be repeated. */
  named(value: FormValue, hint: string = "word"): FormValue {
    const name = (e: Expr, tail: string): Expr => this.code.named(hint + tail, e);
    if (!isPair(value)) return name(value, "");
    return { lo: name(value.lo, "_lo"), hi: name(value.hi, "_hi") };
  }

  private wide(e: Expr, hint: string): Pair {
    const type = e.type as Wide;
    const named = (inner: Expr): FormValue => this.named(this.value(inner));
    switch (e.kind) {
      case "const":
        return wideConst(type, e.value);
      case "var":
        return (
          this.pairs.get(e.name) ??
          this.around.given?.get(e.name) ??
          fail(`${e.name} was not split into words`)
        );
      case "param":
        return this.around.params.get(e.name) as Pair;
      case "part": {
        const words = this.rows.get(e.of) ?? fail(`${e.of} was not split into words`);
        return { lo: words[2 * e.index] as Expr, hi: words[2 * e.index + 1] as Expr };
      }
      case "load":
        return this.loadWords(e, hint);
      case "unary":
        return wideUnary(this.code, e.op, type, named(e.of) as Pair);
      case "binary":
        return wideBinary(this.code, e.op, type, named(e.left) as Pair, named(e.right)) as Pair;
      case "select": {
        const condition = this.named(this.narrow(e.condition), "which") as Expr;
        const [a, b] = [named(e.then), named(e.otherwise)] as [Pair, Pair];
        return { lo: select(condition, a.lo, b.lo), hi: select(condition, a.hi, b.hi) };
      }
      case "join": {
        const [lo, hi] = e.words.map((one) => this.narrow(one)) as [Expr, Expr];
        return { lo, hi };
      }
      case "cast":
        return castValueTo(this, e.of.type, e.type, this.value(e.of)) as Pair;
      case "bitcast": {
        const of = named(e.of);
        return isPair(of) ? of : { lo: word(0, of), hi: word(1, of) };
      }
      case "call": {
        const fn = { name: e.fn, returns: "u32", width: 2 } as const;
        const [lo, hi] = this.code.call("called", fn, this.allOf(e.args));
        return { lo: lo as Expr, hi: hi as Expr };
      }
      default:
        return fail(`${e.kind} is of ${e.type}`);
    }
  }

  private loadWords(e: LoadExpr, hint: string): Pair {
    const index = this.named(this.narrow(e.index), "at") as Expr;
    const read = (which: "lo" | "hi"): Expr => {
      const at = this.place(e.space, e.array, index, which);
      return this.code.let(`${hint}_${which}`, load(e.space, at.array, "u32", at.index));
    };
    return { lo: read("lo"), hi: read("hi") };
  }

  /** An expression whose result is one value; its parts may be two words. */
  narrow(e: Expr): Expr {
    const isRounded = this.form(e.type) === "rounded";
    switch (e.kind) {
      case "param":
        return (this.around.params.get(e.name) as Expr | undefined) ?? e;
      case "part":
        return this.decoded.get(e.of)?.[e.index] ?? { ...e, type: this.carrier(e.type) };
      case "load":
        return isRounded ? this.loadRounded(e) : { ...e, index: this.narrow(e.index) };
      case "binary": {
        const { left, right } = e;
        if (this.form(left.type) === "words") {
          const [a, b] = [this.named(this.value(left)), this.named(this.value(right))] as [Pair, FormValue];
          return wideBinary(this.code, e.op, left.type as Wide, a, b) as Expr;
        }
        const result = { ...mapParts(e, (inner) => this.narrow(inner)), type: this.carrier(e.type) };
        if (!isRounded || !BINARY[e.op].rounds) return result;
        const { round, roundSum } = rounded(e.type);
        const carried = { ...result, normal: true } as const;
        return this.around.unguardedSums && BINARY[e.op].sum ? roundSum(carried) : round(carried);
      }
      case "cast":
        return castValueTo(this, e.of.type, e.type, this.value(e.of)) as Expr;
      case "word": {
        const of = this.value(e.of);
        if (isPair(of)) return e.index === 0 ? of.lo : of.hi;
        return this.form(e.of.type) === "rounded" ? rounded(e.of.type).bitsOf(of) : word(e.index, of);
      }
      case "join":
        return isRounded
          ? rounded(e.type).ofBits(this.narrow(e.words[0] as Expr))
          : mapParts(e, (inner) => this.narrow(inner));
      case "bitcast": {
        const of = this.value(e.of);
        return isPair(of) ? join(e.type, [of.lo, of.hi]) : bitcast(e.type, of);
      }
      case "call":
        return { ...e, args: this.allOf(e.args), type: this.carrier(e.type) };
      default:
        return { ...mapParts(e, (inner) => this.narrow(inner)), type: this.carrier(e.type) };
    }
  }

  protected carrier(type: Scalar): Scalar {
    return carrierOf(type, this.form(type));
  }

  private loadRounded({ space, array, index, type }: LoadExpr): Expr {
    const at = this.narrow(index);
    const { carrier, ofBits } = rounded(type);
    if (space !== "storage") return load(space, array, carrier, at);
    const memory = this.around.halfMemory(array);
    if (memory === "u16") return ofBits({ ...load(space, array, "u32", at), memory });
    return { ...load(space, array, carrier, at), memory };
  }

  /** The values, words one after the other: two arguments or results for what is in two words. */
  protected allOf(values: readonly Expr[], hint?: string): Expr[] {
    return values
      .map((value) => this.value(value, hint))
      .flatMap((value) => (isPair(value) ? [value.lo, value.hi] : [value]));
  }

  /** The place of a word of an element: in device memory beside the other, else in an array of its own. */
  protected place(
    space: LoadExpr["space"],
    array: string,
    index: Expr,
    which: "lo" | "hi",
  ): { array: string; index: Expr } {
    const words = this.around.arrays.get(array);
    if (space !== "storage")
      return { array: words?.[which] ?? fail(`${array} was not split into words`), index };
    const even = binary("shl", index, 1);
    return { array, index: which === "lo" ? even : add(even, 1) };
  }
}
