/**
 * Checks a lowered module: names and types, barriers only where the whole work-group arrives, and indexes
 * of private and work-group arrays within their bounds. It runs after every lowering.
 */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { BINARY, UNARY } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Builtin, Expr } from "./expr.ts";
import {
  boundOf,
  type ConditionBounds,
  EVERYTHING,
  type Interval,
  intervalIn,
  intervalOf,
  type KnownIntervals,
} from "./interval.ts";
import { INTRINSICS, resultOf } from "./intrinsics.ts";
import { wordsOf } from "./make-expr.ts";
import { partsOf } from "./map-expr.ts";
import { type Memory, memoryOf, valueIn } from "./memory.ts";
import type { Buffer, Fn, FnParam, GroupFn, Kernel, LaunchParam, Library, Module } from "./module.ts";
import { ROW, type Stmt } from "./stmt.ts";
import { type AccessStmt, allExprs, exprsOf, spaceOf, widthOf } from "./walk.ts";

// The verifier's facts about names.
interface DeclaredNames {
  readonly type: Scalar;
  /** The number of values; more than 1 for the results of a call, which only `part` reads. */
  readonly width?: number;
  /** The number of elements of a vector. */
  readonly vector?: number;
  readonly mutable: boolean;
  readonly uniform: boolean;
  readonly interval: Interval;
}
interface Sized {
  readonly type: Scalar;
  readonly length: number;
}

/** Whether it is the same for all work-items of a group. */
const UNIFORM: Readonly<Record<Builtin, boolean>> = {
  "local-id": false,
  "group-id": true,
  "group-size": true,
  "subgroup-size": true,
  cell: false,
};

const byName = <T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [one.name, one]));

/** Everything that kernels refer to by name. */
interface ModuleNames {
  readonly buffers: ReadonlyMap<string, Buffer>;
  readonly functions: ReadonlyMap<string, Fn>;
  readonly params: ReadonlyMap<string, LaunchParam>;
  /** By function: whether it loads from device memory; computed on demand. */
  readonly loading: Map<string, boolean>;
}

const knownOf = (module: Pick<Module, "buffers" | "functions" | "params">): ModuleNames => ({
  buffers: byName(module.buffers),
  functions: byName(module.functions),
  params: byName(module.params),
  loading: new Map(),
});

/** Whether a function loads from device memory, directly or through the functions that it calls. */
function loadsIn(module: ModuleNames, name: string): boolean {
  const { loading, functions } = module;
  const before = loading.get(name);
  if (before !== undefined) return before;
  const loads = allExprs(functions.get(name)?.body ?? []).some(
    (e) => (e.kind === "load" && e.space === "storage") || (e.kind === "call" && loadsIn(module, e.fn)),
  );
  loading.set(name, loads);
  return loads;
}

/** The numbers of elements of vectors, and the expressions that can be one. */
const WIDTHS: readonly number[] = [2, 4, 8, 16];
const VECTORS: ReadonlySet<Expr["kind"]> = new Set<Expr["kind"]>([
  "const",
  "var",
  "load",
  "unary",
  "binary",
  "select",
  "cast",
  "bitcast",
  "permute",
]);
const TAKES_VECTORS: ReadonlySet<Stmt["kind"]> = new Set<Stmt["kind"]>(["let", "var", "assign", "store"]);
const vectorOf = ({ width }: Expr): { readonly vector?: number } =>
  width === undefined ? {} : { vector: width };

/** @throws GroupwiseError `bad-kernel`: a lowering has a bug */
export function verify(module: Module): void {
  const known = knownOf(module);
  for (const fn of module.functions) new Verifier(known, fn.name, undefined, fn).run();
  for (const kernel of module.kernels) new Verifier(known, kernel.name, kernel, undefined).run();
}

/** @throws GroupwiseError `bad-kernel`: a lowering has a bug */
export function verifyLibrary(library: Library): void {
  const known = knownOf({ params: [], buffers: [], functions: library.functions });
  for (const fn of library.functions) new Verifier(known, fn.name, undefined, fn).run();
  for (const fn of library.groups) new Verifier(known, fn.name, fn, fn).run();
}

