/**
 * Running prefixes, one item after the other. Reassociable monoids use one accumulator. For the others the
 * Fenwick order is a binary counter of completed blocks: about two operations per item.
 */
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr, VarExpr } from "../../kernel/expr.ts";
import { add, and, binary, ne, select, sub, u32, unary } from "../../kernel/make-expr.ts";
import { type Monoid, settled } from "../../parts/monoid.ts";

/** One scan or reduce in progress. */
export interface Running {
  /** The prefix up to and with the last item; the identity before the first. */
  readonly latest: readonly VarExpr[];
  /** Back to the state before the first item. */
  reset(code: Code): void;
  /** Adds the next item; `place` is its index since the last reset. Returns the inclusive prefix. */
  push(code: Code, place: Expr, value: readonly Expr[]): void;
}

export function running(code: Code, monoid: Monoid, hint: string): Running {
  const latest = monoid.identity.map((e) => code.var(hint, e));
  const reset = (inner: Code): void => {
    latest.forEach((v, i) => {
      inner.assign(v, monoid.identity[i] as Expr);
    });
  };
  return {
    latest,
    reset,
    push: monoid.reassociable ? accumulate(monoid, latest) : countBlocks(code, monoid, latest),
  };
}

const accumulate =
  (monoid: Monoid, latest: readonly VarExpr[]): Running["push"] =>
  (code, _, value) => {
    settled(code, monoid.combine(code, latest, value), "both").forEach((next, i) => {
      code.assign(latest[i] as VarExpr, next);
    });
  };

/** 32 block sizes: places are u32. */
const SIZES = 32;

/** The number of the only bit that is set; 31 where none is. */
const lowestBit = (bit: Expr): Expr => binary("min", sub(u32(SIZES - 1), unary("clz", bit)), u32(SIZES - 1));

function countBlocks(outer: Code, monoid: Monoid, latest: readonly VarExpr[]): Running["push"] {
  const arrays = (hint: string): ArrayRef[] => monoid.types.map((type) => outer.array(hint, type, SIZES));
  const [totals, prefixes] = [arrays("block_total"), arrays("block_prefix")];
  return (code, place, value) => {
    const total = value.map((v) => code.var("total", v));
    // The trailing 1s of the index are the blocks that this item completes.
    const size = code.let("size", lowestBit(and(unary("not", place), add(place, u32(1)))));
    code.for("k", u32(0), size, (body, k) => {
      const before = totals.map((array) => body.load(array, k));
      settled(body, monoid.combine(body, before, total), "both").forEach((next, i) => {
        body.assign(total[i] as VarExpr, next);
      });
    });
    const rest = code.let("rest", and(place, add(place, u32(1))));
    const previous = code.let("previous", lowestBit(and(rest, sub(u32(0), rest))));
    const before = prefixes.map((array) => code.load(array, previous));
    const joined = settled(code, monoid.combine(code, before, total), "both");
    joined.forEach((both, i) => {
      code.assign(latest[i] as VarExpr, select(ne(rest, u32(0)), both, total[i] as Expr));
      code.store(totals[i] as ArrayRef, size, total[i] as Expr);
      code.store(prefixes[i] as ArrayRef, size, latest[i] as Expr);
    });
  };
}
