/** A small builder for Kernel IR: statements in order, with unique names. */

import type { Names } from "@groupwise/ir/base/names.js";
import { type ArrayType, isNarrow, valueTypeOf } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr, Inside, PartExpr, SharedSpace, Space, VarExpr } from "./expr.ts";
import { resultOf } from "./intrinsics.ts";
import { binary, isSimple, load, type Operand, operand } from "./make-expr.ts";
import type { Memory } from "./memory.ts";
import type { Fn, SharedArray } from "./module.ts";
import {
  type AtomicLoadRowStmt,
  type AtomicOp,
  type ChoiceFeature,
  type Intrinsic,
  type LetStmt,
  type NativeStmt,
  ROW,
  type RoutineStmt,
  type RowWidth,
  type Stmt,
} from "./stmt.ts";

/** An array that the builder made, to load from and store to. */
export interface ArrayRef<In extends Space = Space> {
  readonly space: In;
  readonly name: string;
  /** The type of values. */
  readonly type: Scalar;
  /** The form of elements, if they are narrower than values. */
  readonly memory?: Memory;
}

/** An array of device memory whose elements are of a type of arrays. */
export const storageRef = (name: string, type: ArrayType): ArrayRef<"storage"> => ({
  space: "storage",
  name,
  type: valueTypeOf(type),
  ...(isNarrow(type) && { memory: type }),
});

const formOf = ({ memory }: ArrayRef): { readonly memory?: Memory } => (memory ? { memory } : {});

const markOf = (inside: boolean): { readonly inside?: Inside } => (inside ? { inside: true } : {});

const nameOf = (name: string, { type, width }: Expr): VarExpr => ({
  kind: "var",
  name,
  type,
  ...(width !== undefined && { width }),
});

/** Values by name. */
export type NamedValues = Readonly<Record<string, readonly Expr[]>>;
/** Others by the same names. */
export type ValuesOf<List extends NamedValues> = { readonly [Name in keyof List]: readonly Expr[] };

/** The hints of the values of a list: the number of a record, if there are several, and the name of the field. */
function hintsOf(hint: string, count: number, fields: readonly string[]): string[] {
  const width = count % fields.length === 0 ? fields.length : 1;
  return Array.from({ length: count }, (_, i) => {
    const number = count > width ? Math.floor(i / width) : "";
    return `${hint}${number}${width > 1 ? `_${fields[i % width]}` : ""}`;
  });
}

const eachOf = <List extends NamedValues>(
  list: List,
  fields: readonly string[],
  change: (hint: string, value: Expr) => Expr,
): ValuesOf<List> =>
  Object.fromEntries(
    Object.entries(list).map(([hint, values]) => {
      const hints = hintsOf(hint, values.length, fields);
      return [hint, values.map((value, i) => change(hints[i] as string, value))];
    }),
  ) as unknown as ValuesOf<List>;

/** What a routine is, and the names of the fields of the records in its arguments and results. */
export interface Heading extends Omit<RoutineStmt, "kind"> {
  readonly fields?: readonly string[] | undefined;
  /** Without routines the arguments are not named, because the statements use each once. */
  readonly isBare?: boolean;
}

/** A block under construction; its methods return expressions for new variables, and new arrays. */
export class Code {
  readonly stmts: Stmt[] = [];
  readonly names: Names;
  private readonly hasRoutines: boolean;

