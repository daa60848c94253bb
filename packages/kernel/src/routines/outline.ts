/** Makes functions of the routines of kernels. */
import { Names } from "@groupwise/ir/base/names.js";
import type { Expr, VarExpr } from "../language/expr.ts";
import { TRAITS } from "../language/intrinsics.ts";
import { call, isSimple } from "../language/make-expr.ts";
import { mapParts, partsOf } from "../language/map-expr.ts";
import type { Fn, Module } from "../language/module.ts";
import { blockOf, isRoutine, partsOfBlock, type Routine, readBy } from "../language/routines.ts";
import type { ReturnStmt, Stmt } from "../language/stmt.ts";
import { allExprs, assignedIn, blockOr, blocksOf, mapBlocks, mapStmt, walk } from "../language/walk.ts";
import { mapBlock } from "../passes/base/pass.ts";
import { pruned } from "../passes/prune.ts";

// Routines without their names: equal shapes become one function.
/** A routine, and the function that it could become. */
interface RoutineShape {
  /** Equal for routines that can be one function, whatever their names. */
  readonly key: string;
  /** The function, with the names of this routine. */
  readonly fn: () => Omit<Fn, "name">;
  /** The arguments of the function. */
  readonly args: readonly VarExpr[];
}

/** Without the number that made it unique: equal routines differ in these. */
const withoutNumber = (name: string): string => name.replace(/_\d+(?=(?:_lo|_hi)?$)/, "");

/** @param taken names that the function's own must not hide */
function shapeOf(routine: Routine, taken: Names): RoutineShape {
  const { head, results } = routine;
  const args = readBy(routine);
  const assigned = assignedIn(routine.body);
  const outer = args.find(({ name }) => assigned.has(name));
  if (outer) throw new Error(`the routine ${head.title} assigns to ${outer.name}, which is declared outside`);
  const { kept, values } = withoutResults(routine);
  const body: readonly Stmt[] = [...kept, { kind: "return", values }];
  const key = JSON.stringify([
    head.title,
    args.map(({ type }) => type),
    results.map(({ type }) => type),
    rename(body, numbered(args)),
  ]);
  return { key, fn: () => functionOf(routine, args, body, taken), args };
}

/** The names of a routine as numbers, in the order of the arguments and then of the statements. */
function numbered(args: readonly VarExpr[]): (name: string) => string {
  const found = new Map(args.map(({ name }, i) => [name, `${i}`]));
  return (name) => {
    const known = found.get(name) ?? `${found.size}`;
    found.set(name, known);
    return known;
  };
}

/** The names are the hints of the routine's, with the first free numbers. @param body ends with the results */
function functionOf(
  { head, results }: Routine,
  args: readonly VarExpr[],
  body: readonly Stmt[],
  taken: Names,
): Omit<Fn, "name"> {
  const names = taken.fork();
  const found = new Map<string, string>();
  const nameOf = (name: string): string => {
    const known = found.get(name) ?? names.fresh(withoutNumber(name));
    found.set(name, known);
    return known;
  };
  const params = args.map(({ name, type }) => ({ name: nameOf(name), type }));
  const own = new Names();
  const fields = results.map(({ name, type }) => ({ name: own.fresh(withoutNumber(name)), type }));
  const [...renamed] = rename(body, nameOf);
  const end = { ...(renamed.pop() as ReturnStmt), ...(fields.length > 1 && { of: head.title }) };
  const returns = fields[0]?.type ?? "u32";
  const statements = fields.length === 0 ? renamed : [...renamed, end];
  return { doc: head.doc, params, returns, width: fields.length, results: fields, body: statements };
}

/** Calls back with the name of each variable that the expression reads. */
function eachRead(e: Expr, found: (name: string) => void): void {
  if (e.kind === "var") found(e.name);
  for (const part of partsOf(e)) eachRead(part, found);
}

/** The statements without the names that only name results at the end, and the results' values. */
function withoutResults({ body, results }: Routine): { kept: readonly Stmt[]; values: readonly Expr[] } {
  const kept = [...body];
  const values = new Map<string, Expr>(results.map((result) => [result.name, result]));
  /** Names that the values found so far read. */
  const read = new Set<string>();
  for (
    let last = kept.at(-1);
    last?.kind === "let" && values.has(last.name) && !read.has(last.name);
    last = kept.at(-1)
  ) {
    values.set(last.name, last.value);
    eachRead(last.value, (name) => read.add(name));
    kept.pop();
  }
  return { kept, values: results.map(({ name }) => values.get(name) as Expr) };
}

