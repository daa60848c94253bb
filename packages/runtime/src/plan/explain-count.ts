/** The operations of a pass, counted in its statements and in those of the functions that it calls. */

import { type Formula, formula, weightedSum } from "@groupwise/ir/base/formula.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { partsOf } from "@groupwise/kernel/language/map-expr.js";
import { unitsOf } from "@groupwise/kernel/language/memory.js";
import type { Buffer, Fn, Kernel } from "@groupwise/kernel/language/module.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import {
  type AccessStmt,
  accessUse,
  blocksOf,
  exprsOf,
  isAccess,
  isBarrier,
  spaceOf,
  widthOf,
} from "@groupwise/kernel/language/walk.js";

/** A statement that a work-item reaches. */
interface Reached {
  readonly stmt: Stmt;
  /** The expressions of the statement and all of their subexpressions. */
  readonly exprs: readonly Expr[];
  /** The maximum number of times; infinite if it is known only in a run. */
  readonly times: number;
  /** Whether a loop repeats it. */
  readonly looped: boolean;
}

const isShuffle = (stmt: Stmt): boolean => stmt.kind === "intrinsic" && stmt.fn === "shuffle-xor";
const isMoving = (stmt: Stmt): stmt is AccessStmt => isAccess(stmt) && spaceOf(stmt) === "storage";
const isStored = (e: Expr): boolean => e.kind === "load" && e.space === "storage";

function partsIn(exprs: readonly Expr[]): Expr[] {
  const found = [...exprs];
  for (const e of found) found.push(...partsOf(e));
  return found;
}

const trips = (stmt: Stmt): number => {
  if (stmt.kind === "while") return Number.POSITIVE_INFINITY;
  if (stmt.kind !== "for") return 1;
  const { from, below, step } = stmt;
  if (from.kind !== "const" || below.kind !== "const") return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.ceil((Number(below.value) - Number(from.value)) / step));
};

/** Statements that a work-item reaches, those of functions once for each call. */
class Traversal {
  private readonly functions: ReadonlyMap<string, Fn>;
  /** Whether a function, or a function that it calls, has a counted operation. */
  private readonly matters = new Map<string, boolean>();

  /** Names for the local id. */
  private readonly lanes = new Set<string>();
  private readonly workGroupSize: number;

  constructor(workGroupSize: number, functions: readonly Fn[]) {
    this.workGroupSize = workGroupSize;
    this.functions = new Map(functions.map((fn) => [fn.name, fn]));
  }

  *block(stmts: readonly Stmt[], times: number, looped: boolean): Generator<Reached> {
    for (const stmt of stmts) {
      const isLoop = stmt.kind === "for" || stmt.kind === "while";
      const inner = times * trips(stmt);
      const exprs = partsIn(exprsOf(stmt));
      // A loop's condition is evaluated in every iteration.
      yield { stmt, exprs, times: isLoop ? inner : times, looped };
      for (const name of callsIn(stmt, exprs))
        if (this.isOfUse(name))
          yield* this.block(this.bodyOf(name), isLoop ? inner : times, looped || isLoop);
      if (stmt.kind === "let" && this.isLane(stmt.value)) this.lanes.add(stmt.name);
      for (const block of blocksOf(stmt)) {
        const isOne = stmt.kind === "if" && block === stmt.then && this.isOfOneLane(stmt.condition);
        yield* this.block(block, isOne ? inner / this.workGroupSize : inner, looped || isLoop);
      }
    }
  }

  private isLane(e: Expr): boolean {
    return e.kind === "builtin" ? e.builtin === "local-id" : e.kind === "var" && this.lanes.has(e.name);
  }

  /** Whether a condition holds for one work-item of a group at most. */
  private isOfOneLane(e: Expr): boolean {
    if (e.kind !== "binary") return false;
    if (e.op === "and") return this.isOfOneLane(e.left) || this.isOfOneLane(e.right);
    if (e.op !== "eq") return false;
    return (
      (this.isLane(e.left) && e.right.kind === "const") || (this.isLane(e.right) && e.left.kind === "const")
    );
  }

  private bodyOf(name: string): readonly Stmt[] {
    return this.functions.get(name)?.body ?? [];
  }

  private isOfUse(name: string): boolean {
    const known = this.matters.get(name);
    if (known !== undefined) return known;
    const isOne = (stmt: Stmt): boolean => {
      const exprs = partsIn(exprsOf(stmt));
      return (
        isBarrier(stmt) ||
        isShuffle(stmt) ||
        isMoving(stmt) ||
        exprs.some(isStored) ||
        callsIn(stmt, exprs).some((inner) => this.isOfUse(inner)) ||
        blocksOf(stmt).some((block) => block.some(isOne))
      );
    };
    const result = this.bodyOf(name).some(isOne);
    this.matters.set(name, result);
    return result;
  }
}

const callsIn = (stmt: Stmt, exprs: readonly Expr[]): string[] => [
  ...(stmt.kind === "call" ? [stmt.fn] : []),
  ...exprs.flatMap((e) => (e.kind === "call" ? [e.fn] : [])),
];

/** The use of an array of device memory by a pass: the maximum numbers of elements that it reads and writes. */
export interface Movement {
  readonly buffer: Buffer;
  readonly access: "read" | "write" | "read-write";
  readonly read: Formula;
  readonly written: Formula;
}