class Verifier {
  private readonly place: string;
  private readonly kernel: Kernel | GroupFn | undefined;
  private readonly fn: Fn | GroupFn | undefined;
  /** By name: what is known of it, until its block ends. */
  private readonly names = new Map<string, DeclaredNames>();
  /** The names in the order of their declarations. */
  private readonly declared: string[] = [];
  private readonly arrays = new Map<string, Sized>();
  private readonly module: ModuleNames;
  /** The bounds of names that the enclosing conditions imply, the innermost last. */
  private readonly bounds: ConditionBounds[] = [];
  private readonly around: KnownIntervals;
  /** False inside control flow that only some work-items of the group, or of a subgroup, may take. */
  private together = true;
  private near = true;

  constructor(
    module: ModuleNames,
    place: string,
    kernel: Kernel | GroupFn | undefined,
    fn: Fn | GroupFn | undefined,
  ) {
    this.module = module;
    this.place = place;
    this.kernel = kernel;
    this.fn = fn;
    const boundsOf = (name: string): Interval | undefined =>
      this.bounds.findLast((bound) => bound.name === name)?.interval;
    this.around = {
      variable: (name) => boundsOf(name) ?? this.lookup(name)?.interval ?? EVERYTHING,
      workGroupSize: kernel?.workGroupSize ?? 1,
    };
  }

  run(): void {
    const params: readonly FnParam[] = this.fn?.params ?? [];
    for (const { name, type, width } of params) this.given(name, type, width);
    for (const { name, type, length } of this.kernel?.shared ?? []) this.arrays.set(name, { type, length });
    this.block(this.kernel?.body ?? this.fn?.body ?? []);
  }

  private readonly fail: (reason: string) => never = (reason) => {
    throw errorOf("bad-kernel", { reason }, this.place);
  };

  private declare(name: string, known: DeclaredNames): void {
    if (this.lookup(name)) this.fail(`${name} is declared twice`);
    this.names.set(name, known);
    this.declared.push(name);
  }

  /** Declares a value, or several, that may differ between work-items. */
  private given(name: string, type: Scalar, width: number = 1, interval: Interval = EVERYTHING): void {
    const parts = width > 1 && { width };
    this.declare(name, { type, ...parts, mutable: false, uniform: false, interval });
  }

  private lookup(name: string): DeclaredNames | undefined {
    return this.names.get(name);
  }

  private block(stmts: readonly Stmt[]): void {
    // A block's names and arrays end with it: the next one may use them for something else.
    const before = this.declared.length;
    for (const stmt of stmts) this.stmt(stmt);
    this.forget(before);
    for (const stmt of stmts) if (stmt.kind === "array") this.arrays.delete(stmt.name);
  }

  /** Ends the names after the first ones. */
  private forget(first: number): void {
    for (const name of this.declared.splice(first)) this.names.delete(name);
  }

  private nested(uniform: boolean, stmts: readonly Stmt[], ofSubgroups: boolean = uniform): void {
    const { together, near } = this;
    [this.together, this.near] = [together && uniform, near && ofSubgroups];
    this.block(stmts);
    [this.together, this.near] = [together, near];
  }

  private stmt(stmt: Stmt): void {
    for (const expr of exprsOf(stmt)) {
      this.expr(expr);
      if (!TAKES_VECTORS.has(stmt.kind)) this.fits(undefined, expr);
    }
    (this.stmts[stmt.kind] as (stmt: Stmt) => void)(stmt);
  }

