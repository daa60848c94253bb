/**
 * The state of the items before a chunk and the totals of the chunk's blocks determine the prefixes at both of its ends, and the state after
 * it. One work-item computes them, in one step for each size of blocks.
 */
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr, VarExpr } from "../kernel/expr.ts";
import { add, and, binary, bool, ne, select, sub, u32, unary, zeroOf } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { type Monoid, settled } from "../parts/monoid.ts";
import { type Carrying, SIZES } from "../parts/strategy.ts";
import { type Context, makeKernel } from "../work-groups/context.ts";
import { AT_END, AT_START, type BlockTotals } from "../work-groups/tile-totals.ts";

const isIn = (sizes: Expr, level: Expr): Expr => ne(and(sizes, binary("shl", u32(1), level)), u32(0));

/** From the largest size of blocks to the smallest. */
const downwards = (code: Code, fill: (body: Code, level: Expr) => void): void =>
  code.for("step", u32(0), u32(SIZES), (body, step) => {
    fill(body, body.let("level", and(sub(u32(SIZES - 1), step), u32(SIZES - 1))));
  });

/** The totals of blocks by log2 of their size. */
export type TotalOf = (code: Code, level: Expr) => readonly Expr[];

const kernelOf = (
  context: Context,
  { component: { name } }: BlockTotals,
  { hint, doc }: Readonly<Record<"hint" | "doc", string>>,
  fill: (code: Code) => void,
): Kernel =>
  makeKernel(context, { hint: `${hint}_${name}`, doc: [doc], workGroupSize: 1, groups: 1 }, ({ code }) =>
    fill(code),
  );

/** Both prefixes, and the state after the chunk. */
export function carryKernel(context: Context, carrying: Carrying, totals: BlockTotals): Kernel {
  const doc = "The prefixes before the chunk and at its end, and the state after it.";
  return kernelOf(context, totals, { hint: "carry", doc }, (code) => {
    writeStart(code, carrying, totals);
    writeEnd(code, context.n, carrying, totals, totals.read);
  });
}

/** The prefix before the chunk. */
export const startKernel = (context: Context, carrying: Carrying, totals: BlockTotals): Kernel =>
  kernelOf(context, totals, { hint: "before", doc: "The prefix before the chunk." }, (code) =>
    writeStart(code, carrying, totals),
  );

/** The first items of a chunk, whose blocks are known, and the blocks of the others. */
export interface Halfway {
  readonly items: Expr;
  readonly totalOf: TotalOf;
  readonly totalOfOther: TotalOf;
}

/** The prefix at the end of the chunk and the state after it. */
export function endKernel(
  context: Context,
  carrying: Carrying,
  totals: BlockTotals,
  { items, totalOf, totalOfOther }: Halfway,
): Kernel {
  const doc = "The prefix at the end of the chunk, and the state after it.";
  const { monoid } = totals.component;
  return kernelOf(context, totals, { hint: "carry", doc }, (code) => {
    const blocks = monoid.types.map((type) => code.array("blocks", type, SIZES));
    const place = code.let("place", items);
    const chunk = { place, count: sub(context.n, place), before: totalOf, own: totalOfOther };
    addBlocks(code, monoid, chunk, (body, level, total) => storeAll(body, blocks, level, total));
    writeEnd(code, context.n, carrying, totals, (body, level) => body.loadAll(blocks, level));
  });
}

function writeStart(code: Code, carrying: Carrying, totals: BlockTotals): void {
  const { component } = totals;
  const before = carrying.before(component);
  // If the state is one total, it is also the prefix.
  const first = component.monoid.reassociable
    ? before.map((array) => code.let("first", code.load(array, u32(0))))
    : prefix(code, component.monoid, before, carrying.start);
  totals.write(code, u32(AT_START), first);
}

function writeEnd(code: Code, n: Expr, carrying: Carrying, totals: BlockTotals, own: TotalOf): void {
  const { component } = totals;
  const { monoid } = component;
  const [before, after] = [carrying.before(component), carrying.after(component)];
  totals.write(code, u32(AT_END), (monoid.reassociable ? oneTotal : allBlocks)());

  function oneTotal(): readonly Expr[] {
    const sum = before.map((array) => code.var("sum", code.load(array, u32(0))));
    downwards(code, (body, level) =>
      body.if(isIn(n, level), (inner) => {
        const total = own(inner, level);
        inner.assignAll(sum, settled(inner, monoid.combine(inner, sum, total), "both"));
      }),
    );
    storeAll(code, after, u32(0), sum);
    return sum;
  }

  function allBlocks(): readonly Expr[] {
    const { start } = carrying;
    const earlier: TotalOf = (body, level) =>
      before.map((array) => body.let("earlier", body.load(array, level)));
    const chunk = { place: start, count: n, before: earlier, own };
    addBlocks(code, monoid, chunk, (body, level, total) => storeAll(body, after, level, total));
    return prefix(code, monoid, after, code.let("end", add(start, n)));
  }
}

const storeAll = (code: Code, arrays: readonly ArrayRef[], index: Expr, values: readonly Expr[]): void =>
  arrays.forEach((array, i) => {
    code.store(array, index, values[i] as Expr);
  });

/** Adjacent ranges: the place and the number of items of the second one, and the blocks of both. */
interface Adjacent {
  readonly place: Expr;
  readonly count: Expr;
  readonly before: TotalOf;
  readonly own: TotalOf;
}

/**
 * The blocks of the second range are joined with those of the first. Either all of them are smaller, or there is one, which completes larger blocks as an addition
 * carries: its length is the lowest 1 bit of the place.
 */
function addBlocks(
  code: Code,
  monoid: Monoid,
  { place, count, before, own }: Adjacent,
  put: (code: Code, level: Expr, total: readonly Expr[]) => void,
): void {
  const end = code.let("end", add(place, count));
  const made = code.let("made", and(end, unary("not", place)));
  const joined = code.let("joined", and(place, unary("not", end)));
  const total: VarExpr[] = monoid.types.map((type) => code.var("total", zeroOf(type)));
  code.for("level", u32(0), u32(SIZES), (body, level) => {
    const earlier = before(body, level);
    body.if(isIn(count, level), (inner) => inner.assignAll(total, own(inner, level)));
    body.if(isIn(joined, level), (inner) =>
      inner.assignAll(total, settled(inner, monoid.combine(inner, earlier, total), "both")),
    );
    const isMade = body.let("is_made", isIn(made, level));
    put(
      body,
      level,
      total.map((value, i) => select(isMade, value, earlier[i] as Expr)),
    );
  });
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