  /** @param hasRoutines whether {@link routine} marks its statements */
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
    return nameOf(name, value);
  }

  var(hint: string, value: Expr): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "var", name, value });
    return nameOf(name, value);
  }

  /** The value, if it can be repeated; otherwise a name for it. */
  named(hint: string, value: Expr): Expr {
    return isSimple(value) ? value : this.let(hint, value);
  }

  /** A variable that is uniform in the work-group. */
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

  /** @param inside see {@link Inside} */
  load(array: ArrayRef, index: Operand, inside: boolean = false): Expr {
    const { space, name, type } = array;
    return { ...load(space, name, type, index), ...formOf(array), ...markOf(inside) };
  }

  /** @param inside see {@link Inside} */
  store(array: ArrayRef, index: Operand, value: Operand, inside: boolean = false): void {
    const { space, name } = array;
    const form = { ...formOf(array), ...markOf(inside) };
    this.stmts.push({
      kind: "store",
      space,
      array: name,
      index: operand(index),
      value: operand(value),
      ...form,
    });
  }

  /** Combines a value into an element that other work-items may change at the same time. */
  atomic(op: AtomicOp, { space, name }: ArrayRef<SharedSpace>, index: Operand, value: Operand): void {
    this.stmts.push({ kind: "atomic", op, space, array: name, index: operand(index), value: operand(value) });
  }

  barrier(): void {
    this.stmts.push({ kind: "barrier" });
  }

  /** The result of a function of a subgroup. @param args the value, and the bit or the lane */
  intrinsic(fn: Intrinsic, hint: string, args: readonly Expr[], op?: AtomicOp): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "intrinsic", fn, name, args, ...(op && { op }) });
    return { kind: "var", name, type: resultOf({ fn, args }) };
  }

  /** Asks for the cache line of an element, where capabilities have prefetches. */
  prefetch({ name, type }: ArrayRef<"storage">, index: Expr): void {
    this.stmts.push({ kind: "prefetch", array: name, type, index });
  }

  /** @param inside see {@link Inside} */
  atomicLoad(hint: string, array: string, index: Expr, inside: boolean = false): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "atomic-load", name, array, index, ...markOf(inside) });
    return { kind: "var", name, type: "u32" };
  }

  /** Two or four words, from a multiple of their number on; zeros if the condition is false. */
  atomicLoadRow(
    hint: string,
    array: string,
    row: Pick<AtomicLoadRowStmt, "index" | "width" | "condition" | "inside">,
  ): PartExpr[] {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "atomic-load-row", name, array, ...row });
    return Array.from({ length: row.width }, (_, part) => ({
      kind: "part",
      of: name,
      index: part,
      type: "u32",
    }));
  }

  /** @param inside see {@link Inside} */
  atomicStore(array: string, index: Expr, value: Expr, inside: boolean = false): void {
    this.stmts.push({ kind: "atomic-store", array, index, value, ...markOf(inside) });
  }

  /** Adds, and returns the old value. */
  atomicAdd(
    hint: string,
    { space, name: array }: ArrayRef<SharedSpace>,
    index: Operand,
    value: Operand,
  ): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({ kind: "atomic-add", name, space, array, index: operand(index), value: operand(value) });
    return { kind: "var", name, type: "u32" };
  }

  /** Elements of device memory, from a multiple of their number on. */
  loadRow(hint: string, array: ArrayRef, index: Operand, width: RowWidth = ROW): PartExpr[] {
    const name = this.names.fresh(hint);
    const { type } = array;
    this.stmts.push({
      kind: "load-row",
      name,
      array: array.name,
      type,
      index: operand(index),
      ...(width !== ROW && { width }),
      ...formOf(array),
    });
    return Array.from({ length: width }, (_, part) => ({ kind: "part", of: name, index: part, type }));
  }

  storeRow(array: ArrayRef, index: Operand, values: readonly Expr[]): void {
    this.stmts.push({
      kind: "store-row",
      array: array.name,
      index: operand(index),
      values,
      ...formOf(array),
    });
  }

  /** A barrier, and an element of work-group memory that is the same for all. */
  uniformLoad(hint: string, array: ArrayRef, index: Operand): VarExpr {
    const name = this.names.fresh(hint);
    this.stmts.push({
      kind: "uniform-load",
      name,
      array: array.name,
      type: array.type,
      index: operand(index),
    });
    return { kind: "var", name, type: array.type };
  }

  native(variable: VarExpr, call: Pick<NativeStmt, "fn" | "op" | "value" | "source">): void {
    this.stmts.push({ kind: "native", name: variable.name, ...call });
  }

  choice(feature: ChoiceFeature, native: (code: Code) => void, portable: (code: Code) => void): void {
    this.stmts.push({ kind: "choice", feature, native: this.inner(native), portable: this.inner(portable) });
  }

  /** Calls a function of several results, and returns the expressions that read them. */
  call(hint: string, fn: Pick<Fn, "name" | "returns" | "width">, args: readonly Expr[]): PartExpr[] {
    const name = this.names.fresh(hint);
    const { returns: type, width } = fn;
    this.stmts.push({ kind: "call", name, fn: fn.name, args, type, width });
    return Array.from({ length: width }, (_, index) => ({ kind: "part", of: name, index, type }));
  }

  /**
   * A routine, which printers may emit as a function; without routines only its statements.
   * @param given its arguments
   * @param body writes it, given their replacements, and returns its results
   */
  routine<Given extends NamedValues, Results extends NamedValues>(
    { isBare = false, fields = [], ...heading }: Heading,
    given: Given,
    body: (args: ValuesOf<Given>) => Results,
  ): ValuesOf<Results> {
    if (!this.hasRoutines)
      return body(eachOf(given, fields, (hint, value) => (isBare ? value : this.named(hint, value))));
    const args = eachOf(given, fields, (hint, value) => this.let(hint, value, "argument"));
    this.stmts.push({ kind: "routine", ...heading });
    const results = eachOf(body(args), fields, (hint, value) => this.let(hint, value, "result"));
    this.stmts.push({ kind: "results", values: Object.values(results).flat() });
    return results;
  }

  return(...values: Expr[]): void {
    this.stmts.push({ kind: "return", values });
  }

  /** Assigns values to variables, one by one. */
  assignAll(variables: readonly VarExpr[], values: readonly Expr[]): void {
    for (const [i, v] of variables.entries()) this.assign(v, values[i] as Expr);
  }

  /** Stores a value in each of several arrays, at one index. */
  storeAll(arrays: readonly ArrayRef[], index: Operand, values: readonly Expr[]): void {
    for (const [i, value] of values.entries()) this.store(arrays[i] as ArrayRef, index, value);
  }

  /** The elements of several arrays at one index. */
  loadAll(arrays: readonly ArrayRef[], index: Operand): Expr[] {
    return arrays.map((array) => this.load(array, index));
  }

  if(condition: Expr, then: (code: Code) => void, otherwise: (code: Code) => void = () => {}): void {
    // In this block names stay distinct from later ones.
    if (condition.kind === "const") {
      (condition.value ? then : otherwise)(this);
      return;
    }
    const yes = this.inner(then);
    const no = this.inner(otherwise);
    if (yes.length + no.length > 0) this.stmts.push({ kind: "if", condition, then: yes, otherwise: no });
  }

  /** The first subgroups of the work-group alone: those of work-items below a multiple of 32, the size of a subgroup. */
  ifBelow(lane: Expr, below: number, then: (code: Code) => void): void {
    this.ifSubgroup(binary("lt", lane, below), then);
  }

  /** A condition that is the same in the work-items of each subgroup, 32 or more. */
  ifSubgroup(condition: Expr, then: (code: Code) => void): void {
    this.stmts.push({ kind: "if", ofSubgroups: true, condition, then: this.inner(then), otherwise: [] });
  }

  for(
    hint: string,
    first: Operand,
    end: Operand,
    body: (code: Code, index: Expr) => void,
    step: number = 1,
  ): void {
    const [from, below] = [operand(first), operand(end)];
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

/** The work-group arrays of a kernel; its collectives use one array per type and slot in turn. */
export class SharedArrays {
  readonly arrays: SharedArray[] = [];
  private readonly names: Names;
  private readonly slots = new Map<string, number>();

  constructor(names: Names) {
    this.names = names;
  }

  /** An array of its own. */
  make(hint: string, type: Scalar, length: number): ArrayRef<"work-group"> {
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
