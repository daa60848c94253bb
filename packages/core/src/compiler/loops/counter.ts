/**
 * Running prefixes, one item after the other. Reassociable monoids use one accumulator. For the others the
 * Fenwick order is a binary counter of completed blocks: about two operations per item.
 */
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr, VarExpr } from "../kernel/expr.ts";
import { add, and, binary, ne, select, sub, u32, unary } from "../kernel/make-expr.ts";
import { type Monoid, settled } from "../parts/monoid.ts";
import { type Blocks, type Running as Carried, SIZES } from "../parts/strategy.ts";

/** Items that one iteration of an unrolled loop takes, and log2 of it. */
export const UNROLLED = 8;
const UNROLLED_BITS = Math.log2(UNROLLED);

/** One scan or reduce in progress, and how items are added. */
export interface Running extends Carried {
  /** Back to the state before the first item. */
  reset(code: Code): void;
  /** Adds the next item; `place` is its index since the last reset. */
  push(code: Code, place: Expr, value: readonly Expr[]): void;
  /** Adds a block of 2^`size` items that ends with the item at `place`; no smaller block may precede it. */
  pushBlock(code: Code, place: Expr, value: readonly Expr[], size: Expr): void;
  /** Adds item `j` of {@link UNROLLED} whose first is at `first`, a multiple of that; called for each `j` in order. */
  pushUnrolled(code: Code, first: Expr, j: number, value: readonly Expr[]): void;
}

export function running(code: Code, monoid: Monoid, hint: string): Running {
  const latest = monoid.identity.map((e) => code.var(hint, e));
  const reset = (inner: Code): void => assignAll(inner, latest, monoid.identity);
  if (monoid.reassociable) {
    const push: Running["push"] = (inner, _, value) =>
      assignAll(inner, latest, settled(inner, monoid.combine(inner, latest, value), "both"));
    return {
      latest,
      blocks: undefined,
      reset,
      push,
      pushBlock: push,
      pushUnrolled: (inner, first, _, value) => push(inner, first, value),
    };
  }
  const counter = new Counter(code, monoid, latest);
  return {
    latest,
    blocks: counter,
    reset,
    push: (inner, place, value) => counter.close(inner, place, value, u32(0)),
    pushBlock: (inner, place, value, size) => counter.close(inner, place, value, size),
    pushUnrolled: (inner, first, j, value) => counter.pushUnrolled(inner, first, j, value),
  };
}

const assignAll = (code: Code, targets: readonly VarExpr[], values: readonly Expr[]): void =>
  targets.forEach((target, i) => {
    code.assign(target, values[i] as Expr);
  });

/** The index of the only set bit; 31 if none is set. */
const lowestBit = (bit: Expr): Expr => binary("min", sub(u32(SIZES - 1), unary("clz", bit)), u32(SIZES - 1));

/** The blocks of each size that were completed last: their totals, and the prefixes up to their ends. */
class Counter implements Blocks {
  private readonly monoid: Monoid;
  private readonly latest: readonly VarExpr[];
  readonly totals: readonly ArrayRef[];
  readonly prefixes: readonly ArrayRef[];
  /** For the blocks within an iteration of an unrolled loop. */
  private local: { totals: (readonly Expr[])[]; prefixes: (readonly Expr[])[]; before: readonly Expr[] };

  constructor(outer: Code, monoid: Monoid, latest: readonly VarExpr[]) {
    this.monoid = monoid;
    this.latest = latest;
    const arrays = (hint: string): ArrayRef[] => monoid.types.map((type) => outer.array(hint, type, SIZES));
    this.totals = arrays("block_total");
    this.prefixes = arrays("block_prefix");
    this.local = { totals: [], prefixes: [], before: [] };
  }

  private combine(code: Code, left: readonly Expr[], right: readonly Expr[]): readonly Expr[] {
    return settled(code, this.monoid.combine(code, left, right), "both");
  }

  /** Adds the block of size 2^`from` that ends at a place, and completes those that end there too. */
  close(code: Code, place: Expr, value: readonly Expr[], from: Expr): void {
    const { totals, prefixes, latest } = this;
    const total = value.map((v) => code.var("total", v));
    // The trailing 1s of the index are the blocks that this item completes.
    const size = code.let("size", lowestBit(and(unary("not", place), add(place, u32(1)))));
    code.for("k", from, size, (body, k) => {
      const before = totals.map((array) => body.load(array, k));
      assignAll(body, total, this.combine(body, before, total));
    });
    const rest = code.let("rest", and(place, add(place, u32(1))));
    const previous = code.let("previous", lowestBit(and(rest, sub(u32(0), rest))));
    const before = prefixes.map((array) => code.load(array, previous));
    const joined = this.combine(code, before, total);
    joined.forEach((both, i) => {
      code.assign(latest[i] as VarExpr, select(ne(rest, u32(0)), both, total[i] as Expr));
      code.store(totals[i] as ArrayRef, size, total[i] as Expr);
      code.store(prefixes[i] as ArrayRef, size, latest[i] as Expr);
    });
  }

  /** The blocks that item `j` completes are known, and their totals are in variables. */
  pushUnrolled(code: Code, first: Expr, j: number, value: readonly Expr[]): void {
    const named = (hint: string, values: readonly Expr[]): readonly Expr[] =>
      values.map((v) => (v.kind === "var" || v.kind === "const" ? v : code.let(hint, v)));
    // Names, which later assignments to the variables do not change.
    if (j === 0)
      this.local = { totals: [], prefixes: [], before: this.latest.map((v) => code.let("before", v)) };
    const { totals, prefixes, before } = this.local;
    let total = value;
    let size = 0;
    for (; (j >> size) & 1; size++)
      total = named("total", this.combine(code, totals[size] as readonly Expr[], total));
    if (size === UNROLLED_BITS) {
      this.close(code, code.let("last", add(first, u32(j))), total, u32(UNROLLED_BITS));
      return;
    }
    const rest = j & (j + 1);
    const left = rest === 0 ? before : (prefixes[Math.log2(rest & -rest)] as readonly Expr[]);
    const joined = this.combine(code, left, total);
    const prefix = named(
      "prefix",
      joined.map((both, i) => (rest === 0 ? select(ne(first, u32(0)), both, total[i] as Expr) : both)),
    );
    assignAll(code, this.latest, prefix);
    totals[size] = total;
    prefixes[size] = prefix;
  }
}