/** The statements with other names for their variables and their own arrays. */
function rename(body: readonly Stmt[], nameOf: (name: string) => string): readonly Stmt[] {
  const expr = (e: Expr): Expr => {
    const mapped = mapParts(e, expr);
    if (mapped.kind === "var") return { ...mapped, name: nameOf(mapped.name) };
    if (mapped.kind === "part") return { ...mapped, of: nameOf(mapped.of) };
    const isOwn = mapped.kind === "load" && mapped.space === "private";
    return isOwn ? { ...mapped, array: nameOf(mapped.array) } : mapped;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => {
      const own = "name" in stmt ? { ...stmt, name: nameOf(stmt.name) } : stmt;
      const mapped = mapStmt(own, expr, block);
      const isStore = mapped.kind === "store" && mapped.space === "private";
      return isStore ? { ...mapped, array: nameOf(mapped.array) } : mapped;
    });
  return block(body);
}

type Block = readonly Stmt[];

/**
 * The module with a function for routines that are equal except for their names, and calls of it. Routines without an equal
 * one remain in place, without their marks. Names of kernels are renumbered, because most have moved into functions.
 * @param taken other names of the text outside of functions
 */
export function outline(module: Module, taken: Iterable<string> = []): Module {
  const outliner = new Outliner(module);
  let bodies = module.kernels.map(({ body }) => body);
  // Nested routines come first.
  while (bodies.some((body) => walk(body).some(({ kind }) => kind === "routine"))) {
    for (const body of bodies) outliner.count(body);
    bodies = bodies.map((body) => outliner.replaced(body));
  }
  // Results that nobody reads.
  const pure = pureOf(outliner.functions);
  bodies = bodies.map((body) => pruned({ body }, pure).body);
  const named = [...module.kernels, ...outliner.functions, ...module.functions];
  const outside = new Names([...taken, ...outliner.taken, ...named.map(nameOf)]);
  const kernels = module.kernels.map((kernel, i) => ({
    ...kernel,
    body: withoutUnread(renumbered(bodies[i] as Block, outside.fork())),
  }));
  const made = outliner.functions.map((fn) => ({ ...fn, body: withoutUnread(fn.body) }));
  return { ...module, kernels, functions: [...module.functions, ...made] };
}

/** The functions that change no memory, and whose calls may differ between work-items. */
function pureOf(functions: readonly Fn[]): ReadonlySet<string> {
  const pure = new Set<string>();
  // Callees precede callers.
  for (const { name, body } of functions) {
    const isPure = (stmt: Stmt): boolean =>
      stmt.kind === "store"
        ? stmt.space === "private"
        : stmt.kind === "call"
          ? !stmt.named || pure.has(stmt.fn)
          : TRAITS[stmt.kind].pure === true && TRAITS[stmt.kind].meets === undefined;
    const calls = allExprs(body).flatMap((e) => (e.kind === "call" && e.routine ? [e.fn] : []));
    if (walk(body).every(isPure) && calls.every((fn) => pure.has(fn))) pure.add(name);
  }
  return pure;
}

const nameOf = ({ name }: { readonly name: string }): string => name;

/**
 * The statements with renumbered names: the first free number for each hint.
 * @param names those that are taken, and then the statements' own
 */
function renumbered(body: Block, names: Names): Block {
  const found = new Map<string, string>();
  return rename(body, (name) => {
    const known = found.get(name) ?? names.fresh(withoutNumber(name));
    found.set(name, known);
    return known;
  });
}

/** More than a lowering numbers. */
const UNNUMBERED = 10 ** 6;

const isInnermost = ({ body }: Routine): boolean => !walk(body).some(({ kind }) => kind === "routine");

class Outliner {
  readonly functions: Fn[] = [];
  private readonly made = new Map<string, Fn>();
  private readonly counts = new Map<string, number>();
  /** Shapes of routines, by their first statements. */
  private readonly shapes = new Map<Stmt, RoutineShape>();
  private calls = 0;
  /** Names of the module, which a function must not hide. */
  readonly taken: readonly string[];
  private readonly names: Names;
  private readonly around: Names;

  constructor({ params, buffers, kernels, functions }: Module) {
    const arrays = kernels.flatMap(({ shared }) => shared);
    this.taken = [...params, ...buffers, ...arrays].map(({ name }) => name);
    this.around = new Names(this.taken);
    this.names = new Names([...kernels, ...functions].map(({ name }) => name));
  }

  /** Counts the innermost routines. */
  count(block: Block): void {
    for (const part of partsOfBlock(block)) {
      if (!isRoutine(part)) for (const inner of blocksOf(part)) this.count(inner);
      else if (isInnermost(part)) {
        const { key } = this.shapeOf(part);
        this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
      } else this.count(part.body);
    }
  }

