/**
 * The state of the items before a chunk and the totals of the chunk's blocks determine the prefixes at both of its ends, and the state after
 * it. One work-group computes them: a work-item for each size of blocks loads and stores, and the first one combines.
 */
import type { ArrayRef, Code, SharedArrays } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  bool,
  eq,
  lt,
  ne,
  select,
  sub,
  u32,
  unary,
  zeroOf,
} from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { type Monoid, named, namedResults, variables } from "@groupwise/lower/parts/monoid.js";
import { type Carrying, SIZES } from "@groupwise/lower/parts/strategy.js";
import { type GroupContext, type KernelParts, makeKernel } from "@groupwise/lower/work-groups/context.js";
import { AT_END, AT_START, type BlockTotals } from "@groupwise/lower/work-groups/tile-totals.js";

const isIn = (sizes: Expr, level: Expr): Expr => ne(and(sizes, binary("shl", 1, level)), 0);

/** From the largest size of blocks to the smallest. */
const downwards = (code: Code, fill: (body: Code, level: Expr) => void): void =>
  code.for("step", 0, SIZES, (body, step) => {
    fill(body, body.let("level", and(sub(SIZES - 1, step), SIZES - 1)));
  });

/** The totals of blocks by log2 of their size. */
export type TotalOf = (code: Code, level: Expr) => readonly Expr[];

/** Arrays by log2 of the size of blocks. */
type BySize = readonly ArrayRef[];

/** A work-item for each size of blocks: they load and store side by side, and the first one combines. */
class Sizes {
  readonly code: Code;
  private readonly lane: Expr;
  private readonly shared: SharedArrays;

  constructor({ code, lanes }: KernelParts) {
    this.code = code;
    this.lane = lanes.lane;
    this.shared = lanes.shared;
  }

  /** Totals in work-group memory, visible to all after the next barrier. */
  load(hint: string, { types }: Monoid, totalOf: TotalOf): BySize {
    const arrays = types.map((type) => this.shared.make(hint, type, SIZES));
    this.code.storeAll(arrays, this.lane, totalOf(this.code, this.lane));
    return arrays;
  }

  combine(work: (code: Code) => void): void {
    this.code.barrier();
    this.code.if(eq(this.lane, 0), work);
  }

  /** @param count of the elements */
  store(to: BySize, from: BySize, count: number): void {
    this.code.barrier();
    const all = (code: Code): void => code.storeAll(to, this.lane, code.loadAll(from, this.lane));
    if (count === SIZES) all(this.code);
    else this.code.if(lt(this.lane, count), all);
  }
}

/** The state before the chunk in work-group memory: its blocks, or one total. */
function loadEarlier(sizes: Sizes, carrying: Carrying, { component }: BlockTotals): BySize {
  const before = carrying.before(component);
  const at = (level: Expr): Expr => (component.monoid.reassociable ? u32(0) : level);
  return sizes.load("earlier", component.monoid, (code, level) => code.loadAll(before, at(level)));
}

/** The chunk whose state is computed. */
interface Chunk {
  readonly n: Expr;
  readonly carrying: Carrying;
  readonly totals: BlockTotals;
}

const makeSizes = (
  context: GroupContext,
  { component: { name } }: BlockTotals,
  { hint, doc }: Readonly<Record<"hint" | "doc", string>>,
  fill: (sizes: Sizes) => void,
): Kernel =>
  makeKernel(context, { hint: `${hint}_${name}`, doc: [doc], workGroupSize: SIZES, groups: 1 }, (parts) =>
    fill(new Sizes(parts)),
  );

/** Both prefixes, and the state after the chunk. */
export function carryKernel(context: GroupContext, carrying: Carrying, totals: BlockTotals): Kernel {
  const doc = "The prefixes before the chunk and at its end, and the state after it.";
  const chunk = { n: context.n, carrying, totals };
  return makeSizes(context, totals, { hint: "carry", doc }, (sizes) => {
    const earlier = loadEarlier(sizes, carrying, totals);
    const own = sizes.load("own", totals.component.monoid, totals.read);
    sizes.combine((code) => {
      writeStart(code, chunk, earlier);
      writeEnd(code, chunk, earlier, own);
    });
    storeAfter(sizes, chunk, earlier);
  });
}

/** The prefix before the chunk. */
export const startKernel = (context: GroupContext, carrying: Carrying, totals: BlockTotals): Kernel =>
  makeSizes(context, totals, { hint: "before", doc: "The prefix before the chunk." }, (sizes) => {
    const earlier = loadEarlier(sizes, carrying, totals);
    sizes.combine((code) => writeStart(code, { n: context.n, carrying, totals }, earlier));
  });

