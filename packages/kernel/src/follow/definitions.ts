/**
 * Reaching definitions before and after a pass: every statement that a pass keeps reads the values of variables and arrays that it read
 * before. Names for values are seen through, so that a pass may add, replace and move them. A value of a variable is identified by the statement
 * that makes it: an assignment, a branch or loop after which there is one of several values, or a loop from whose earlier iterations it is.
 * An array has one value for all of its elements, which each store replaces.
 */
import type { Expr } from "../language/expr.ts";
import { TRAITS } from "../language/intrinsics.ts";
import { partsOf } from "../language/map-expr.ts";
import type { Fn, Module } from "../language/module.ts";
import { originOf } from "../language/origin.ts";
import { isRoutine, partsOfBlock, readBy } from "../language/routines.ts";
import type { IfStmt, Stmt } from "../language/stmt.ts";
import { allExprs, assigns, declares, exprsOf, isBarrier, walk } from "../language/walk.ts";

// The arrays of shared memory that statements and functions access.
/** The functions of a module, and the arrays that they access. */
class Functions {
  private readonly byName: ReadonlyMap<string, Fn>;
  private readonly known = new Map<string, Accesses>();

  constructor(functions: readonly Fn[]) {
    this.byName = new Map(functions.map((fn) => [fn.name, fn]));
  }

  accesses(name: string): Accesses {
    const before = this.known.get(name);
    if (before) return before;
    const body = this.byName.get(name)?.body ?? [];
    const found = accessesOf(body, this);
    this.known.set(name, found);
    return found;
  }
}

/** Arrays of shared memory that statements read and write. */
interface Accesses {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  readonly hasBarrier: boolean;
}

/** The array of an access: of one that several share, that which it was. */
const arrayOf = ({ array, held = array }: { readonly array: string; readonly held?: string }): string => held;

const isPrivate = (of: object): boolean => "space" in of && of.space === "private";

function accessesOf(body: readonly Stmt[], functions: Functions): Accesses {
  const [reads, writes] = [new Set<string>(), new Set<string>()];
  let hasBarrier = false;
  const called = (fn: string): void => {
    const inner = functions.accesses(fn);
    for (const name of inner.reads) reads.add(name);
    for (const name of inner.writes) writes.add(name);
    hasBarrier ||= inner.hasBarrier;
  };
  for (const e of allExprs(body)) {
    if (e.kind === "load" && !isPrivate(e)) reads.add(arrayOf(e));
    if (e.kind === "call") called(e.fn);
  }
  for (const stmt of walk(body)) {
    hasBarrier ||= isBarrier(stmt);
    if (stmt.kind === "call") called(stmt.fn);
    if ("array" in stmt && !isPrivate(stmt)) (TRAITS[stmt.kind].writes ? writes : reads).add(arrayOf(stmt));
  }
  return { reads, writes, hasBarrier };
}

/** What a pass may change. */
export interface Freedom {
  /** Arrays become others, so that only variables are followed. */
  readonly arrays?: true;
  /** Routines become calls, whose results depend on all arguments. */
  readonly routines?: true;
  /** A condition is joined with that of an `if` which is alone in the first block. */
  readonly conditions?: true;
}

/** By name of a variable or an array: its value. */
type State = Map<string, number>;
/** Values that something depends on. */
type Values = ReadonlySet<number>;

/** Values of a variable, apart from those of others: more than the numbers of statements. */
const SPAN = 2 ** 24;
const variableOf = (value: number): number => Math.floor(value / SPAN);
/** Values that a statement makes. */
const made = (origin: number): number => 2 * origin;
/** The value after a loop, which is none of those inside. */
const left = (origin: number): number => 2 * origin + 1;

/** The condition of an `if`, and those of the ones that are alone in its first block. */
function conditionsOf({ condition, then: [inner, ...others] }: IfStmt): readonly Expr[] {
  return [condition, ...(inner?.kind === "if" && others.length === 0 ? conditionsOf(inner) : [])];
}

