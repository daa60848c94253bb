/**
 * Rewrites a lowered module so that only types are left that the implementation has: values of a 64-bit
 * type become two words, halves become f32 that are rounded after every operation. Lowerings are independent
 * of it, and so are emitters.
 */
import { Names } from "@groupwise/ir/base/names.js";
import { isNarrow } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "../../capabilities/capabilities.ts";
import { halfFormOf } from "../../capabilities/half-conversions.ts";
import { Code } from "../../language/build.ts";
import type { Expr, VarExpr } from "../../language/expr.ts";
import { fold } from "../../language/fold-expr.ts";
import { INTRINSICS } from "../../language/intrinsics.ts";
import { add, binary, isSimple, join, param } from "../../language/make-expr.ts";
import { each } from "../../language/map-expr.ts";
import { emulatedMemory, type Memory, memoryOf } from "../../language/memory.ts";
import type { Fn, GroupFn, Kernel, LaunchParam, Module, SharedArray } from "../../language/module.ts";
import { madeOf } from "../../language/origin.ts";
import {
  type ForStmt,
  type IntrinsicStmt,
  type LoadRowStmt,
  ROW,
  type Stmt,
  type StoreStmt,
  type WhileStmt,
} from "../../language/stmt.ts";
import { typesIn } from "../../language/uses.ts";
import { assignedIn, mapStmt, widthOf } from "../../language/walk.ts";
import type { Pair } from "../../library/types/base/pair.ts";
import { floatOfHalfBits } from "../../library/types/half.ts";
import { namesOf } from "../base/names-of.ts";
import type { Around } from "../base/pass.ts";
import { halfMemoryOf } from "../base/shared-words.ts";
import { carrierOf, type Forms, formsOf, rounded } from "./forms.ts";
import { ExprRewriter } from "./rewrite-expr.ts";
import { type ArrayWords, fail, isPair, mentions, type RewrittenNames, type Words } from "./rewritten.ts";

// The statements of one block in native types.
/** Values in the form that an array holds. */
interface Stored {
  readonly memory: Memory;
  readonly values: readonly Expr[];
}

/** Rewrites statements into a block under construction. */
class BlockRewriter extends ExprRewriter {
  /** Names that are assigned somewhere: those of the original block, and the words that replace them. */
  private readonly assigned: Set<string>;

  constructor(names: Names, around: RewrittenNames, body: readonly Stmt[]) {
    super(names, around);
    this.assigned = new Set(assignedIn(body));
  }

  /** The statements in native types. */
  block(stmts: readonly Stmt[]): readonly Stmt[] {
    return this.inside(() => this.all(stmts)).stmts;
  }

  private all(stmts: readonly Stmt[]): void {
    for (const stmt of stmts) this.madeOf(stmt, () => this.stmt(stmt));
  }

  private stmt(stmt: Stmt): void {
    if ("name" in stmt) this.decoded.delete(stmt.name);
    const own = this.stmts[stmt.kind] as ((stmt: Stmt) => void) | undefined;
    if (own) own(stmt);
    else
      this.push(
        mapStmt(
          stmt,
          (e) => this.narrow(e),
          (block) => this.block(block),
        ),
      );
  }

  /** Writes the statements that one becomes. */
  private madeOf(stmt: Stmt, write: () => void): void {
    const { stmts } = this.code;
    const before = stmts.length;
    write();
    stmts.push(...madeOf(stmt, stmts.splice(before)));
  }

  /** `fill` writes into a block of its own. */
  private inside(fill: () => void): Code {
    const outer = this.code;
    const inner = new Code(outer.names.inner());
    this.code = inner;
    fill();
    this.code = outer;
    return inner;
  }

