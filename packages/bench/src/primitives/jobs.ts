/** The timed jobs: inputs are a hash of the index, on the device and on the host, and plain loops check the results. */
import { param, pipeline, u32 } from "@groupwise/dsl";
import {
  compact,
  histogram,
  partition,
  reduceByKey,
  runLengthEncode,
  segmentedReduce,
  spmv,
  topK,
  unique,
} from "@groupwise/primitives";
import { COLLECTIVE_JOBS } from "./collective-jobs.ts";
import { FUNCTION_JOBS } from "./function-jobs.ts";
import {
  all,
  checkCounts,
  differs,
  hash,
  hashed,
  type Job,
  make,
  offsetAt,
  offsets,
  options,
  type Read,
  ROW,
  rowsOf,
  wrongOf,
} from "./job.ts";
import { ROW_JOBS } from "./row-jobs.ts";
import { SORT_JOBS } from "./sort-jobs.ts";
import { SORTED_JOBS } from "./sorted-jobs.ts";
import { TEXT_JOBS } from "./text-jobs.ts";

/** Keys of runs: of 4 items and of multiples of it. */
const keyAt = (i: number): number => hash(i >>> 2) >>> 30;
const numbers = { source: make("x", (i) => hashed(i)), items: all };
const keys = { source: make("keys", (i) => hashed(i.shr(2)).shr(30)), items: all };
const runs = { source: make("x", (i) => hashed(i.shr(2)).shr(30)), items: all };
const flagged = {
  source: pipeline(
    "make-kept",
    {},
    (_, { index }) => {
      const x = hashed(index());
      return { x, keep: x.and(1).toBool() };
    },
    options,
  ),
  items: all,
};
const bins = { source: make("x", (i) => hashed(i).and(255)), items: all };
const columns = {
  source: pipeline(
    "make-columns",
    { items: param(u32) },
    ({ items }, { index }) => ({ columns: hashed(index()).rem(items.add(ROW - 1).div(ROW)) }),
    options,
  ),
  items: all,
};
const elements = { source: make("elements", (i) => hashed(i).and(7)), items: all };
const vector = { source: make("x", (i) => hashed(i).and(7)), items: rowsOf };
/** Calls back with each run of equal keys. */
function eachRun(
  n: number,
  use: (key: number, from: number, to: number) => string | undefined,
): string | undefined {
  for (let from = 0; from < n; ) {
    const key = keyAt(from);
    let to = from + 1;
    while (to < n && keyAt(to) === key) to++;
    const wrong = use(key, from, to);
    if (wrong !== undefined) return wrong;
    from = to;
  }
  return undefined;
}

/** Outputs with an element for each run, of which `count` are valid. */
async function checkRuns(
  n: number,
  read: Read,
  wanted: Readonly<Record<string, (key: number, from: number, to: number) => number>>,
): Promise<string | undefined> {
  const [count = 0] = await read("count");
  const columns = await Promise.all(
    Object.entries(wanted).map(async ([name, want]) => ({ name, want, got: await read(name, count) })),
  );
  let at = 0;
  const wrong = eachRun(n, (key, from, to) => {
    for (const { name, want, got } of columns) {
      const value = want(key, from, to);
      if (got[at] !== value) return differs(name, at, got[at], value);
    }
    at += 1;
    return undefined;
  });
  return wrong ?? (at === count ? undefined : differs("count", 0, count, at));
}

const sumOf = (from: number, to: number): number => {
  let sum = 0;
  for (let i = from; i < to; i++) sum = (sum + hash(i)) | 0;
  return sum >>> 0;
};

const TOP = 100;