/** What is known of both sides of a pass when one is followed. */
interface Known {
  readonly freedom: Freedom;
  /** Declarations of the variables and private arrays that both sides have. */
  readonly declarations: ReadonlySet<number>;
  /** Statements that both sides have; others make no value. */
  readonly makers: ReadonlySet<number>;
  /** By `if` whose condition is constant on one side: the condition. */
  readonly taken: ReadonlyMap<number, boolean>;
}

/** Follows the statements of a kernel or a function. */
class Followed {
  /** By origin: the values that statements depend on. */
  readonly reads = new Map<number, Set<number>>();
  /** Assignments without an origin. */
  readonly unknown: string[] = [];
  /** By name of a value: what it depends on. */
  private readonly names = new Map<string, Values>();
  /** By name of a value: the constant or launch scalar that it is. */
  private readonly leaves = new Map<string, Expr>();
  /** By variable or private array: the number of its declaration. */
  private readonly declared = new Map<string, number>();
  /** Arrays of shared memory that the kernel writes. */
  private readonly shared: ReadonlySet<string>;
  private readonly functions: Functions;
  private readonly known: Known;

  constructor({ body, functions }: Side, known: Known) {
    this.functions = functions;
    this.known = known;
    this.shared = accessesOf(body, functions).writes;
    this.block(body, new Map([...this.shared].map((name) => [name, 0])));
  }

  /** @returns the values after the block; undefined if nothing runs after it */
  private block(stmts: readonly Stmt[], before: State): State | undefined {
    let state: State | undefined = before;
    for (const part of partsOfBlock(stmts)) {
      if (!state) return undefined;
      if (!isRoutine(part)) {
        state = this.stmt(part, state);
        continue;
      }
      const given = new Set<number>();
      for (const e of readBy(part)) this.addTo(given, e, state);
      state = this.block(part.body, state);
      if (this.known.freedom.routines)
        for (const { name } of part.results)
          this.names.set(name, new Set([...given, ...(this.names.get(name) ?? [])]));
    }
    return state;
  }

  private stmt(stmt: Stmt, state: State): State | undefined {
    const origin = originOf(stmt) ?? 0;
    switch (stmt.kind) {
      case "if": {
        const conditions = this.known.freedom.conditions ? conditionsOf(stmt) : [stmt.condition];
        this.record(origin, this.valuesOf(conditions, state));
        const taken = this.known.taken.get(origin);
        return this.either(origin, state, [
          ...(taken === false ? [] : [stmt.then]),
          ...(taken === true ? [] : [stmt.otherwise]),
        ]);
      }
      case "choice":
        return this.either(origin, state, [stmt.native, stmt.portable]);
      case "for":
        this.declared.delete(stmt.name);
        this.names.delete(stmt.name);
        this.record(origin, this.valuesOf([stmt.from], state));
        return this.loop(origin, [stmt.below], stmt.body, state);
      case "while":
        return this.loop(origin, [stmt.condition], stmt.body, state);
      case "return":
        this.record(origin, this.valuesOf(stmt.values, state));
        return undefined;
      default:
        this.plain(stmt, origin, state);
        return state;
    }
  }

  private plain(stmt: Stmt, origin: number, state: State): void {
    const values = this.valuesOf(exprsOf(stmt), state);
    if ("array" in stmt && TRAITS[stmt.kind].reads) this.addArray(values, arrayOf(stmt), state);
    this.record(origin, values);
    if (stmt.kind === "var" || stmt.kind === "array") {
      if (this.known.declarations.has(origin)) this.declared.set(stmt.name, origin);
      else this.declared.delete(stmt.name);
      this.names.delete(stmt.name);
    } else if (declares(stmt)) {
      this.declared.delete(stmt.name);
      this.names.set(stmt.name, values);
      const leaf = stmt.kind === "let" ? this.leafOf(stmt.value) : undefined;
      if (leaf) this.leaves.set(stmt.name, leaf);
      else this.leaves.delete(stmt.name);
    }
    for (const name of this.madeBy(stmt)) {
      const isFollowed = this.shared.has(name) ? !this.known.freedom.arrays : this.declared.has(name);
      if (origin === 0 && isFollowed) this.unknown.push(name);
      state.set(name, made(origin));
    }
  }

