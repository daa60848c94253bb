/** The statements and expressions of one block in native types; see `types.ts`. */
import { BINARY } from "../../../ir/tables/expr-op.ts";
import type { Scalar } from "../../../ir/tables/scalar.ts";
import { Code } from "../../kernel/build.ts";
import type { Expr, LoadExpr } from "../../kernel/expr.ts";
import {
  add,
  binary,
  bitcast,
  isSimple,
  join,
  load,
  select,
  u32,
  unary,
  word,
} from "../../kernel/make-expr.ts";
import { mapParts } from "../../kernel/map-expr.ts";
import type { Names } from "../../kernel/names.ts";
import type { ForStmt, Stmt, StoreStmt, WhileStmt } from "../../kernel/stmt.ts";
import type { Pair } from "../../soft/base/pair.ts";
import { type Wide, wideBinary, wideConst, wideUnary } from "../../soft/wide.ts";
import { castValueTo } from "./cast.ts";
import { carrierOf, type Forms, rounded } from "./forms.ts";
import { fail, isPair, mentions, type Surroundings, type Value, type Words } from "./rewritten.ts";

type ShuffleStmt = Extract<Stmt, { kind: "shuffle" | "shuffle-xor" }>;

/** Rewrites statements into a block under construction. Calls and loads of words come before their statement. */
export class BlockRewriter {
  code: Code;
  private readonly around: Surroundings;
  /** What became of names for two words; a name is not reused for something else inside its block. */
  private readonly pairs = new Map<string, Pair>();
  /** Variables of the module as it was, and the words that they became. */
  private readonly mutable = new Set<string>();
  private readonly variables = new Set<string>();

  constructor(names: Names, around: Surroundings) {
    this.code = new Code(names);
    this.around = around;
  }

  /** The statements in native types. */
  block(stmts: readonly Stmt[]): readonly Stmt[] {
    return this.inside(() => this.all(stmts)).stmts;
  }

  private all(stmts: readonly Stmt[]): void {
    for (const stmt of stmts) (this.stmts[stmt.kind] as (stmt: Stmt) => void)(stmt);
  }

  /** What `fill` writes goes into a block of its own. */
  private inside(fill: () => void): Code {
    const outer = this.code;
    const inner = new Code(outer.names.inner());
    this.code = inner;
    fill();
    this.code = outer;
    return inner;
  }

  form(type: Scalar): ReturnType<Forms> {
    return this.around.forms(type);
  }