  private readonly stmts: { readonly [K in Stmt["kind"]]: (stmt: Extract<Stmt, { kind: K }>) => void } = {
    comment: () => {},
    routine: () => {},
    results: () => {},
    let: ({ name, value }) => {
      const known = { uniform: this.uniform(value), interval: this.interval(value) };
      this.declare(name, { type: value.type, ...vectorOf(value), mutable: false, ...known });
    },
    var: ({ name, value, uniform = false }) => {
      if (uniform && !(this.together && this.uniform(value))) this.fail(`${name} is not uniform`);
      this.declare(name, {
        type: value.type,
        ...vectorOf(value),
        mutable: true,
        uniform,
        interval: EVERYTHING,
      });
    },
    assign: ({ name, value }) => {
      const known = this.lookup(name);
      if (!known?.mutable) this.fail(`${name} cannot be assigned`);
      if (known.uniform && !(this.together && this.uniform(value)))
        this.fail(`${name} does not stay uniform`);
      this.want(known.type, value, name);
      this.fits(known.vector, value);
    },
    array: (stmt) => {
      if (this.arrays.has(stmt.name)) this.fail(`${stmt.name} is declared twice`);
      this.arrays.set(stmt.name, stmt);
    },
    store: ({ space, array, index, value, memory = value.type }) => {
      if (value.width !== undefined && space !== "storage")
        this.fail(`a vector of the ${space} array ${array}`);
      const type = this.element(space, array, index, memory);
      if (space === "storage") this.written(array);
      this.want(type, value, array);
    },
    atomic: ({ op, space, array, index, value }) => {
      if (value.type !== "u32" && value.type !== "i32") this.fail(`an atomic ${op} of ${value.type}`);
      if (space === "storage") this.written(array);
      this.want(this.element(space, array, index, value.type), value, array);
    },
    barrier: () => {
      if (!this.together) this.fail("a barrier is not reached by every work-item");
    },
    intrinsic: (stmt) => {
      const { fn, name, args, op } = stmt;
      const { takes, lane } = INTRINSICS[fn];
      const [value, other] = args as [Expr, Expr | undefined];
      if (!this.near) this.fail(`a ${fn} is not reached by every work-item`);
      if (args.length !== (lane ? 2 : 1)) this.fail(`a ${fn} of ${args.length} arguments`);
      const what = op ? `a ${fn} by ${op}` : `a ${fn}`;
      if (takes === "bool" || (takes === "words" && value.type !== "i32"))
        this.want(takes === "bool" ? "bool" : "u32", value, what);
      if (other) this.want("u32", other, `the lane of ${name}`);
      if (other && lane === "uniform" && !this.uniform(other))
        this.fail(`the lane of ${name} is not uniform`);
      this.given(name, resultOf(stmt));
    },
    "atomic-load": (s) => this.atomicRead(s),
    "atomic-load-row": (s) => this.atomicRead(s),
    "atomic-store": ({ array, index, value }) => {
      this.element("storage", array, index, "u32");
      this.want("u32", value, array);
    },
    "atomic-add": (s) => this.atomicRead(s),
    prefetch: ({ array, type, index }) => {
      this.element("storage", array, index, type);
    },
    "load-row": ({ name, array, type, index, memory = type, width = ROW }) => {
      if (this.element("storage", array, index, memory) !== type) this.fail(`${array} is not of ${type}`);
      this.given(name, type, width, intervalIn(memory));
    },
    "store-row": ({ array, index, values, memory }) => {
      if (![2, ROW].includes(values.length)) this.fail(`a vec4 of ${array} has ${values.length} elements`);
      if (this.module.buffers.get(array)?.role === "input") this.fail(`the input ${array} is written`);
      for (const value of values)
        this.want(this.element("storage", array, index, memory ?? value.type), value, array);
    },
    "uniform-load": ({ name, array, type, index }) => {
      if (!this.together) this.fail("a uniform load is not reached by every work-item");
      if (!this.uniform(index)) this.fail(`the index of ${array} is not uniform`);
      if (this.element("work-group", array, index, type) !== type) this.fail(`${array} is not of ${type}`);
      this.declare(name, { type, mutable: false, uniform: true, interval: EVERYTHING });
    },
    native: ({ name, fn, op, value, source }) => {
      if (!this.together) this.fail("a work-group function is not reached by every work-item");
      const known = this.lookup(name);
      if (!known?.mutable) this.fail(`${name} cannot be assigned`);
      this.want(known.type, value, name);
      if ((fn === "broadcast") !== (source !== undefined)) this.fail(`${fn} has a wrong source`);
      if (source) this.want("u32", source, name);
      if (op && !["int", "uint", "bool"].includes(SCALARS[value.type].kind))
        this.fail(`the order of ${fn} ${op} of ${value.type} is not defined`);
    },
    choice: ({ native, portable }) => {
      for (const block of [native, portable]) this.nested(true, block);
    },
    if: ({ condition, then, otherwise, ofSubgroups }) => {
      this.want("bool", condition, "a condition");
      const uniform = this.uniform(condition);
      this.knowing(condition, () => this.nested(uniform, then, ofSubgroups ?? uniform));
      this.nested(uniform, otherwise, ofSubgroups ?? uniform);
    },
    for: ({ name, from, below, body }) => {
      this.want("u32", from, name);
      this.want("u32", below, name);
      const uniform = this.uniform(from) && this.uniform(below);
      const interval: Interval = [this.interval(from)[0], Math.max(0, this.interval(below)[1] - 1)];
      const before = this.declared.length;
      this.declare(name, { type: "u32", mutable: false, uniform, interval });
      this.nested(uniform, body);
      this.forget(before);
    },
    while: ({ condition, body }) => {
      this.want("bool", condition, "a condition");
      this.nested(this.uniform(condition), body);
    },
    call: ({ name, fn, args, type, width }) => {
      this.called(fn, args, type, width);
      const uniform = args.every((arg) => this.uniform(arg));
      this.declare(name, { type, width, mutable: false, uniform, interval: EVERYTHING });
    },
    return: ({ values }) => {
      if (!this.fn) this.fail("a kernel returns a value");
      const { returns, width } = this.fn;
      if (values.length !== width) this.fail(`it has ${values.length} results instead of ${width}`);
      for (const value of values) this.want(returns, value, "a result");
    },
  };