  /** Statements whose values may be of a type of two words, or that are not to be changed by parts. */
  private readonly stmts: { readonly [K in Stmt["kind"]]?: (stmt: Extract<Stmt, { kind: K }>) => void } = {
    let: (s) => {
      const value = this.value(s.value, s.name);
      if (!isPair(value)) return this.push({ ...s, value });
      // A second name is left out, unless the first is of a variable that may have another value where the second is read.
      const keep = (e: Expr, tail: string): Expr =>
        !s.role && isSimple(e) && !(e.kind === "var" && this.assigned.has(e.name))
          ? e
          : this.code.let(`${s.name}_${tail}`, e, s.role);
      this.pairs.set(s.name, { lo: keep(value.lo, "lo"), hi: keep(value.hi, "hi") });
    },
    var: (s) => {
      const value = this.value(s.value, s.name);
      if (!isPair(value)) return this.push({ ...s, value });
      const lo = this.code.var(`${s.name}_lo`, value.lo);
      const hi = this.code.var(`${s.name}_hi`, value.hi);
      for (const { name } of [lo, hi]) this.assigned.add(name);
      this.pairs.set(s.name, { lo, hi });
    },
    assign: (s) => {
      const value = this.value(s.value, s.name);
      if (!isPair(value)) return this.push({ ...s, value });
      const { lo, hi } = this.wordsOf(s.name);
      const kept = this.keptFrom(lo, s.name, value.hi);
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
    for: (s) => this.for(s),
    while: (s) => this.while(s),
    intrinsic: (s) => this.intrinsic(s),
    "load-row": (s) => {
      const form = this.form(s.type);
      if (form === "rounded") return this.loadRounds(s);
      if (form === "native") return this.push({ ...s, index: this.narrow(s.index) });
      const words = { space: "storage", name: s.array, type: "u32" } as const;
      const at = this.firstWord(s.index);
      const rows = Array.from({ length: (2 * widthOf(s)) / ROW }, (_, i) =>
        this.code.loadRow(s.name, words, add(at, i * ROW)),
      );
      this.rows.set(s.name, rows.flat());
    },
    "store-row": (s) => {
      const values = this.allOf(s.values, "stored");
      const [first] = s.values;
      if (first && this.form(first.type) === "rounded")
        return this.push({ ...s, ...this.stored(s.array, first.type, values), index: this.narrow(s.index) });
      if (values.length === s.values.length) return this.push({ ...s, index: this.narrow(s.index), values });
      const at = this.firstWord(s.index);
      for (let i = 0; i < values.length; i += ROW)
        this.push({ ...s, index: add(at, i), values: values.slice(i, i + ROW) });
    },
    native: (s) => {
      const value = this.value(s.value, s.name);
      const source = s.source && (this.named(this.narrow(s.source), "source") as Expr);
      if (!isPair(value)) {
        this.push({ ...s, value, source });
        return;
      }
      // Words can be passed on, not combined.
      if (s.op !== undefined) fail(`${s.op} is native, but its type is not`);
      const { lo, hi } = this.wordsOf(s.name);
      const kept = this.keptFrom(lo, s.name, value.hi);
      // Not the statement's own name: each word is a variable of its own.
      this.code.native(lo, { fn: s.fn, op: undefined, value: value.lo, source });
      this.code.native(hi, { fn: s.fn, op: undefined, value: kept, source });
    },
    results: (s) => this.push({ ...s, values: this.allOf(s.values) }),
    return: (s) => this.push({ ...s, values: this.allOf(s.values) }),
  };

  /** The new high word, named if it reads the low one, which is replaced before it. */
  private keptFrom(lo: VarExpr, name: string, hi: Expr): Expr {
    return mentions(hi, lo.name) ? this.code.let(`${name}_next`, hi) : hi;
  }

  /** A call for each word of a value that moves. */
  private intrinsic(s: IntrinsicStmt): void {
    const [given, lane] = s.args as [Expr, Expr | undefined];
    const value = INTRINSICS[s.fn].moves ? this.value(given, s.name) : this.narrow(given);
    const others = lane ? [this.named(this.narrow(lane), "lane") as Expr] : [];
    if (!isPair(value)) {
      this.push({ ...s, args: [value, ...others] });
      return;
    }
    const each = (tail: "lo" | "hi"): Expr =>
      this.code.intrinsic(s.fn, `${s.name}_${tail}`, [value[tail], ...others]);
    this.pairs.set(s.name, { lo: each("lo"), hi: each("hi") });
  }

  /** The two variables of a variable. */
  private wordsOf(name: string): Words {
    return (this.pairs.get(name) ?? fail(`${name} was not split into words`)) as Words;
  }

  /** Of a row in words: the index of its first word. */
  private firstWord(index: Expr): Expr {
    return this.named(binary("shl", this.narrow(index), 1), "first") as Expr;
  }

  /** Loads a vec4 of a type that is rounded, from bits only if the array holds those. */
  private loadRounds(s: LoadRowStmt): void {
    const { carrier, ofBits } = rounded(s.type);
    const memory = this.around.halfMemory(s.array);
    const type = memory === "u16" ? "u32" : carrier;
    this.push({ ...s, type, memory, index: this.narrow(s.index) });
    if (memory !== "u16") return;
    const parts = Array.from(
      { length: widthOf(s) },
      (_, index): Expr => ({ kind: "part", of: s.name, index, type }),
    );
    this.decoded.set(
      s.name,
      parts.map((part, i) => this.code.let(`${s.name}_${i}`, ofBits(part))),
    );
  }

  private stored(array: string, type: Scalar, values: readonly Expr[]): Stored {
    const memory = this.around.halfMemory(array);
    return { memory, values: memory === "u16" ? values.map((x) => rounded(type).storedBits(x)) : values };
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
    if (form === "native" || space !== "storage") {
      this.push({ ...s, index, value: one });
      return;
    }
    const { memory, values } = this.stored(array, value.type, [one]);
    this.push({ ...s, index, memory, value: values[0] as Expr });
  }

  private for(s: ForStmt): void {
    const before = this.code.stmts.length;
    const [from, below] = [this.narrow(s.from), this.narrow(s.below)];
    // The bound is read in every round, and what was computed for it before the loop stays as it is.
    if (this.code.stmts.length > before && [...this.assigned].some((name) => mentions(s.below, name)))
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
      this.madeOf(s, () => this.code.assign(goesOn, this.narrow(s.condition)));
    });
    this.push({ ...s, condition: goesOn, body: body.stmts });
  }
}