  /** One of several blocks. */
  private either(origin: number, before: State, blocks: readonly (readonly Stmt[])[]): State | undefined {
    const ends = blocks.flatMap((block) => this.block(block, new Map(before)) ?? []);
    const [first, ...others] = ends;
    if (!first) return undefined;
    const joined: State = new Map();
    for (const [name, value] of first) {
      if (others.some((end) => !end.has(name))) continue;
      joined.set(name, others.every((end) => end.get(name) === value) ? value : made(origin));
    }
    return joined;
  }

  /** @param again what is computed before each iteration and after the last */
  private loop(origin: number, again: readonly Expr[], body: readonly Stmt[], before: State): State {
    const [inside, after] = [new Map(before), new Map(before)];
    for (const stmt of walk(body))
      for (const name of this.madeBy(stmt)) {
        if (!before.has(name)) continue;
        inside.set(name, made(origin));
        after.set(name, left(origin));
      }
    this.record(origin, this.valuesOf(again, before));
    const end = this.block(body, inside);
    if (end) this.record(origin, this.valuesOf(again, end));
    return after;
  }

  /** The variables and arrays to which a statement gives a new value. */
  private madeBy(stmt: Stmt): readonly string[] {
    if (!this.known.makers.has(originOf(stmt) ?? 0)) return [];
    if (stmt.kind === "var" || stmt.kind === "array" || assigns(stmt)) return [stmt.name];
    if (isBarrier(stmt)) return [...this.shared];
    const called =
      stmt.kind === "call" ? stmt.fn : stmt.kind === "let" && stmt.value.kind === "call" ? stmt.value.fn : "";
    if (called !== "") {
      const { writes, hasBarrier } = this.functions.accesses(called);
      return [...(hasBarrier ? this.shared : writes)];
    }
    return "array" in stmt && TRAITS[stmt.kind].writes ? [arrayOf(stmt)] : [];
  }

  private record(origin: number, values: Values): void {
    const known = this.reads.get(origin);
    if (!known) this.reads.set(origin, new Set(values));
    else for (const value of values) known.add(value);
  }

  private valuesOf(exprs: readonly Expr[], state: State): Set<number> {
    const found = new Set<number>();
    for (const e of exprs) this.addTo(found, e, state);
    return found;
  }

  /** Whether it chooses between a constant or launch scalar and itself: passes leave out the condition. */
  private isOne(e: Expr): e is Extract<Expr, { kind: "select" }> {
    if (e.kind !== "select") return false;
    const [a, b] = [this.leafOf(e.then), this.leafOf(e.otherwise)];
    return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
  }

  private leafOf(e: Expr): Expr | undefined {
    if (e.kind === "const" || e.kind === "param") return e;
    if (e.kind === "var") return this.leaves.get(e.name);
    return this.isOne(e) ? this.leafOf(e.then) : undefined;
  }

  private addTo(found: Set<number>, e: Expr, state: State): void {
    if (e.kind === "var" || e.kind === "part") this.addName(found, e.kind === "var" ? e.name : e.of, state);
    else if (e.kind === "load") this.addArray(found, arrayOf(e), state);
    else if (e.kind === "call")
      for (const name of this.functions.accesses(e.fn).reads) this.addArray(found, name, state);
    for (const part of this.isOne(e) ? [e.then] : partsOf(e)) this.addTo(found, part, state);
  }

