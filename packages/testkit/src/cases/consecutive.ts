/** Scatters of consecutive slots, whose values tiles write together, and similar scatters that are not consecutive. */
import { bool, compaction, f32, i64, param, pipeline, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const options = { workGroupSize: 64, places: false } as const;

const kept = pipeline(
  "kept",
  { x: u32, keep: bool },
  ({ x, keep }) => {
    const { before, total } = keep.toU32().scanWithTotal("add");
    return { kept: x.scatter({ to: before, where: keep, length: total }), count: total };
  },
  options,
);

const keptOfTypes = pipeline(
  "kept-of-types",
  { x: f32, y: i64, z: bool, w: u32, room: param(u32) },
  ({ x, y, z, w, room }, { size }) => {
    const isOdd = w.and(1).ne(0);
    const isFew = w.rem(5).eq(0);
    const odd = isOdd.toU32().scanWithTotal("add");
    const few = isFew.select(u32(1), 0).scanInclusive("add").sub(1);
    return {
      floats: x.scatter({ to: odd.before, where: isOdd, length: odd.total }),
      // Its length differs from that of the others, and is not known to be sufficient.
      wide: y.scatter({ to: few, where: isFew, length: size() }),
      bools: z.scatter({ to: few, where: isFew, capacity: size().add(room) }),
      // The slots of other items.
      others: x.scatter({ to: odd.before, where: isOdd.and(isFew) }),
      doubled: odd.total.mul(2),
    };
  },
  options,
);

const runs = pipeline(
  "runs",
  { x: u32 },
  ({ x }, { index, size }) => {
    const key = x.and(3);
    const starts = index()
      .eq(0)
      .or(key.ne(key.at(index().sub(1))));
    const ends = index()
      .add(1)
      .eq(size())
      .or(key.at(index().add(1)).ne(key));
    const { scan, total } = starts.toU32().scanWithTotal("add");
    const first = starts.select(index(), 0).scanInclusive("max");
    const to = scan.sub(1);
    return {
      keys: key.scatter({ to, where: starts, length: total }),
      lengths: index().sub(first).add(1).scatter({ to, where: ends, length: total }),
    };
  },
  options,
);

/** Values of each run combined in the pass that counts runs: exactly, in the order of floats, and both. */
const combined = pipeline(
  "runs-combined",
  { x: u32, y: f32 },
  ({ x, y }, { index, size }) => {
    const starts = index().eq(0).or(x.rem(5).eq(0));
    const last = index()
      .add(1)
      .eq(size())
      .or(x.at(index().add(1)).rem(5).eq(0));
    const { scan, total } = starts.toU32().scanWithTotal("add");
    const segments = starts;
    const to = { to: scan.sub(1), where: last, length: total };
    return {
      sums: x.scanInclusive("add", { segments }).scatter(to),
      floats: y.scanInclusive("add", { segments }).scatter(to),
      most: x.scanExclusive("max", { segments }),
      count: total,
    };
  },
  options,
);

/** Items read what the pipeline scatters: all of it, and kept items beside their number. */
const reread = pipeline(
  "reread",
  { x: f32, w: u32 },
  ({ x, w }, { index, size }) => {
    const inverse = index().scatter({ to: size().sub(1).sub(index()) });
    const keep = w.and(3).ne(0);
    const kept = compaction(keep);
    const floats = x.scatter(kept);
    return {
      inverse,
      floats,
      turned: x.at(inverse.at(index())),
      steps: keep.select(x.sub(floats.at(kept.to.sub(1))), 0),
      sums: floats.at(index()).scanInclusive("add"),
    };
  },
  options,
);

/** Of other types, with a capacity, and with slots that no item writes. */
const rereadOfTypes = pipeline(
  "reread-of-types",
  { y: i64, w: u32, room: param(u32) },
  ({ y, w, room }, { index, size }) => {
    const keep = w.and(3).ne(0);
    const wide = y.scatter({ to: index(), capacity: size().add(room) });
    const flags = keep.scatter({ to: index(), where: keep });
    return {
      wide,
      flags,
      last: wide.at(index().add(size())),
      odd: flags.at(index().add(1)).select(y, wide.at(w)),
    };
  },
  options,
);

/** See the title of the file. */
export const CONSECUTIVE: readonly Case[] = [
  caseOf(kept, "compaction, and its total", { share: "least" }),
  caseOf(keptOfTypes, "consecutive slots of several types", { params: [{ room: 0 }, { room: 9 }] }),
  caseOf(reread, "items read what the pipeline scatters"),
  caseOf(rereadOfTypes, "items read scatters of several types", { params: [{ room: 0 }, { room: 7 }] }),
  caseOf(runs, "first and last items of runs"),
  caseOf(combined, "values of runs combined, and the number of runs"),
];
