/** A small builder for Kernel IR: statements in order, names that are never used twice. */

import type { Scalar } from "../../ir/tables/scalar.ts";
import type { GroupFeature } from "../capabilities/capabilities.ts";
import type { Expr, PartExpr, Space, VarExpr } from "./expr.ts";
import { load } from "./make-expr.ts";
import type { Fn, SharedArray } from "./module.ts";
import { type AtomicOp, type LetStmt, type NativeStmt, ROW, type RoutineStmt, type Stmt } from "./stmt.ts";

/** Hands out names that no one else has. */
export class Names {
  private readonly taken: Set<string>;
  /** By hint: the first number that may be free. */
  private readonly next = new Map<string, number>();
  private readonly scoped: boolean;
  /** Names that are taken here too. */
  private readonly outer: Names | undefined;

  /** @param scoped blocks that do not contain one another may use the same names */
  constructor(taken: Iterable<string> = [], scoped: boolean = true, outer?: Names) {
    this.taken = new Set(taken);
    this.scoped = scoped;
    this.outer = outer;
  }

  /** The hint itself where it is free, else the hint with the first number that is. */
  fresh(hint: string): string {
    let name = hint;
    if (this.isTaken(hint)) {
      let number = this.firstNumber(hint);
      do name = `${hint}_${number++}`;
      while (this.isTaken(name));
      this.next.set(hint, number);
    }
    this.taken.add(name);
    return name;
  }

  /** Names that go their own way from here: names of two kernels may be equal. */
  fork(scoped: boolean = this.scoped): Names {
    return new Names([], scoped, this);
  }

  /** The names for an inner block. */
  inner(): Names {
    return this.scoped ? this.fork() : this;
  }

  private isTaken(name: string): boolean {
    return this.taken.has(name) || (this.outer?.isTaken(name) ?? false);
  }

  private firstNumber(hint: string): number {
    return Math.max(this.next.get(hint) ?? 2, this.outer?.firstNumber(hint) ?? 2);
  }
}

/** An array that the builder made, to load from and store to. */
export interface ArrayRef {
  readonly space: Space;
  readonly name: string;
  readonly type: Scalar;
}

type Named = Readonly<Record<string, readonly Expr[]>>;
type ValuesOf<List extends Named> = { readonly [Name in keyof List]: readonly Expr[] };

/** A block under construction; variables and arrays come back as what to use in expressions. */
export class Code {
  readonly stmts: Stmt[] = [];
  readonly names: Names;
  private readonly hasRoutines: boolean;

  /** @param hasRoutines whether {@link routine} marks what it writes */
  constructor(names: Names, hasRoutines: boolean = false) {
    this.names = names;
    this.hasRoutines = hasRoutines;
  }

  comment(text: string): void {
    this.stmts.push({ kind: "comment", text });
  }

