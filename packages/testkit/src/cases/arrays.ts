/** Arrays of other lengths: tables, gathers, and outputs with a capacity of their own. */
import { bool, f16, f32, f64, i32, i64, param, pipeline, table, u32, u64 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const options = (workGroupSize: number) => ({ workGroupSize, places: false });
const group = { scope: "work-group" } as const;

const gather = pipeline(
  "gather",
  { x: f32, level: u32, palette: table(f32) },
  ({ x, level, palette }, { index, size }) => {
    const sums = x.scanInclusive("add");
    const from = level.rem(size());
    return {
      reversed: x.at(size().sub(1).sub(index())),
      step: x.at(index().add(1)).sub(x),
      colour: palette.at(level),
      between: sums.sub(sums.at(from)),
    };
  },
  options(64),
);

const histogram = pipeline(
  "histogram",
  { x: u32, bins: param(u32) },
  ({ x, bins }) => ({
    counts: u32(1)
      .perItem()
      .scatter({ to: x.rem(bins), capacity: bins, combine: "add" }),
    least: x.scatter({ to: x.rem(bins), capacity: bins, combine: "min" }),
  }),
  options(128),
);

/** Dependencies between stages: gathers of collectives of both scopes, of gathers, and collectives of those. */
const crossing = pipeline(
  "gather-crossing",
  { x: u32, y: bool },
  ({ x, y }, { index, size, groupIndex }) => {
    const to = x.rem(size());
    const sums = x.scanInclusive("add");
    const local = x.scanExclusive("xor", group);
    const most = x.reduce("max", group);
    // Pointer jumping: each round reads the results of the previous one.
    const far = [0, 1, 2].reduce((next) => next.at(next), to);
    const moved = sums.at(to).add(local.at(index().xor(1)));
    return {
      ofScan: sums.at(to),
      ofGroupScan: local.at(to),
      ofGroup: most.at(to),
      ofOwnGroup: most.at(groupIndex()),
      ofReduce: x.reduce("min").at(to).perItem(),
      far,
      moved: moved.scanInclusive("add"),
      total: far.scanExclusive("add", group).at(to).reduce("add"),
      both: y.at(to).and(y.at(index().add(3))),
    };
  },
  options(100),
);

/** A uniform value that is computed from one item: it does not exist for an empty range. */
const picked = pipeline(
  "gather-picked",
  { x: f32, at: param(u32) },
  ({ x, at }) => ({
    one: x.at(at),
    sum: x.scanInclusive("add").at(at).sub(x.at(0)),
    last: x.mul(2).at(0xffffffff).perItem(),
  }),
  options(64),
);

const tables = pipeline(
  "tables",
  { i: u32, a: table(u32), b: table(i64), c: table(f64), d: table(bool), e: table(f16) },
  ({ i, a, b, c, d, e }, { index }) => {
    const at = a.at(i);
    return {
      small: at,
      next: b.at(index()),
      twice: c.at(a.at(index())),
      truth: d.at(i.rem(9)),
      halves: e.at(index().shr(1)),
      sum: at.scanInclusive("add"),
      most: b.at(i.rem(5)).reduce("max"),
      // These exist for an empty range too.
      lengths: a.length.add(b.length.mul(1000)),
      last: a.at(a.length.sub(1)),
      first: c.at(0),
    };
  },
  options(64),
);

const alone = pipeline(
  "table-alone",
  { t: table(i32) },
  ({ t }, { index, size }) => ({ mirrored: t.at(size().sub(1).sub(index())) }),
  options(32),
);

const combine = pipeline(
  "combine",
  { x: u32, y: i32, k: param(u32), t: table(u32) },
  ({ x, y, k, t }, { index }) => {
    const slots = t.length.min(50).mul(2).add(k);
    const to = x.rem(k.max(1));
    const among = { to, capacity: slots } as const;
    return {
      sums: y.scatter({ ...among, combine: "add" }),
      least: y.scatter({ ...among, where: y.gt(0), combine: "min" }),
      most: y.scatter({ ...among, length: k, combine: "max" }),
      all: x.scatter({ ...among, combine: "and" }),
      some: x.scatter({ ...among, combine: "or" }),
      odd: y.scatter({ to, combine: "xor", where: to.lt(index()) }),
    };
  },
  options(100),
);

/** Also for targets that have only floats: positions are queries, without integer arithmetic. */
const plain = pipeline(
  "gather-plain",
  { x: f32, y: bool, t: table(f32) },
  ({ x, y, t }, { index, localIndex, groupIndex }) => {
    const sums = x.scanInclusive("add");
    const twice = x.at(localIndex()).at(index().min(t.length));
    return {
      looked: t.at(index()),
      edge: x.at(5).sub(x.at(0xffffffff)),
      ofScan: sums.at(localIndex()),
      ofGroup: x.reduce("min", group).at(groupIndex()),
      twice,
      again: x.sub(twice.at(groupIndex())),
      truth: y.at(localIndex()).and(y.at(groupIndex())),
    };
  },
  options(48),
);

const capacity = pipeline(
  "capacity",
  { x: f32, y: u64, z: bool, more: param(u32) },
  ({ x, y, z, more }, { index, size }) => {
    const twice = size().mul(2).add(more.mul(2));
    const to = index().mul(2).add(1);
    return {
      spread: x.scatter({ to, capacity: twice }),
      wide: y.scatter({ to, capacity: twice, length: to.reduce("max").add(1) }),
      flags: z.scatter({
        to: index(),
        capacity: size().sub(size().div(2)),
        where: index().lt(size().div(2)),
      }),
      few: x.toI32().scatter({ to: index(), capacity: 3, where: index().lt(3) }),
    };
  },
  options(64),
);

const grid = pipeline(
  "gather-grid",
  { x: u32 },
  ({ x }, at) => {
    const transposed = at.globalId(0).sub(at.globalOffset(0)).mul(at.globalSize(1)).add(at.globalId(1));
    const to = transposed.sub(at.globalOffset(1));
    const local = x.scanInclusive("add", group);
    return {
      transposed: x.at(to),
      ofScan: x.scanInclusive("add").at(to),
      ofGroup: local.at(to.add(1)),
      far: local.at(to).at(to),
      counted: u32(1).perItem().scatter({ to: at.localLinearId(), capacity: 12, combine: "add" }),
    };
  },
  { workGroupSize: [4, 3], places: false },
);

export const ARRAYS: readonly Case[] = [
  caseOf(gather, "other items' values, and a table's, at computed places", { typical: true }),
  caseOf(histogram, "many items combine values at a slot; as many slots as a parameter says", {
    typical: true,
    params: [{ bins: 10 }, { bins: 1 }, { bins: 3000 }, { bins: 0 }],
  }),
  caseOf(crossing, "gathers that wait for collectives, and the other way round", { share: "sample" }),
  caseOf(picked, "one value for all from one item", {
    params: [{ at: 0 }, { at: 70 }, { at: 0xffffffff }],
  }),
  caseOf(plain, "gathers by plain places, of floats and truth values", { share: "sample" }),
  caseOf(tables, "tables of every form in memory, shorter and longer than the range, and empty", {
    share: "sample",
  }),
  caseOf(alone, "a table and no input: the number of items comes with the run"),
  caseOf(combine, "every operator by which values combine; capacities that lengths of tables tell", {
    share: "sample",
    params: [{ k: 5 }, { k: 1 }, { k: 0 }, { k: 700 }],
  }),
  caseOf(capacity, "more slots than items, and fewer; capacities that leave 32 bits are an error", {
    params: [{ more: 0 }, { more: 9 }, { more: 0xffffffff }],
  }),
  caseOf(grid, "gathers and combining scatters over a range of two dimensions", { share: "few" }),
];
