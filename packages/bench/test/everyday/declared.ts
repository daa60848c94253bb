/** Nine pipelines of programs that the documents do not have, declared from the documents alone. */
import {
  affine,
  compaction,
  ends,
  f32,
  i32,
  operator,
  param,
  pipeline,
  scalar,
  starts,
  u8,
  u32,
} from "@groupwise/dsl";

/** Run-length coding: each run's value, where it starts, and its length. */
export const encode = pipeline("run-lengths", { x: u8 }, ({ x }) => {
  const last = compaction(ends(x));
  const length = u32(1).perItem().scanInclusive("add", { keys: x });
  return { values: u8(x).scatter(last), lengths: length.scatter(last), runs: scalar(last.length) };
});

/** Percentiles by group, weighted: items sorted by group and value; the first value at which p % of the group's weight is reached. */
export const percentiles = pipeline(
  "percentiles",
  { group: u32, value: f32, weight: u32, p: param(u32) },
  ({ group, value, weight, p }) => {
    const soFar = weight.scanInclusive("add", { keys: group });
    const total = weight.reduce("add", { keys: group });
    const reached = soFar.mul(100).ge(total.mul(p));
    const first = reached.and(reached.previous(false, 1, { keys: group }).not());
    const kept = compaction(first);
    return {
      groups: group.scatter(kept),
      at: value.scatter(kept),
      totals: total.scatter(kept),
      count: scalar(kept.length),
    };
  },
);

/** Lengths of polylines: points in order, each of a line. */
export const polyline = pipeline("polyline", { line: u32, x: f32, y: f32 }, ({ line, x, y }) => {
  const isFirst = starts(line);
  const dx = x.sub(x.previous(0));
  const dy = y.sub(y.previous(0));
  const step = isFirst.select(0, dx.mul(dx).add(dy.mul(dy)).sqrt());
  const along = step.scanInclusive("add", { keys: line });
  const last = compaction(ends(line));
  return { along, lines: line.scatter(last), lengths: along.scatter(last), count: scalar(last.length) };
});

/** A filter with changing coefficients: y[i] = a[i] y[i-1] + b[i] x[i]; and a resonator of second order. */
const step2 = operator(
  "step2",
  { a: f32, b: f32, c: f32, d: f32, p: f32, q: f32 },
  {
    // The map state ↦ m · state + v of a 2 × 2 matrix and a vector, after another one.
    combine: (l, r) => ({
      a: r.a.mul(l.a).add(r.b.mul(l.c)),
      b: r.a.mul(l.b).add(r.b.mul(l.d)),
      c: r.c.mul(l.a).add(r.d.mul(l.c)),
      d: r.c.mul(l.b).add(r.d.mul(l.d)),
      p: r.a.mul(l.p).add(r.b.mul(l.q)).add(r.p),
      q: r.c.mul(l.p).add(r.d.mul(l.q)).add(r.q),
    }),
    identity: { a: 1, b: 0, c: 0, d: 1, p: 0, q: 0 },
  },
);
export const filter = pipeline("filter", { x: f32, a: f32, b: f32, k: f32 }, ({ x, a, b, k }) => {
  const one = affine(f32).scanInclusive({ a: a, b: b.mul(x) });
  const two = step2.scanInclusive({ a: k, b: f32(-0.9), c: f32(1), d: f32(0), p: x, q: f32(0) });
  return { low: one.b, resonant: two.p };
});

/** Depth of brackets: (), [] and {}. */
export const brackets = pipeline("brackets", { text: u8 }, ({ text }, { index }) => {
  const opens = text.eq(40).or(text.eq(91)).or(text.eq(123));
  const closes = text.eq(41).or(text.eq(93)).or(text.eq(125));
  const step = opens.select(i32(1), closes.select(i32(-1), 0));
  const depth = step.scanInclusive("add");
  return {
    depth,
    deepest: scalar(depth.reduce("max")),
    left: scalar(step.reduce("add")),
    firstError: scalar(depth.lt(0).select(index(), u32(0xffffffff)).reduce("min")),
  };
});