/** The operations of a pass, and its accesses to arrays. */
export interface Counts {
  /** Barriers, uniform loads among them, and the number of those in loops. */
  readonly barriers: number;
  readonly barriersInLoops: number;
  /** Uniform loads. */
  readonly uniformLoads: number;
  readonly shuffles: number;
  /** In the order of the module's arrays. */
  readonly moved: readonly Movement[];
}

/** An access to device memory. */
interface Accessed {
  readonly array: string;
  readonly held?: string;
}

/** Counts the operations of a kernel. Both branches of a condition count, and a function counts for each call. */
export function countsOf(kernel: Kernel, buffers: readonly Buffer[], functions: readonly Fn[]): Counts {
  let [barriers, barriersInLoops, uniformLoads, shuffles] = [0, 0, 0, 0];
  const read = new Map<string, number>();
  const written = new Map<string, number>();
  const count = (into: Map<string, number>, { array, held = array }: Accessed, times: number): void =>
    void into.set(held, (into.get(held) ?? 0) + times);
  for (const { stmt, exprs, times, looped } of new Traversal(kernel.workGroupSize, functions).block(
    kernel.body,
    1,
    false,
  )) {
    if (isBarrier(stmt)) {
      barriers++;
      if (looped) barriersInLoops++;
    }
    if (stmt.kind === "uniform-load") uniformLoads++;
    if (isShuffle(stmt)) shuffles++;
    for (const e of exprs) if (e.kind === "load" && e.space === "storage") count(read, e, times);
    if (!isMoving(stmt)) continue;
    const { reads, writes } = accessUse(stmt);
    if (reads) count(read, stmt, widthOf(stmt) * times);
    if (writes) count(written, stmt, widthOf(stmt) * times);
  }
  const touched = (buffer: Buffer, times: ReadonlyMap<string, number>): Formula => {
    const most = times.get(buffer.name);
    return most ? elementsTouched(kernel, buffer, most / unitsOf(buffer)) : 0;
  };
  const moved = buffers.flatMap((buffer): Movement[] => {
    const { holds = [buffer] } = buffer;
    const [r, w] = [read, written].map((times) => holds.some(({ name }) => times.has(name)));
    if (!r && !w) return [];
    // An array that others share has words.
    const elements = (times: ReadonlyMap<string, number>): Formula =>
      weightedSum(holds.map((one) => [touched(one, times), buffer.holds ? unitsOf(one) : 1]));
    const access = !w ? "read" : r ? "read-write" : "write";
    return [{ buffer, access, read: elements(read), written: elements(written) }];
  });
  return { barriers, barriersInLoops, uniformLoads, shuffles, moved };
}

/** The maximum number of elements of an array that a pass accesses, if each work-item accesses `times` elements. */
function elementsTouched(kernel: Kernel, { elements }: Buffer, times: number): Formula {
  const inGroup = times * kernel.workGroupSize;
  if (inGroup === Number.POSITIVE_INFINITY) return elements;
  return least(elements, ofGroups(kernel.groups, inGroup));
}

/** A number of elements for each group, but at most one for each item if the groups divide the items. */
function ofGroups(groups: Formula, each: number): Formula {
  const most = mostOf(groups);
  if (most !== undefined) return Math.ceil(most * each);
  if (typeof groups === "object" && "op" in groups && groups.op === "ceil-div") {
    const [items, size] = groups.args;
    const ofItem = typeof size === "number" ? each / size : 0;
    if (ofItem >= 1) return formula("mul", items, Math.ceil(ofItem));
  }
  return formula("mul", groups, each);
}

/** An upper bound of the formula, if there is one for all numbers of items. No size is negative. */
function mostOf(f: Formula): number | undefined {
  if (typeof f === "number") return f;
  if (typeof f !== "object" || !("op" in f)) return undefined;
  const [a, b] = f.args.map(mostOf);
  if (f.op === "sub") return a;
  if (f.op === "min") return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
  return f.op === "max" && a !== undefined && b !== undefined ? Math.max(a, b) : undefined;
}

/** The smaller formula. If the form does not decide, and neither is a number, the first one, because a minimum is hardly more precise. */
function least(a: Formula, b: Formula): Formula {
  if (atMost(a, b)) return a;
  if (atMost(b, a)) return b;
  return typeof b === "number" ? formula("min", a, b) : a;
}

const same = (a: Formula, b: Formula): boolean => JSON.stringify(a) === JSON.stringify(b);
/** True if the form shows that `a` is never greater than `b`. */
function atMost(a: Formula, b: Formula): boolean {
  if (same(a, b)) return true;
  if (typeof a === "number" && typeof b === "number") return a <= b;
  if (typeof b === "object" && "op" in b && b.op === "mul") {
    const [x, factor] = b.args;
    if (typeof factor === "number" && factor >= 1 && atMost(a, x)) return true;
  }
  // No size is negative.
  if (typeof b === "object" && "op" in b && b.op === "add" && b.args.some((part) => atMost(a, part)))
    return true;
  if (typeof a !== "object" || !("op" in a)) return false;
  const [x, y] = a.args;
  if (a.op === "min") return atMost(x, b) || atMost(y, b);
  if (a.op === "sub") return atMost(x, b);
  if (a.op === "mul" && typeof y === "number" && typeof x === "object" && "op" in x && x.op === "floor-div") {
    const [whole, size] = x.args;
    return typeof size === "number" && y <= size && atMost(whole, b);
  }
  const shrinks = a.op === "floor-div" || a.op === "ceil-div";
  return shrinks && typeof y === "number" && y >= 1 && atMost(x, b);
}
