/**
 * Running prefixes, one item after the other. Exact monoids keep one accumulator. For the others the
 * Fenwick order is a binary counter of finished blocks: about two operations an item.
 */
import type { ArrayRef, Code } from "../../kernel/build.ts";
import { add, and, binary, type Expr, ne, select, sub, u32, unary, type VarExpr } from "../../kernel/expr.ts";
import type { Monoid } from "../monoid.ts";

/** One scan or reduce in progress. */
export interface Running {
  /** The prefix up to and with the last item; the identity before the first. */
  readonly latest: readonly VarExpr[];
  /** Back to the state before the first item. */
  reset(code: Code): void;
  /** Takes the next item; `place` counts from 0 at the last reset. Gives the inclusive prefix. */
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
    push: monoid.exact ? accumulate(monoid, latest) : countBlocks(code, monoid, latest),
  };
}

const accumulate =
  (monoid: Monoid, latest: readonly VarExpr[]): Running["push"] =>
  (code, _, value) => {
    monoid.combine(latest, value).forEach((next, i) => {
      code.assign(latest[i] as VarExpr, next);
    });
  };

/** 32 block sizes: places are u32. */
const SIZES = 32;

function countBlocks(outer: Code, monoid: Monoid, latest: readonly VarExpr[]): Running["push"] {
  const arrays = (hint: string): ArrayRef[] => monoid.types.map((type) => outer.array(hint, type, SIZES));
  const [totals, prefixes] = [arrays("block_total"), arrays("block_prefix")];
  return (code, place, value) => {
    const total = value.map((v) => code.var("total", v));
    const size = code.var("size", u32(0));
    // The 1s at the end of the place are the finished blocks that this item completes.
    code.while(ne(and(binary("shr", place, size), u32(1)), u32(0)), (body) => {
      const before = totals.map((array) => body.load(array, size));
      monoid.combine(before, total).forEach((next, i) => {
        body.assign(total[i] as VarExpr, next);
      });
      body.assign(size, add(size, u32(1)));
    });
    const rest = code.let("rest", and(place, add(place, u32(1))));
    const lowest = sub(u32(31), unary("clz", and(rest, sub(u32(0), rest))));
    const previous = code.let("previous", select(ne(rest, u32(0)), lowest, u32(0)));
    const joined = monoid.combine(
      prefixes.map((array) => code.load(array, previous)),
      total,
    );
    joined.forEach((both, i) => {
      code.assign(latest[i] as VarExpr, select(ne(rest, u32(0)), both, total[i] as Expr));
      code.store(totals[i] as ArrayRef, size, total[i] as Expr);
      code.store(prefixes[i] as ArrayRef, size, latest[i] as Expr);
    });
  };
}