/** Deltas of varints (LEB128, zigzag): bytes to the running sums of the numbers. */
export const varints = pipeline("varints", { byte: u8 }, ({ byte }, { index }) => {
  const isLast = byte.lt(128);
  const isFirst = isLast.previous(true);
  const place = index().sub(isFirst.select(index(), 0).scanInclusive("max"));
  const part = byte.and(127).shl(place.mul(7));
  const coded = part.scanInclusive("or", { segments: isFirst });
  const zigzag = coded
    .shr(1)
    .toI32()
    .xor(i32(0).sub(coded.and(1).toI32()));
  const kept = compaction(isLast);
  const delta = isLast.select(zigzag, 0);
  return {
    deltas: zigzag.scatter(kept),
    values: delta.scanInclusive("add").scatter(kept),
    count: scalar(kept.length),
  };
});

/** Visits: a user's events in order of time, split where half an hour passes. */
export const visits = pipeline(
  "visits",
  { user: u32, time: u32, pages: u32, spent: f32, gap: param(u32) },
  ({ user, time, pages, spent, gap }, { index }) => {
    const first = starts(user).or(time.sub(time.previous(0)).gt(gap));
    const last = first.next(true);
    const visit = first.toU32().scanInclusive("add").sub(1);
    const begin = first.select(time, 0).scanInclusive("max", { segments: first });
    const kept = compaction(last);
    return {
      visit,
      users: user.scatter(kept),
      begins: begin.scatter(kept),
      durations: time.sub(begin).scatter(kept),
      events: u32(1).perItem().scanInclusive("add", { segments: first }).scatter(kept),
      clicks: pages.scanInclusive("add", { segments: first }).scatter(kept),
      best: pages.scanInclusive("max", { segments: first }).scatter(kept),
      dwell: spent.scanInclusive("add", { segments: first }).scatter(kept),
      lastItem: index().scatter(kept),
      count: scalar(kept.length),
      longest: scalar(last.select(time.sub(begin), 0).reduce("max")),
    };
  },
);

/** Softmax attention over segments: weights of scores, and the weighted sum of rows of four values. */
export const attention = pipeline(
  "attention",
  { query: u32, score: f32, v0: f32, v1: f32, v2: f32, v3: f32 },
  ({ query, score, v0, v1, v2, v3 }) => {
    const keys = query;
    const e = score.sub(score.reduce("max", { keys })).exp();
    const weight = e.div(e.reduce("add", { keys }));
    const kept = compaction(ends(query));
    const sum = (v: typeof v0) => weight.mul(v).scanInclusive("add", { keys }).scatter(kept);
    return {
      weight,
      o0: sum(v0),
      o1: sum(v1),
      o2: sum(v2),
      o3: sum(v3),
      queries: query.scatter(kept),
      count: scalar(kept.length),
    };
  },
);

/** An index of JSON: positions, kinds and depths of the structural characters outside of strings. */
export const json = pipeline("json-index", { text: u8 }, ({ text }, { index }) => {
  const isSlash = text.eq(92);
  const runStart = isSlash.and(isSlash.previous(false).not());
  const run = isSlash.toU32().scanInclusive("add", { segments: isSlash.not().or(runStart) });
  const escaped = run.previous(0).and(1).eq(1).and(isSlash.previous(false));
  const quote = text.eq(34).and(escaped.not());
  const inside = quote.toU32().scanInclusive("xor").eq(1).and(quote.not());
  const opens = text.eq(123).or(text.eq(91));
  const closes = text.eq(125).or(text.eq(93));
  const isStructure = opens.or(closes).or(text.eq(58)).or(text.eq(44)).and(inside.not()).and(quote.not());
  const step = isStructure.and(opens).select(i32(1), isStructure.and(closes).select(i32(-1), 0));
  const depth = step.scanInclusive("add");
  const kept = compaction(isStructure);
  return {
    inside,
    at: index().scatter(kept),
    kinds: u8(text).scatter(kept),
    depths: depth.scatter(kept),
    strings: scalar(quote.toU32().reduce("add")),
    count: scalar(kept.length),
  };
});