  /** The block with calls, or with their statements, in place of its innermost routines. */
  replaced(block: Block): Block {
    const done: Stmt[] = [];
    const given = new Map<string, Expr>();
    const change = (e: Expr): Expr => (e.kind === "var" ? (given.get(e.name) ?? e) : mapParts(e, change));
    const changed = (inner: Block): Block => (given.size > 0 ? mapBlock(inner, change) : inner);
    for (const part of partsOfBlock(block)) {
      if (!isRoutine(part)) {
        const inner = (own: Block): Block => this.replaced(changed(own));
        done.push(given.size > 0 ? mapStmt(part, change, inner) : mapBlocks(part, inner));
        continue;
      }
      if (!isInnermost(part)) done.push(...blockOf(part, this.replaced(changed(part.body))));
      else if (!this.shapeOf(part).args.some(({ name }) => given.has(name)))
        this.replace(part, this.shapeOf(part), done, given);
      else {
        const routine = { ...part, body: changed(part.body) };
        this.replace(routine, shapeOf(routine, this.around), done, given);
      }
    }
    return blockOr(block, done);
  }

  /** The shape of a routine of the module. */
  private shapeOf(routine: Routine): RoutineShape {
    const known = this.shapes.get(routine.head) ?? shapeOf(routine, this.around);
    this.shapes.set(routine.head, known);
    return known;
  }

  /** @param given by name of a result: its replacement after the call */
  private replace(routine: Routine, shape: RoutineShape, done: Stmt[], given: Map<string, Expr>): void {
    const { results, head } = routine;
    const [first] = results;
    // The number makes it unique, until names are renumbered.
    const name = head.returns ? `${head.returns}_${UNNUMBERED + this.calls++}` : (first?.name ?? "");
    if ((this.counts.get(shape.key) ?? 0) < 2) {
      done.push(...withArguments(done, shape.args, routine.body));
      return;
    }
    const fn = this.functionOf(shape, head.title);
    const args = takeArguments(done, shape.args);
    if (first && results.length === 1) {
      done.push({ kind: "let", name, value: { ...call(fn.name, first.type, args), routine: true } });
      if (name !== first.name) given.set(first.name, { kind: "var", name, type: first.type });
      return;
    }
    done.push({ kind: "call", name, fn: fn.name, args, type: fn.returns, width: fn.width, named: true });
    results.forEach((result, index) => {
      const field = fn.results?.[index]?.name as string;
      given.set(result.name, { kind: "part", of: name, index, field, type: result.type });
    });
  }

  private functionOf({ key, fn: fnOf }: RoutineShape, title: string): Fn {
    const known = this.made.get(key);
    if (known) return known;
    const fn = fnOf();
    const name = this.names.fresh(title);
    const body = fn.body.map((stmt) =>
      stmt.kind === "return" && stmt.of !== undefined ? { ...stmt, of: name } : stmt,
    );
    const made = { ...fn, name, body };
    this.made.set(key, made);
    this.functions.push(made);
    return made;
  }
}

/** The statements with calls alone where nothing reads a result: compilers warn of unused names. */
function withoutUnread(stmts: Block): Block {
  return stmts.map((given, i) => {
    const stmt = mapBlocks(given, withoutUnread);
    if (stmt.kind !== "call" || !stmt.named) return stmt;
    const isRead = allExprs(stmts.slice(i + 1)).some((e) => e.kind === "part" && e.of === stmt.name);
    return isRead ? stmt : { ...stmt, name: "" };
  });
}

/** The statements of a routine that remains in place, without names for arguments that are names or constants. */
function withArguments(done: Stmt[], args: readonly VarExpr[], body: Block): Block {
  const values = takeArguments(done, args);
  const short = new Map<string, Expr>();
  args.forEach(({ name }, i) => {
    const value = values[i] as Expr;
    if (value.kind === "var" && value.name === name) return;
    if (isSimple(value)) short.set(name, value);
    else done.push({ kind: "let", name, value });
  });
  const change = (e: Expr): Expr => (e.kind === "var" ? (short.get(e.name) ?? e) : mapParts(e, change));
  return mapBlock(body, change);
}

/** The values of a call's arguments; the names that only the call reads are freed. */
function takeArguments(done: Stmt[], args: readonly VarExpr[]): Expr[] {
  const values = new Map<string, Expr>();
  const wanted = new Set(args.map(({ name }) => name));
  for (
    let last = done.at(-1);
    last?.kind === "let" && last.role === "argument" && wanted.has(last.name);
    last = done.at(-1)
  ) {
    values.set(last.name, last.value);
    done.pop();
  }
  return args.map((arg) => values.get(arg.name) ?? arg);
}