  /** Checks the statements under a condition. */
  private knowing(condition: Expr, check: () => void): void {
    const bound = boundOf(condition, this.around);
    const isFixed = bound && !this.lookup(bound.name)?.mutable;
    if (isFixed) this.bounds.push(bound);
    check();
    if (isFixed) this.bounds.pop();
  }

  private atomicRead(
    stmt: Extract<AccessStmt, { kind: "atomic-load" | "atomic-load-row" | "atomic-add" }>,
  ): void {
    this.element(spaceOf(stmt), stmt.array, stmt.index, "u32");
    if ("value" in stmt) this.want("u32", stmt.value, stmt.array);
    if ("condition" in stmt) this.want("bool", stmt.condition, "a condition");
    this.given(stmt.name, "u32", widthOf(stmt));
  }

  private written(array: string): void {
    const role = this.module.buffers.get(array)?.role;
    if (role === "input" || role === "table") this.fail(`the ${role} ${array} is written`);
  }

  private want(type: Scalar, expr: Expr, what: string): void {
    if (expr.type !== type) this.fail(`${what} is ${type}, and gets ${expr.type}`);
  }

  /** The type of the values of an array; checks that its elements have the form `memory`. */
  private element(space: string, array: string, index: Expr, memory: Memory): Scalar {
    this.want("u32", index, `the index of ${array}`);
    this.fits(undefined, index);
    if (space === "storage") {
      const buffer = this.module.buffers.get(array);
      if (!buffer) return this.fail(`there is no array ${array}`);
      if (memoryOf(buffer) !== memory) this.fail(`${array} holds ${memoryOf(buffer)}, not ${memory}`);
      return valueIn(memory);
    }
    const sized = this.arrays.get(array);
    if (!sized) return this.fail(`there is no array ${array}`);
    const [low, high] = this.interval(index);
    if (low < 0 || high >= sized.length)
      this.fail(`an index of ${array} is between ${low} and ${high}, outside of ${sized.length} elements`);
    return sized.type;
  }

  /** A vector of another width, or where there is none. */
  private fits(width: number | undefined, { width: given }: Expr): void {
    if (given !== undefined && given !== width) this.fail(`${given} elements in place of ${width ?? 1}`);
  }

  private expr(expr: Expr): void {
    const parts = partsOf(expr);
    for (const part of parts) this.expr(part);
    if (expr.width !== undefined && !(WIDTHS.includes(expr.width) && VECTORS.has(expr.kind)))
      this.fail(`a ${expr.kind} of ${expr.width} elements`);
    if (expr.kind !== "permute" && expr.kind !== "bits")
      for (const part of parts) this.fits(expr.width, part);
    (this.exprs[expr.kind] as (expr: Expr) => void)(expr);
  }