/** The first items of a chunk, whose blocks are known, and the blocks of the others. */
export interface Halfway {
  readonly items: Expr;
  readonly totalOf: TotalOf;
  readonly totalOfOther: TotalOf;
}

/** The prefix at the end of the chunk and the state after it. */
export function endKernel(
  context: GroupContext,
  carrying: Carrying,
  totals: BlockTotals,
  { items, totalOf, totalOfOther }: Halfway,
): Kernel {
  const doc = "The prefix at the end of the chunk, and the state after it.";
  const { monoid } = totals.component;
  const chunk = { n: context.n, carrying, totals };
  return makeSizes(context, totals, { hint: "carry", doc }, (sizes) => {
    const earlier = loadEarlier(sizes, carrying, totals);
    const own = sizes.load("own", monoid, totalOf);
    const other = sizes.load("other", monoid, totalOfOther);
    sizes.combine((code) => {
      const place = code.let("place", items);
      addBlocks(code, monoid, { place, count: sub(context.n, place), before: own, own: other });
      writeEnd(code, chunk, earlier, own);
    });
    storeAfter(sizes, chunk, earlier);
  });
}

function writeStart(code: Code, { carrying, totals }: Chunk, earlier: BySize): void {
  const { monoid } = totals.component;
  // If the state is one total, it is also the prefix.
  const first = monoid.reassociable
    ? code.loadAll(earlier, 0).map((value) => code.let("first", value))
    : prefix(code, monoid, earlier, carrying.start);
  totals.write(code, u32(AT_START), first);
}

/** @param earlier becomes the state after the chunk */
function writeEnd(code: Code, { n, carrying, totals }: Chunk, earlier: BySize, own: BySize): void {
  const { monoid } = totals.component;
  if (monoid.reassociable) {
    const sum = variables(code, monoid, "sum", code.loadAll(earlier, 0));
    downwards(code, (body, level) =>
      body.if(isIn(n, level), (inner) => {
        const both = monoid.combine(inner, sum, inner.loadAll(own, level));
        inner.assignAll(sum, namedResults(inner, monoid, both, "both"));
      }),
    );
    code.storeAll(earlier, 0, sum);
    totals.write(code, u32(AT_END), sum);
    return;
  }
  const { start } = carrying;
  addBlocks(code, monoid, { place: start, count: n, before: earlier, own });
  totals.write(code, u32(AT_END), prefix(code, monoid, earlier, code.let("end", add(start, n))));
}

function storeAfter(sizes: Sizes, { carrying, totals }: Chunk, latest: BySize): void {
  sizes.store(carrying.after(totals.component), latest, totals.component.monoid.reassociable ? 1 : SIZES);
}

/** Adjacent ranges: the place and the number of items of the second one, and the blocks of both. */
interface Adjacent {
  readonly place: Expr;
  readonly count: Expr;
  readonly before: BySize;
  readonly own: BySize;
}

/**
 * The blocks of the second range are joined with those of the first, in their arrays. Either all of them are smaller, or there is one, which completes larger blocks as an addition
 * carries: its length is the lowest 1 bit of the place.
 */
function addBlocks(code: Code, monoid: Monoid, { place, count, before, own }: Adjacent): void {
  const end = code.let("end", add(place, count));
  const made = code.let("made", and(end, unary("not", place)));
  const joined = code.let("joined", and(place, unary("not", end)));
  const total = variables(code, monoid, "total", monoid.types.map(zeroOf));
  code.for("level", 0, SIZES, (body, level) => {
    const earlier = named(body, monoid, "earlier", body.loadAll(before, level));
    body.if(isIn(count, level), (inner) => inner.assignAll(total, inner.loadAll(own, level)));
    body.if(isIn(joined, level), (inner) =>
      inner.assignAll(total, namedResults(inner, monoid, monoid.combine(inner, earlier, total), "both")),
    );
    body.if(isIn(made, level), (inner) => inner.storeAll(before, level, total));
  });
}

/** The fold of the blocks before a place, from left to right; the identity if there are none. */
function prefix(code: Code, monoid: Monoid, blocks: BySize, place: Expr): readonly Expr[] {
  const sum = variables(code, monoid, "sum", monoid.identity);
  const started = code.var("started", bool(false));
  downwards(code, (body, level) =>
    body.if(isIn(place, level), (inner) => {
      const total = named(inner, monoid, "block", inner.loadAll(blocks, level));
      const both = namedResults(inner, monoid, monoid.combine(inner, sum, total), "both");
      inner.assignAll(
        sum,
        both.map((value, i) => select(started, value, total[i] as Expr)),
      );
      inner.assign(started, bool(true));
    }),
  );
  return sum;
}