/** The module with native types only. */
export function legaliseTypes(module: Module, { capabilities }: Around): Module {
  const forms = formsOf(capabilities);
  const isAlien = (type: Scalar): boolean => forms(type) !== "native";
  if (![...typesIn(module)].some(isAlien) && !module.params.some(({ type }) => type === "f16")) return module;
  const names = new Names(namesOf(module));
  const params = module.params.map((one) => paramsOf(one, forms, names));
  const buffers = module.buffers.map((buffer) => {
    if (isNarrow(buffer.type) || forms(buffer.type) === "native") return buffer;
    return { ...buffer, memory: emulatedMemory(buffer.type, halfMemoryOf(capabilities, buffer)) };
  });
  const memories = new Map(buffers.map((buffer) => [buffer.name, memoryOf(buffer)]));
  const halfMemory = (array: string): Memory => memories.get(array) as Memory;
  const values = new Map(params.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
  const unguardedSums = unguardedSumsOf(capabilities);
  const kernels = module.kernels.map((kernel) =>
    rewriteKernel(kernel, names, { forms, params: values, halfMemory, unguardedSums }),
  );
  const functions = module.functions.map((fn) => rewriteFunction(fn, capabilities));
  return { ...module, params: params.flatMap(({ made }) => made), buffers, functions, kernels };
}

interface ParamWords {
  readonly name: string;
  readonly made: readonly LaunchParam[];
  /** Its replacement in expressions, if it has one. */
  readonly value?: Expr | Pair;
}

/** A parameter of an emulated type is passed as words, because every host passes bits unchanged. */
function paramsOf(one: LaunchParam, forms: Forms, names: Names): ParamWords {
  const { name, type, role } = one;
  const form = forms(type);
  const from = { name, type };
  if (form === "words") {
    const [lo, hi] = [names.fresh(`${name}_lo`), names.fresh(`${name}_hi`)];
    return {
      name,
      made: [
        { name: lo, type: "u32", role, from: { ...from, word: 0 } },
        { name: hi, type: "u32", role, from: { ...from, word: 1 } },
      ],
      value: { lo: param(lo, "u32"), hi: param(hi, "u32") },
    };
  }
  if (type !== "f16") return { name, made: [one] };
  const bits = param(name, "u32");
  return {
    name,
    made: [{ name, type: "u32", role, from: { ...from, word: 0 } }],
    value: form === "rounded" ? floatOfHalfBits(bits) : join("f16", [bits]),
  };
}

/** Not so where a compiler omits conversions, which might regroup what is between. */
const unguardedSumsOf = (capabilities: Capabilities): boolean => halfFormOf(capabilities) !== "apart";

/** What surrounds a function. */
const withoutParams = (capabilities: Capabilities): Omit<RewrittenNames, "arrays"> => ({
  forms: formsOf(capabilities),
  params: new Map(),
  halfMemory: () => capabilities.halfMemory,
  unguardedSums: unguardedSumsOf(capabilities),
});

/** A function with native types only: a value of two words has a parameter for each. */
function rewriteFunction(fn: Fn, capabilities: Capabilities): Fn {
  const forms = formsOf(capabilities);
  const names = new Names(namesOf({ params: fn.params, functions: [fn] }));
  const given = new Map<string, Pair>();
  const params = fn.params.flatMap((one): Fn["params"] => {
    if (forms(one.type) !== "words") return [{ ...one, type: carrierOf(one.type, forms(one.type)) }];
    const [lo, hi] = ["lo", "hi"].map((tail) => names.fresh(`${one.name}_${tail}`)) as [string, string];
    given.set(one.name, { lo: variable(lo), hi: variable(hi) });
    return [lo, hi].map((name) => ({ name, type: "u32" }));
  });
  const around = { ...withoutParams(capabilities), given };
  const { body } = rewriteKernel({ shared: [], body: fn.body }, names, around);
  const inWords = forms(fn.returns) === "words";
  const returns = inWords ? "u32" : carrierOf(fn.returns, forms(fn.returns));
  return { ...fn, params, returns, width: inWords ? 2 : 1, body };
}

const variable = (name: string): Expr => ({ kind: "var", name, type: "u32" });

/** A group function with native types only: a value of two words is a parameter of width 2. */
export function legaliseGroupFn(fn: GroupFn, capabilities: Capabilities): GroupFn {
  const forms = formsOf(capabilities);
  const names = new Names(namesOf({ params: fn.params, kernels: [fn] }));
  const wide = fn.params.filter(({ type }) => forms(type) === "words");
  const wordOf = (of: string, index: number): Expr => ({ kind: "part", of, index, type: "u32" });
  const given = new Map(wide.map(({ name }) => [name, { lo: wordOf(name, 0), hi: wordOf(name, 1) }]));
  const around = { ...withoutParams(capabilities), given };
  const { shared, body } = rewriteKernel(fn, names, around);
  const inWords = forms(fn.returns) === "words";
  return {
    ...fn,
    params: fn.params.map((one) =>
      wide.includes(one)
        ? { ...one, type: "u32", width: 2 }
        : { ...one, type: carrierOf(one.type, forms(one.type)) },
    ),
    returns: inWords ? "u32" : carrierOf(fn.returns, forms(fn.returns)),
    width: inWords ? 2 * fn.width : fn.width,
    shared,
    body,
  };
}

type Rewritten = Pick<Kernel, "shared" | "body">;

function rewriteKernel<K extends Rewritten>(
  kernel: K,
  taken: Names,
  around: Omit<RewrittenNames, "arrays">,
): K {
  const names = taken.fork();
  const arrays = new Map<string, ArrayWords>();
  const shared = kernel.shared.flatMap((array): SharedArray[] => {
    const form = around.forms(array.type);
    if (form !== "words") return [{ ...array, type: carrierOf(array.type, form) }];
    const words = { lo: names.fresh(`${array.name}_lo`), hi: names.fresh(`${array.name}_hi`) };
    arrays.set(array.name, words);
    return [words.lo, words.hi].map((name) => ({ ...array, name, type: "u32" }));
  });
  const body = folded(kernel.body);
  const rewriter = new BlockRewriter(names, { ...around, arrays }, body);
  return { ...kernel, shared, body: rewriter.block(body) };
}

/** Facts about whole values are used first, since they are lost when values become words. */
const folded = (stmts: readonly Stmt[]): readonly Stmt[] =>
  each(stmts, (stmt) => mapStmt(stmt, fold, folded));