export const JOBS: readonly Job[] = [
  {
    name: "copy",
    what: pipeline("copy", { x: u32 }, ({ x }) => ({ y: x }), options),
    inputs: [numbers],
    outputs: (n) => ({ y: n }),
    check: async (n, read) => wrongOf("y", await read("y"), n, hash),
  },
  {
    name: "compact",
    what: compact(u32),
    inputs: [flagged],
    outputs: (n) => ({ kept: n, count: 1 }),
    check: async (n, read) => {
      const [count = 0] = await read("count");
      const kept = await read("kept", count);
      let at = 0;
      for (let i = 0; i < n; i++) {
        const x = hash(i);
        if ((x & 1) === 0) continue;
        if (kept[at] !== x) return differs("kept", at, kept[at], x);
        at += 1;
      }
      return at === count ? undefined : differs("count", 0, count, at);
    },
  },
  {
    name: "partition",
    what: partition(u32),
    inputs: [flagged],
    outputs: (n) => ({ parted: n, count: 1 }),
    check: async (n, read) => {
      const [[count = 0], parted] = [await read("count"), await read("parted")];
      let [kept, other] = [0, count];
      for (let i = 0; i < n; i++) {
        const x = hash(i);
        const at = x & 1 ? kept++ : other++;
        if (parted[at] !== x) return differs("parted", at, parted[at], x);
      }
      return kept === count ? undefined : differs("count", 0, count, kept);
    },
  },
  {
    name: "unique",
    what: unique(u32),
    inputs: [runs],
    outputs: (n) => ({ distinct: n, count: 1 }),
    check: (n, read) => checkRuns(n, read, { distinct: (key) => key }),
  },
  {
    name: "run-length encode",
    what: runLengthEncode(u32),
    inputs: [runs],
    outputs: (n) => ({ runs: n, lengths: n, count: 1 }),
    check: (n, read) => checkRuns(n, read, { runs: (key) => key, lengths: (_, from, to) => to - from }),
  },
  {
    name: "reduce by key",
    what: reduceByKey(u32, "add", u32),
    inputs: [keys, numbers],
    outputs: (n) => ({ runs: n, results: n, count: 1 }),
    check: (n, read) => checkRuns(n, read, { runs: (key) => key, results: (_, from, to) => sumOf(from, to) }),
  },
  {
    name: "histogram of 256 bins",
    what: histogram(256),
    inputs: [bins],
    outputs: () => ({ counts: 256 }),
    check: checkCounts((x) => x & 255),
  },
  ...SORT_JOBS,
  {
    name: `top ${TOP}`,
    what: topK(u32, { descending: true }),
    numbers: () => ({ k: TOP }),
    inputs: [{ source: make("keys", (i) => hashed(i)), items: all }],
    outputs: (n) => ({ top: Math.min(n, TOP), from: Math.min(n, TOP), count: 1 }),
    check: async (n, read) => {
      const [top, from] = [await read("top"), await read("from")];
      const bad = top.findIndex(
        (x, i) => hash(from[i] as number) !== x || (i > 0 && x > (top[i - 1] as number)),
      );
      if (bad >= 0) return `top[${bad}] is ${top[bad]}, from ${from[bad]}`;
      // The result contains all keys above its least one.
      const least = top.at(-1) as number;
      let above = 0;
      for (let i = 0; i < n; i++) if (hash(i) > least) above += 1;
      const want = top.filter((x) => x > least).length;
      return above === want ? undefined : `${above} items are above ${least}, and ${want} of the top`;
    },
  },
  {
    name: "segmented reduce",
    what: segmentedReduce("add", u32),
    inputs: [numbers, offsets],
    outputs: (n) => ({ results: rowsOf(n) }),
    check: async (n, read) =>
      wrongOf("results", await read("results"), rowsOf(n), (row) =>
        sumOf(offsetAt(row, n), offsetAt(row + 1, n)),
      ),
  },
  {
    name: "sparse matrix times vector",
    what: spmv(u32),
    inputs: [elements, columns, offsets, vector],
    outputs: (n) => ({ y: rowsOf(n) }),
    check: async (n, read) => {
      const width = rowsOf(n);
      return wrongOf("y", await read("y"), width, (row) => {
        let want = 0;
        const to = offsetAt(row + 1, n);
        for (let i = offsetAt(row, n); i < to; i++) want += (hash(i) & 7) * (hash(hash(i) % width) & 7);
        return want;
      });
    },
  },
  ...COLLECTIVE_JOBS,
  ...ROW_JOBS,
  ...SORTED_JOBS,
  ...TEXT_JOBS,
  ...FUNCTION_JOBS,
];