  private readonly stmts: { readonly [K in Stmt["kind"]]: (stmt: Extract<Stmt, { kind: K }>) => void } = {
    comment: (s) => this.push(s),
    let: (s) => {
      const value = this.value(s.value, s.name);
      if (!isPair(value)) return this.push({ ...s, value });
      // A name for what has one already and keeps its value is left out.
      const keep = (e: Expr, tail: string): Expr =>
        !s.role && isSimple(e) && !(e.kind === "var" && this.variables.has(e.name))
          ? e
          : this.code.let(`${s.name}_${tail}`, e, s.role);
      this.pairs.set(s.name, { lo: keep(value.lo, "lo"), hi: keep(value.hi, "hi") });
    },
    var: (s) => {
      this.mutable.add(s.name);
      const value = this.value(s.value, s.name);
      if (!isPair(value)) return this.push({ ...s, value });
      const lo = this.code.var(`${s.name}_lo`, value.lo);
      const hi = this.code.var(`${s.name}_hi`, value.hi);
      for (const { name } of [lo, hi]) this.variables.add(name);
      this.pairs.set(s.name, { lo, hi });
    },
    assign: (s) => {
      const value = this.value(s.value, s.name);
      if (!isPair(value)) return this.push({ ...s, value });
      const { lo, hi } = this.wordsOf(s.name);
      // Neither word may be replaced before the other's new value has read it.
      const kept = mentions(value.hi, lo.name) ? this.code.let(`${s.name}_next`, value.hi) : value.hi;
      this.code.assign(lo, value.lo);
      this.code.assign(hi, kept);
    },
    array: (s) => {
      const form = this.form(s.type);
      if (form !== "words") return this.push({ ...s, type: carrierOf(s.type, form) });
      const [lo, hi] = ["lo", "hi"].map((tail) => this.code.array(`${s.name}_${tail}`, "u32", s.length).name);
      this.around.arrays.set(s.name, { lo: lo as string, hi: hi as string });
    },
    store: (s) => this.store(s),
    atomic: (s) => this.push({ ...s, index: this.narrow(s.index), value: this.narrow(s.value) }),
    barrier: (s) => this.push(s),
    if: (s) => {
      const condition = this.narrow(s.condition);
      const [then, otherwise] = [this.block(s.then), this.block(s.otherwise)];
      this.push({ ...s, condition, then, otherwise });
    },
    for: (s) => this.for(s),
    while: (s) => this.while(s),
    "shuffle-xor": (s) => this.shuffle(s, "bit", s.bit, "shuffleXor"),
    shuffle: (s) => this.shuffle(s, "from", s.from, "shuffle"),
    "atomic-load": (s) => this.push({ ...s, index: this.narrow(s.index) }),
    "atomic-store": (s) => this.push({ ...s, index: this.narrow(s.index), value: this.narrow(s.value) }),
    "atomic-add": (s) => this.push({ ...s, index: this.narrow(s.index), value: this.narrow(s.value) }),
    // Rows are of types that every implementation has.
    "load-row": (s) => this.push({ ...s, index: this.narrow(s.index) }),
    "store-row": (s) =>
      this.push({ ...s, index: this.narrow(s.index), values: s.values.map((v) => this.narrow(v)) }),
    "uniform-load": (s) => this.push({ ...s, index: this.narrow(s.index) }),
    native: (s) => {
      const value = this.value(s.value, s.name);
      const source = s.source && (this.named(this.narrow(s.source), "source") as Expr);
      if (!isPair(value)) {
        this.push({ ...s, value, source });
        return;
      }
      // Words can be handed on, not combined.
      if (s.op !== undefined) fail(`${s.op} is native, and its type is not`);
      const { lo, hi } = this.wordsOf(s.name);
      // Not the statement's own name: each word is a variable of its own.
      this.code.native(lo, { fn: s.fn, op: undefined, value: value.lo, source });
      this.code.native(hi, { fn: s.fn, op: undefined, value: value.hi, source });
    },
    choice: (s) => this.push({ ...s, native: this.block(s.native), portable: this.block(s.portable) }),
    call: (s) => this.push({ ...s, args: s.args.map((arg) => this.narrow(arg)) }),
    routine: (s) => this.push(s),
    results: (s) => this.push({ ...s, values: this.allOf(s.values, "result") }),
    return: (s) => this.push({ ...s, values: this.allOf(s.values, "result") }),
  };

  /** A shuffle of each word. */
  private shuffle(s: ShuffleStmt, field: string, other: Expr, make: "shuffle" | "shuffleXor"): void {
    const value = this.value(s.value, s.name);
    const from = this.named(this.narrow(other), field) as Expr;
    if (!isPair(value)) {
      this.push({ ...s, value, [field]: from });
      return;
    }
    const each = (tail: "lo" | "hi"): Expr => this.code[make](`${s.name}_${tail}`, value[tail], from);
    this.pairs.set(s.name, { lo: each("lo"), hi: each("hi") });
  }

  /** The values, words one after the other: two arguments or results for what is in two words. */
  private allOf(values: readonly Expr[], hint: string): Expr[] {
    return values
      .map((value) => this.value(value, hint))
      .flatMap((value) => (isPair(value) ? [value.lo, value.hi] : [value]));
  }

  /** The two variables of a variable. */
  private wordsOf(name: string): Words {
    return (this.pairs.get(name) ?? fail(`${name} was not taken apart`)) as Words;
  }

  private push(stmt: Stmt): void {
    this.code.stmts.push(stmt);
  }

  private store(s: StoreStmt): void {
    const { space, array, value } = s;
    const form = this.form(value.type);
    const index = this.narrow(s.index);
    if (form === "words") {
      const { lo, hi } = this.value(value) as Pair;
      for (const [part, at] of [
        [lo, this.place(space, array, index, "lo")],
        [hi, this.place(space, array, index, "hi")],
      ] as const)
        this.push({ kind: "store", space, array: at.array, index: at.index, value: part });
      return;
    }
    const one = this.narrow(value);
    const { halfMemory: memory } = this.around;
    if (form === "native" || space !== "storage") this.push({ ...s, index, value: one });
    else this.push({ ...s, index, memory, value: memory === "u16" ? rounded(value.type).bitsOf(one) : one });
  }