  private addName(found: Set<number>, name: string, state: State): void {
    const declaration = this.declared.get(name);
    if (declaration === undefined) for (const value of this.names.get(name) ?? []) found.add(value);
    else if (state.has(name)) found.add(declaration * SPAN + (state.get(name) as number));
  }

  private addArray(found: Set<number>, name: string, state: State): void {
    if (this.known.freedom.arrays) return;
    const declaration = this.shared.has(name) ? 0 : this.declared.get(name);
    if (declaration !== undefined && state.has(name))
      found.add(declaration * SPAN + (state.get(name) as number));
  }
}

/** Everything with statements, by name. */
const bodiesOf = ({ kernels, functions }: Module): ReadonlyMap<string, readonly Stmt[]> =>
  new Map([...functions, ...kernels].map(({ name, body }) => [name, body]));

/**
 * What a pass changed of the values that statements read, in words; empty if nothing.
 * @param before the module with origins (`withOrigins`)
 * @param after the result of the pass
 */
export function changedReads(before: Module, after: Module, freedom: Freedom = {}): readonly string[] {
  const [given, found] = [bodiesOf(before), bodiesOf(after)];
  const [givenFns, foundFns] = [new Functions(before.functions), new Functions(after.functions)];
  return [...given].flatMap(([name, body]) => {
    const changed = found.get(name);
    if (!changed || changed === body) return [];
    return changedIn({ body, functions: givenFns }, { body: changed, functions: foundFns }, freedom).map(
      (problem) => `${name}: ${problem}`,
    );
  });
}

interface Side {
  readonly body: readonly Stmt[];
  readonly functions: Functions;
}

function changedIn(before: Side, after: Side, freedom: Freedom): string[] {
  const byOrigin = new Map(walk(before.body).map((stmt) => [originOf(stmt) ?? 0, stmt]));
  const known = knownOf(byOrigin, walk(after.body), freedom);
  const want = new Followed(before, known).reads;
  const { reads, unknown } = new Followed(after, known);
  const problems = unknown.map((name) => `a statement without an origin gives ${name} a value`);
  const said = (value: number): string => {
    const declaration = byOrigin.get(variableOf(value));
    const maker = byOrigin.get(Math.floor((value % SPAN) / 2));
    return `${declaration ? nameIn(declaration) : "an array"} of ${maker ? describe(maker) : "the beginning"}`;
  };
  for (const [origin, values] of reads) {
    const [stmt, earlier] = [byOrigin.get(origin), want.get(origin)];
    // Without reads before, it is new or was never reached.
    if (!stmt || !earlier) continue;
    for (const value of values)
      if (!earlier.has(value)) problems.push(`${describe(stmt)} reads ${said(value)}, which it did not read`);
    const variables = new Set([...values].map(variableOf));
    for (const value of earlier)
      if (variableOf(value) !== 0 && variables.has(variableOf(value)) && !values.has(value))
        problems.push(`${describe(stmt)} does not read ${said(value)} any more`);
  }
  return problems;
}

function knownOf(before: ReadonlyMap<number, Stmt>, after: readonly Stmt[], freedom: Freedom): Known {
  const declarations = [...before].filter(
    ([, { kind }]) => kind === "var" || (kind === "array" && !freedom.arrays),
  );
  const taken = [...before.values(), ...after].flatMap((stmt): [number, boolean][] =>
    stmt.kind === "if" && stmt.condition.kind === "const"
      ? [[originOf(stmt) ?? 0, Boolean(stmt.condition.value)]]
      : [],
  );
  return {
    freedom,
    declarations: new Set(declarations.map(([origin]) => origin)),
    makers: new Set(after.map((stmt) => originOf(stmt) ?? 0)),
    taken: new Map(taken),
  };
}

const nameIn = (stmt: Stmt): string => ("name" in stmt ? stmt.name : "array" in stmt ? stmt.array : "");
const describe = (stmt: Stmt): string => `${stmt.kind} ${nameIn(stmt)}`.trim();
