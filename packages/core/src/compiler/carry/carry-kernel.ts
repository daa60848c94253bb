/**
 * The state of the items before a chunk and the totals of the chunk's blocks determine the prefixes at both of its ends, and the state after
 * it. One work-item computes them, in one step for each size of blocks.
 */
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, and, binary, bool, ne, select, sub, u32, unary, zeroOf } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { type Monoid, settled } from "../parts/monoid.ts";
import { type Carrying, SIZES } from "../parts/strategy.ts";
import { type Context, makeKernel } from "../work-groups/context.ts";
import {
  AT_END,
  AT_START,
  readTileTotals,
  type TileTotals,
  writeTileTotals,
} from "../work-groups/tile-totals.ts";

const isIn = (sizes: Expr, level: Expr): Expr => ne(and(sizes, binary("shl", u32(1), level)), u32(0));

/** From the largest size of blocks to the smallest. */
const downwards = (code: Code, fill: (body: Code, level: Expr) => void): void =>
  code.for("step", u32(0), u32(SIZES), (body, step) => {
    fill(body, body.let("level", and(sub(u32(SIZES - 1), step), u32(SIZES - 1))));
  });

export function carryKernel(context: Context, carrying: Carrying, totals: TileTotals): Kernel {
  const { name, monoid } = totals.component;
  const doc = ["The prefixes before the chunk and at its end, and the state after it."];
  const frame = { hint: `carry_${name}`, doc, workGroupSize: 1, groups: 1 };
  return makeKernel(context, frame, ({ code }) => {
    const carry = monoid.reassociable ? carryTotal : carryBlocks;
    carry(code, context.n, carrying, totals);
  });
}

/** If the state is one total, it is also the prefix. */
function carryTotal(code: Code, n: Expr, carrying: Carrying, totals: TileTotals): void {
  const { component } = totals;
  const sum = carrying.before(component).map((array) => code.var("sum", code.load(array, u32(0))));
  writeTileTotals(code, [totals], u32(AT_START), sum);
  downwards(code, (body, level) =>
    body.if(isIn(n, level), (inner) => {
      const block = readTileTotals(inner, [totals], level);
      inner.assignAll(sum, settled(inner, component.monoid.combine(inner, sum, block), "both"));
    }),
  );
  writeTileTotals(code, [totals], u32(AT_END), sum);
  storeAll(code, carrying.after(component), u32(0), sum);
}

const storeAll = (code: Code, arrays: readonly ArrayRef[], index: Expr, values: readonly Expr[]): void =>
  arrays.forEach((array, i) => {
    code.store(array, index, values[i] as Expr);
  });

/**
 * The blocks of the chunk are joined with those before it. Either all of them are smaller, or there is one, which completes larger blocks as an addition
 * carries: its length is the lowest 1 bit of the place.
 */
function carryBlocks(code: Code, n: Expr, carrying: Carrying, totals: TileTotals): void {
  const { component } = totals;
  const { monoid } = component;
  const [before, after] = [carrying.before(component), carrying.after(component)];
  const { start } = carrying;
  const end = code.let("end", add(start, n));
  const made = code.let("made", and(end, unary("not", start)));
  const joined = code.let("joined", and(start, unary("not", end)));
  const total = monoid.types.map((type) => code.var("total", zeroOf(type)));
  code.for("level", u32(0), u32(SIZES), (body, level) => {
    const earlier = before.map((array) => body.let("earlier", body.load(array, level)));
    body.if(isIn(n, level), (inner) => inner.assignAll(total, readTileTotals(inner, [totals], level)));
    body.if(isIn(joined, level), (inner) =>
      inner.assignAll(total, settled(inner, monoid.combine(inner, earlier, total), "both")),
    );
    const isMade = body.let("is_made", isIn(made, level));
    const latest = total.map((value, i) => select(isMade, value, earlier[i] as Expr));
    storeAll(body, after, level, latest);
  });
  writeTileTotals(code, [totals], u32(AT_START), prefix(code, monoid, before, start));
  writeTileTotals(code, [totals], u32(AT_END), prefix(code, monoid, after, end));
}

/** The fold of the blocks before a place, from left to right; the identity if there are none. */
function prefix(code: Code, monoid: Monoid, blocks: readonly ArrayRef[], place: Expr): readonly Expr[] {
  const sum = monoid.identity.map((value) => code.var("sum", value));
  const begun = code.var("begun", bool(false));
  downwards(code, (body, level) =>
    body.if(isIn(place, level), (inner) => {
      const total = blocks.map((array) => inner.let("block", inner.load(array, level)));
      const both = settled(inner, monoid.combine(inner, sum, total), "both");
      inner.assignAll(
        sum,
        both.map((value, i) => select(begun, value, total[i] as Expr)),
      );
      inner.assign(begun, bool(true));
    }),
  );
  return sum;
}
