/** Sorts of segments, searches and merges of sorted arrays, and histograms by range. */
import { f32, param, pipeline, type U32Value, u32 } from "@groupwise/dsl";
import { histogram, histogramEdges, merge, searchSorted, segmentedSort } from "@groupwise/primitives";
import {
  all,
  checkCounts,
  hash,
  hashed,
  type Job,
  type Made,
  make,
  offsetAt,
  offsets,
  options,
  rowsOf,
  same,
  wrongOf,
} from "./job.ts";

const BINS = 256;
/** Shares with 24 bits: exact in f32, and their bins are the highest 8 bits of the hash. */
const shares = {
  source: pipeline(
    "make-shares",
    {},
    (_, { index }) => ({
      x: hashed(index())
        .shr(8)
        .toF32()
        .mul(2 ** -24),
    }),
    options,
  ) as Made,
  items: all,
};
const edges = {
  source: pipeline(
    "make-edges",
    {},
    (_, { index }) => ({ edges: index().toF32().div(BINS) }),
    options,
  ) as Made,
  items: () => BINS + 1,
};
const checkShares = checkCounts((x) => x >>> 24);
const countsOf = (): Readonly<Record<string, number>> => ({ counts: BINS, below: 1, above: 1, nans: 1 });

/** Elements of two rising arrays: 4 i, and up to 3 more. */
const risingAt = (i: number, salt: number): number => 4 * i + (hash(i ^ salt) & 3);
const rising = (name: "a" | "b", salt: number) => ({
  source: make(name, (i: U32Value) => i.mul(4).add(hashed(i.xor(salt)).and(3))),
  items: all,
});
const SALT = 0x5bd1e995;

/** Elements of a table of n: multiples of the greatest number whose n-fold is not past 2^32. */
const stepOf = (n: number): number => Math.floor((2 ** 32 - 1) / n);
const table = {
  source: pipeline(
    "make-sorted",
    { items: param(u32) },
    ({ items }, { index }) => ({ sorted: index().mul(u32(2 ** 32 - 1).div(items)) }),
    options,
  ) as Made,
  items: all,
};

const sortOfSegments = (name: string, what: Job["what"]): Job => ({
  name,
  what,
  inputs: [{ source: make("keys", (i) => hashed(i)), items: all }, offsets],
  outputs: (n) => ({ sorted: n }),
  check: async (n, read) => {
    const want = Uint32Array.from({ length: n }, (_, i) => hash(i));
    for (let row = 0; row < rowsOf(n); row++) want.subarray(offsetAt(row, n), offsetAt(row + 1, n)).sort();
    return same("sorted", await read("sorted"), want);
  },
});

export const SORTED_JOBS: readonly Job[] = [
  sortOfSegments("segmented sort", segmentedSort(u32)),
  sortOfSegments("segmented sort, at most 32", segmentedSort(u32, { longest: 32 })),
  {
    name: "merge",
    what: merge(u32),
    inputs: [rising("a", 0), rising("b", SALT)],
    outputs: (n) => ({ merged: 2 * n }),
    check: async (n, read) => {
      const got = await read("merged");
      return wrongOf("merged", got, 2 * n, (i) =>
        Math[i % 2 ? "max" : "min"](risingAt(i >>> 1, 0), risingAt(i >>> 1, SALT)),
      );
    },
  },
  {
    name: "search",
    what: searchSorted(u32),
    inputs: [{ source: make("x", (i) => hashed(i)), items: all }, table],
    outputs: (n) => ({ places: n }),
    check: async (n, read) => {
      const [got, step] = [await read("places"), stepOf(n)];
      return wrongOf("places", got, n, (i) => Math.min(n, Math.ceil(hash(i) / step)));
    },
  },
  {
    name: "histogram of 256 bins of f32",
    what: histogram(f32, { from: 0, to: 1, bins: BINS }),
    inputs: [shares],
    outputs: countsOf,
    check: checkShares,
  },
  {
    name: "histogram by 257 edges of f32",
    what: histogramEdges(f32, BINS),
    inputs: [shares, edges],
    outputs: countsOf,
    check: checkShares,
  },
];