  /** Where a word of an element stands: in device memory beside the other, else in an array of its own. */
  private place(
    space: LoadExpr["space"],
    array: string,
    index: Expr,
    which: "lo" | "hi",
  ): { array: string; index: Expr } {
    const words = this.around.arrays.get(array);
    if (space !== "storage") return { array: words?.[which] ?? fail(`${array} was not taken apart`), index };
    const even = binary("shl", index, u32(1));
    return { array, index: which === "lo" ? even : add(even, u32(1)) };
  }

  private for(s: ForStmt): void {
    const before = this.code.stmts.length;
    const [from, below] = [this.narrow(s.from), this.narrow(s.below)];
    // The bound is read in every round, and what was computed for it before the loop stays as it is.
    if (this.code.stmts.length > before && [...this.mutable].some((name) => mentions(s.below, name)))
      fail(`the bound of ${s.name} needs several statements, and may change`);
    this.push({ ...s, from, below, body: this.block(s.body) });
  }

  private while(s: WhileStmt): void {
    const before = this.code.stmts.length;
    const condition = this.narrow(s.condition);
    if (this.code.stmts.length === before) {
      this.push({ ...s, condition, body: this.block(s.body) });
      return;
    }
    const goesOn = this.code.var("goes_on", condition);
    const body = this.inside(() => {
      this.all(s.body);
      this.code.assign(goesOn, this.narrow(s.condition));
    });
    this.push({ ...s, condition: goesOn, body: body.stmts });
  }

  /** The value in its form. */
  value(e: Expr, hint: string = "word"): Value {
    return this.form(e.type) === "words" ? this.wide(e, hint) : this.narrow(e);
  }

  /** A value whose words or whose expression can be written several times. */
  named(value: Value, hint: string = "word"): Value {
    const name = (e: Expr, tail: string): Expr => this.code.named(hint + tail, e);
    if (!isPair(value)) return name(value, "");
    return { lo: name(value.lo, "_lo"), hi: name(value.hi, "_hi") };
  }

  private wide(e: Expr, hint: string): Pair {
    const type = e.type as Wide;
    const named = (inner: Expr): Value => this.named(this.value(inner));
    switch (e.kind) {
      case "const":
        return wideConst(type, e.value);
      case "var":
        return (
          this.pairs.get(e.name) ?? this.around.given?.get(e.name) ?? fail(`${e.name} was not taken apart`)
        );
      case "param":
        return this.around.params.get(e.name) as Pair;
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
        const [lo, hi] = this.code.call(
          "called",
          { name: e.fn, returns: "u32", width: 2 },
          this.allOf(e.args, "word"),
        );
        return { lo: lo as Expr, hi: hi as Expr };
      }
      default:
        return fail(`${e.kind} gives ${e.type}`);
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
      case "load":
        return isRounded ? this.loadRounded(e) : { ...e, index: this.narrow(e.index) };
      case "unary":
        return unary(e.op, this.narrow(e.of));
      case "binary": {
        const { left, right } = e;
        if (this.form(left.type) === "words") {
          const [a, b] = [this.named(this.value(left)), this.named(this.value(right))] as [Pair, Value];
          return wideBinary(this.code, e.op, left.type as Wide, a, b) as Expr;
        }
        const result = { ...mapParts(e, (inner) => this.narrow(inner)), type: this.carrier(e.type) };
        return isRounded && BINARY[e.op].rounds ? rounded(e.type).round(result) : result;
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
        return { ...e, args: this.allOf(e.args, "word"), type: this.carrier(e.type) };
      default:
        return { ...mapParts(e, (inner) => this.narrow(inner)), type: this.carrier(e.type) };
    }
  }

  private carrier(type: Scalar): Scalar {
    return carrierOf(type, this.form(type));
  }

  private loadRounded({ space, array, index, type }: LoadExpr): Expr {
    const at = this.narrow(index);
    const { carrier, ofBits } = rounded(type);
    const { halfMemory: memory } = this.around;
    if (space !== "storage") return load(space, array, carrier, at);
    if (memory === "u16") return ofBits({ ...load(space, array, "u32", at), memory });
    return { ...load(space, array, carrier, at), memory };
  }
}