  let(hint: string, value: Expr, role?: LetStmt["role"]): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "let", name, value, ...(role && { role }) });
    return { kind: "var", name, type: value.type };
  }

  var(hint: string, value: Expr): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "var", name, value });
    return { kind: "var", name, type: value.type };
  }

  /** A variable that is the same for all of the work-group. */
  uniformVar(hint: string, value: Expr): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "var", name, value, uniform: true });
    return { kind: "var", name, type: value.type };
  }

  assign(variable: VarExpr, value: Expr): void {
    this.stmts.push({ kind: "assign", name: variable.name, value });
  }

  array(hint: string, type: Scalar, length: number): ArrayRef {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "array", name, type, length });
    return { space: "private", name, type };
  }

  load(array: ArrayRef, index: Expr): Expr {
    return load(array.space, array.name, array.type, index);
  }

  store(array: ArrayRef, index: Expr, value: Expr): void {
    this.stmts.push({ kind: "store", space: array.space, array: array.name, index, value });
  }

  /** Combines a value into an element that other work-items may change at the same time. */
  atomic(op: AtomicOp, { name }: ArrayRef, index: Expr, value: Expr): void {
    this.stmts.push({ kind: "atomic", op, space: "storage", array: name, index, value });
  }

  barrier(): void {
    this.stmts.push({ kind: "barrier" });
  }

  /** What the work-item gives whose local id differs in `bit` alone. */
  shuffleXor(hint: string, value: Expr, bit: Expr): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "shuffle-xor", name, value, bit });
    return { kind: "var", name, type: value.type };
  }

  /** What the work-item gives that is `from`-th in the subgroup. */
  shuffle(hint: string, value: Expr, from: Expr): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "shuffle", name, value, from });
    return { kind: "var", name, type: value.type };
  }

  atomicLoad(hint: string, array: string, index: Expr): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "atomic-load", name, array, index });
    return { kind: "var", name, type: "u32" };
  }

  atomicStore(array: string, index: Expr, value: Expr): void {
    this.stmts.push({ kind: "atomic-store", array, index, value });
  }

  /** Adds; gives what stood there before. */
  atomicAdd(hint: string, array: string, index: Expr, value: Expr): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "atomic-add", name, array, index, value });
    return { kind: "var", name, type: "u32" };
  }

  /** Four elements of device memory, from a multiple of four on. */
  loadRow(hint: string, array: ArrayRef, index: Expr): PartExpr[] {
    const name = this.names.fresh(hint);
    const { type } = array;
    this.stmts.push({ kind: "load-row", name, array: array.name, type, index });
    return Array.from({ length: ROW }, (_, part) => ({ kind: "part", of: name, index: part, type }));
  }

  storeRow(array: ArrayRef, index: Expr, values: readonly Expr[]): void {
    this.stmts.push({ kind: "store-row", array: array.name, index, values });
  }

  /** A barrier, and an element of work-group memory that is the same for all. */
  uniformLoad(hint: string, array: ArrayRef, index: Expr): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "uniform-load", name, array: array.name, type: array.type, index });
    return { kind: "var", name, type: array.type };
  }

  native(variable: VarExpr, call: Pick<NativeStmt, "fn" | "op" | "value" | "source">): void {
    this.stmts.push({ kind: "native", name: variable.name, ...call });
  }

  choice(feature: GroupFeature, native: (code: Code) => void, portable: (code: Code) => void): void {
    this.stmts.push({ kind: "choice", feature, native: this.inner(native), portable: this.inner(portable) });
  }

  /** Calls a function of several results, and gives what reads them. */
  call(hint: string, fn: Pick<Fn, "name" | "returns" | "width">, args: readonly Expr[]): PartExpr[] {
    const name = this.names.fresh(hint);
    const { returns: type, width } = fn;
    this.stmts.push({ kind: "call", name, fn: fn.name, args, type, width });
    return Array.from({ length: width }, (_, index) => ({ kind: "part", of: name, index, type }));
  }

  /**
   * A routine, of which printers may make a function; without routines its statements alone.
   * @param given its arguments
   * @param body writes it with what stands for them, and tells its results
   */
  routine<Given extends Named, Results extends Named>(
    { title, doc }: Pick<RoutineStmt, "title" | "doc">,
    given: Given,
    body: (args: ValuesOf<Given>) => Results,
  ): ValuesOf<Results> {
    if (!this.hasRoutines) return body(this.simple(given));
    const named = (list: Named, role: LetStmt["role"]): Record<string, Expr[]> =>
      Object.fromEntries(
        Object.entries(list).map(([hint, values]) => [hint, values.map((v) => this.let(hint, v, role))]),
      );
    const args = named(given, "argument");
    this.stmts.push({ kind: "routine", title, doc });
    const results = named(body(args as ValuesOf<Given>), "result");
    this.stmts.push({ kind: "results", values: Object.values(results).flat() });
    return results as ValuesOf<Results>;
  }

  /** Values that are read more than once have names. */
  private simple<Given extends Named>(given: Given): ValuesOf<Given> {
    const isShort = ({ kind }: Expr): boolean => kind === "var" || kind === "const" || kind === "param";
    const all = Object.entries(given).map(([hint, values]) => [
      hint,
      values.map((v) => (isShort(v) ? v : this.let(hint, v))),
    ]);
    return Object.fromEntries(all) as ValuesOf<Given>;
  }

  return(...values: Expr[]): void {
    this.stmts.push({ kind: "return", values });
  }

  if(condition: Expr, then: (code: Code) => void, otherwise: (code: Code) => void = () => {}): void {
    const yes = this.inner(then);
    const no = this.inner(otherwise);
    if (condition.kind === "const") this.stmts.push(...(condition.value ? yes : no));
    else if (yes.length + no.length > 0) this.stmts.push({ kind: "if", condition, then: yes, otherwise: no });
  }

  for(
    hint: string,
    from: Expr,
    below: Expr,
    body: (code: Code, index: Expr) => void,
    step: number = 1,
  ): void {
    if (
      from.kind === "const" &&
      below.kind === "const" &&
      once(Number(from.value), Number(below.value), step)
    ) {
      body(this, from);
      return;
    }
    const names = this.names.inner();
    const name = names.fresh(hint);
    const code = new Code(names, this.hasRoutines);
    body(code, { kind: "var", name, type: "u32" });
    if (code.stmts.length > 0) this.stmts.push({ kind: "for", name, from, below, step, body: code.stmts });
  }

  while(condition: Expr, body: (code: Code) => void): void {
    this.stmts.push({ kind: "while", condition, body: this.inner(body) });
  }

  private inner(fill: (code: Code) => void): Stmt[] {
    const code = new Code(this.names.inner(), this.hasRoutines);
    fill(code);
    return code.stmts;
  }
}

const once = (from: number, below: number, step: number): boolean => from < below && from + step >= below;

/** The work-group arrays of a kernel; one array per type and slot serves all its collectives in turn. */
export class Shared {
  readonly arrays: SharedArray[] = [];
  private readonly names: Names;
  private readonly slots = new Map<string, number>();

  constructor(names: Names) {
    this.names = names;
  }

  /** An array of its own. */
  make(hint: string, type: Scalar, length: number): ArrayRef {
    const name = this.names.fresh(hint);
    this.arrays.push({ name, type, length });
    return { space: "work-group", name, type };
  }

  /** The `slot`-th array of the type, at least `length` long. */
  take(type: Scalar, slot: number, length: number): ArrayRef {
    const key = `${type}/${slot}`;
    const at = this.slots.get(key);
    if (at === undefined) {
      this.slots.set(key, this.arrays.length);
      this.arrays.push({
        name: this.names.fresh(slot === 0 ? `lanes_${type}` : `lanes_${type}_${slot + 1}`),
        type,
        length,
      });
      return this.take(type, slot, length);
    }
    const array = this.arrays[at] as SharedArray;
    if (array.length < length) this.arrays[at] = { ...array, length };
    return { space: "work-group", name: array.name, type };
  }
}