  private readonly exprs: { readonly [K in Expr["kind"]]: (expr: Extract<Expr, { kind: K }>) => void } = {
    const: ({ type, value }) => {
      if (decodeLiteral(type, value) === undefined) this.fail(`${value} is not a constant of ${type}`);
    },
    var: ({ name, type, width }) => {
      const known = this.lookup(name);
      if (!known) this.fail(`${name} is used before it is declared, or outside of its block`);
      if (known.type !== type || known.width !== undefined || known.vector !== width)
        this.fail(`${name} is ${known.type}, and is used as ${type}`);
    },
    part: ({ of, index, type }) => {
      const known = this.lookup(of);
      if (known?.width === undefined || index >= known.width || known.type !== type)
        this.fail(`${of} has no result ${index} of ${type}`);
    },
    param: ({ name, type }) => {
      const found = this.module.params.get(name);
      if (found?.type !== type) this.fail(`there is no parameter ${name} of ${type}`);
    },
    builtin: () => {},
    load: ({ space, array, index, type, memory = type, width }) => {
      if (width !== undefined && space !== "storage") this.fail(`a vector of the ${space} array ${array}`);
      if (this.element(space, array, index, memory) !== type) this.fail(`${array} is not of ${type}`);
    },
    unary: ({ op, of }) => {
      if (!UNARY[op].on.includes(SCALARS[of.type].kind)) this.fail(`${op} is applied to ${of.type}`);
    },
    binary: ({ op, left, right }) => {
      const { on, rightType } = BINARY[op];
      if (!on.includes(SCALARS[left.type].kind)) this.fail(`${op} is applied to ${left.type}`);
      this.want(rightType ?? left.type, right, `the right side of ${op}`);
    },
    select: ({ condition, then, otherwise }) => {
      this.want("bool", condition, "a condition");
      this.want(then.type, otherwise, "a choice");
    },
    cast: () => {},
    bitcast: ({ of, type }) => {
      if (SCALARS[of.type].bits !== SCALARS[type].bits) this.fail(`${of.type} and ${type} differ in width`);
    },
    word: ({ of, index }) => {
      if (index >= wordsOf(of.type)) this.fail(`${of.type} has no word ${index}`);
    },
    join: ({ words, type }) => {
      if (words.length === 0 || words.length !== wordsOf(type))
        this.fail(`${type} is not ${words.length} words`);
      for (const one of words) this.want("u32", one, `a word of ${type}`);
    },
    call: ({ fn, type, args }) => this.called(fn, args, type, 1),
    permute: ({ left, right, pattern, type, width = 1 }) => {
      const count = (left.width ?? 1) * (right ? 2 : 1);
      this.want(type, left, "a vector");
      if (right) this.want(type, right, "a vector");
      if (right && right.width !== left.width) this.fail("vectors of two widths");
      if (pattern.length !== width || !pattern.every((at) => Number.isInteger(at) && at >= 0 && at < count))
        this.fail(`the elements ${pattern} of ${count}`);
    },
    bits: ({ of, type }) => {
      this.want("bool", of, "a vector of truth values");
      if (of.width === undefined || type !== "u32") this.fail(`bits of one value, or as ${type}`);
    },
  };

  private called(name: string, args: readonly Expr[], type: Scalar, width: number): void {
    const fn = this.module.functions.get(name);
    if (!fn) this.fail(`there is no function ${name}`);
    if (fn.returns !== type || fn.width !== width || fn.params.length !== args.length)
      this.fail(`a call of ${name} does not match its declaration`);
    for (const [i, p] of fn.params.entries()) this.want(p.type, args[i] as Expr, `an argument of ${name}`);
  }

  private uniform(expr: Expr): boolean {
    if (expr.kind === "const" || expr.kind === "param") return true;
    if (expr.kind === "var") return this.lookup(expr.name)?.uniform ?? false;
    if (expr.kind === "part") return this.lookup(expr.of)?.uniform ?? false;
    if (expr.kind === "builtin") return UNIFORM[expr.builtin];
    // What another work-item may have written can differ by the time it is read.
    if (expr.kind === "load") return false;
    if (expr.kind === "call" && loadsIn(this.module, expr.fn)) return false;
    return partsOf(expr).every((part) => this.uniform(part));
  }

  private interval(expr: Expr): Interval {
    return intervalOf(expr, this.around);
  }
}
