/**
 * Running prefixes, one item after the other. Reassociable monoids use one accumulator. For the others the
 * Fenwick order is a binary counter of completed blocks: about two operations per item.
 */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, ne, select, u32 } from "@groupwise/kernel/language/make-expr.js";
import {
  arrays,
  hintsFor,
  type Monoid,
  named as namedAll,
  namedResults,
  variables,
} from "../parts/monoid.ts";
import { type Blocks, type Running as Carried, SIZES } from "../parts/strategy.ts";

/** Items that one iteration of an unrolled loop takes. */
export const UNROLLED = 8;

/** One scan or reduce in progress, and how items are added. */
export interface RunningItems extends Carried {
  /** Back to the state before the first item. */
  reset(code: Code): void;
  /** Adds the next item; `place` is its index since the last reset. */
  push(code: Code, place: Expr, value: readonly Expr[]): void;
  /** Adds a block of 2^`size` items that ends with the item at `place`; no smaller block may precede it. */
  pushBlock(code: Code, place: Expr, value: readonly Expr[], size: Expr): void;
  /**
   * Adds item `j` of some whose first is at `first`, a multiple of their number; called for each `j` in order.
   * @param count their number, a power of two; default: {@link UNROLLED}
   */
  pushUnrolled(code: Code, first: Expr, j: number, value: readonly Expr[], count?: number): void;
}

export function running(code: Code, monoid: Monoid, hint: string): RunningItems {
  const latest = variables(code, monoid, hint, monoid.identity);
  const reset = (inner: Code): void => inner.assignAll(latest, monoid.identity);
  if (monoid.reassociable) {
    const push: RunningItems["push"] = (inner, _, value) =>
      inner.assignAll(latest, namedResults(inner, monoid, monoid.combine(inner, latest, value), "both"));
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
    push: (inner, place, value) => counter.push(inner, place, value),
    pushBlock: (inner, place, value, size) => counter.pushBlock(inner, place, value, size),
    pushUnrolled: (...item) => counter.pushUnrolled(...item),
  };
}

/** The blocks of each size that were completed last: their totals, and the prefixes before them. */
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
    this.totals = arrays(outer, monoid, "block_total", SIZES);
    this.prefixes = arrays(outer, monoid, "block_prefix", SIZES);
    this.local = { totals: [], prefixes: [], before: [] };
  }

  private combine(code: Code, left: readonly Expr[], right: readonly Expr[]): readonly Expr[] {
    return namedResults(code, this.monoid, this.monoid.combine(code, left, right), "both");
  }

  /** The latest prefix, before a place; the neutral value, if there is one, before place 0. */
  private before(place: Expr): readonly Expr[] {
    const { latest, monoid } = this;
    return monoid.neutral
      ? latest.map((v, i) => select(ne(place, 0), v, monoid.neutral?.[i] as Expr))
      : latest;
  }

  /** The prefix up to the end of a block, from the prefix before it. @param items a number that is 0 if no item is before it */
  private joined(code: Code, before: readonly Expr[], total: readonly Expr[], items: Expr): readonly Expr[] {
    const joined = this.combine(code, before, total);
    if (this.monoid.neutral) return joined;
    const isAfter = ne(code.named("rest", items), 0);
    return joined.map((both, i) => select(isAfter, both, total[i] as Expr));
  }

  push(code: Code, place: Expr, value: readonly Expr[]): void {
    this.close(code, place, value, u32(0), this.before(place));
  }

  pushBlock(code: Code, place: Expr, value: readonly Expr[], size: Expr): void {
    const index = code.let("index", binary("shr", place, size));
    this.close(code, index, value, size, this.before(index));
  }

  /**
   * Adds a block of size 2^`from`, and completes those that end with it.
   * @param index the number of blocks of its size before it
   * @param before the prefix before it
   */
  close(code: Code, index: Expr, value: readonly Expr[], from: Expr, before: readonly Expr[]): void {
    const { totals, prefixes, latest } = this;
    const total = variables(code, this.monoid, "total", value);
    const start = variables(code, this.monoid, "start", before);
    const size = code.var("size", from);
    const slot = and(size, SIZES - 1);
    // The trailing 1s of the index are the sizes of the blocks that the item completes.
    const bits = code.var("bits", index);
    code.while(ne(and(bits, 1), 0), (body) => {
      const left = totals.map((array) => body.load(array, slot));
      body.assignAll(total, this.combine(body, left, total));
      body.assignAll(
        start,
        prefixes.map((array) => body.load(array, slot)),
      );
      body.assign(size, add(size, 1));
      body.assign(bits, binary("shr", bits, 1));
    });
    const joined = this.joined(code, start, total, and(index, add(index, 1)));
    joined.forEach((prefix, i) => {
      code.assign(latest[i] as VarExpr, prefix);
      code.store(totals[i] as ArrayRef, slot, total[i] as Expr);
      code.store(prefixes[i] as ArrayRef, slot, start[i] as Expr);
    });
  }

  /** The blocks that item `j` completes are known, and their totals are in variables. */
  pushUnrolled(code: Code, first: Expr, j: number, value: readonly Expr[], count: number = UNROLLED): void {
    const most = Math.log2(count);
    const named = (hint: string, values: readonly Expr[]): readonly Expr[] => {
      const hints = hintsFor(this.monoid, hint);
      return values.map((v, i) => (v.kind === "var" || v.kind === "const" ? v : code.let(hints(i), v)));
    };
    // Names, which later assignments to the variables do not change.
    if (j === 0)
      this.local = {
        totals: [],
        prefixes: [],
        before: namedAll(code, this.monoid, "before", this.before(first)),
      };
    const { totals, prefixes, before } = this.local;
    let total = value;
    let size = 0;
    for (; (j >> size) & 1; size++)
      total = named(
        `total${j - 2 ** (size + 1) + 1}to${j}`,
        this.combine(code, totals[size] as readonly Expr[], total),
      );
    if (size === most) {
      this.close(code, binary("shr", first, most), total, u32(most), before);
      return;
    }
    const rest = j & (j + 1);
    const left = rest === 0 ? before : (prefixes[Math.log2(rest & -rest)] as readonly Expr[]);
    const prefix = named(
      `prefix${j}`,
      rest === 0 ? this.joined(code, left, total, first) : this.combine(code, left, total),
    );
    code.assignAll(this.latest, prefix);
    totals[size] = total;
    prefixes[size] = prefix;
  }
}
