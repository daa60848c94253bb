/** Primitives over one range: compaction, runs, histograms. */
import type { Scalar } from "@groupwise/core";
import { affine, argmax, bool, f16, f32, f64, i32, i64, u32, u64 } from "@groupwise/dsl";
import {
  compact,
  countsToOffsets,
  histogram,
  mergeCounts,
  partition,
  reduceByKey,
  runLengthDecode,
  runLengthEncode,
  unique,
  weightedHistogram,
} from "@groupwise/primitives";
import {
  columns,
  columnTypes,
  FOLDS,
  type HostNumber,
  headsOf,
  list,
  offsetsOf,
  type PlainFold,
  POOL,
  type PrimitiveSubject,
  runsOf,
  scanned,
  sizesOf,
} from "./subject.ts";

const TYPES = { i32, u32, i64, u64, f16, f32, f64, bool } as const;
const ALL = Object.keys(TYPES) as Scalar[];
const SOME = ["i64", "f32", "f16", "bool"] as const;

/** The items that hold, and the others. */
function split(x: readonly HostNumber[], keep: readonly unknown[]): [HostNumber[], HostNumber[]] {
  const [kept, rest]: [HostNumber[], HostNumber[]] = [[], []];
  for (const [i, value] of x.entries()) (keep[i] ? kept : rest).push(value);
  return [kept, rest];
}

const compaction = (type: Scalar): PrimitiveSubject => ({
  name: `compact ${type}`,
  what: compact(TYPES[type] as never),
  types: { x: type, keep: "bool", kept: type, count: "u32" },
  trial: (n, random) => {
    const density = random.pick([0, 0.1, 0.5, 1]);
    const [x, keep] = [runsOf(type, n, random), list(n, () => (random.chance(density) ? 1 : 0))];
    const [kept] = split(x, keep);
    return { given: { x, keep }, want: { kept, count: [kept.length] } };
  },
});

const partitions = (type: Scalar): PrimitiveSubject => ({
  name: `partition ${type}`,
  what: partition(TYPES[type] as never),
  types: { x: type, keep: "bool", parted: type, count: "u32" },
  trial: (n, random) => {
    const density = random.pick([0, 0.3, 1]);
    const [x, keep] = [
      list(n, () => random.pick(POOL[type])),
      list(n, () => (random.chance(density) ? 1 : 0)),
    ];
    const [kept, rest] = split(x, keep);
    return { given: { x, keep }, want: { parted: [...kept, ...rest], count: [kept.length] } };
  },
});

const uniques = (type: Scalar): PrimitiveSubject => ({
  name: `unique ${type}`,
  what: unique(TYPES[type] as never),
  types: { x: type, distinct: type, count: "u32" },
  trial: (n, random) => {
    const x = runsOf(type, n, random);
    const [distinct] = split(x, headsOf(x));
    return { given: { x }, want: { distinct, count: [distinct.length] } };
  },
});

const encodes = (type: Scalar): PrimitiveSubject => ({
  name: `run-length encode ${type}`,
  what: runLengthEncode(TYPES[type] as never),
  types: { x: type, runs: type, lengths: "u32", count: "u32" },
  trial: (n, random) => {
    const x = runsOf(type, n, random);
    const [runs, lengths]: [HostNumber[], number[]] = [[], []];
    for (const value of x) {
      if (runs.length > 0 && runs.at(-1) === value) (lengths[lengths.length - 1] as number)++;
      else {
        runs.push(value);
        lengths.push(1);
      }
    }
    return { given: { x }, want: { runs, lengths, count: [runs.length] } };
  },
});

const decodes = (type: Scalar): PrimitiveSubject => ({
  name: `run-length decode ${type}`,
  what: runLengthDecode(TYPES[type] as never),
  types: { x: type, runs: type, lengths: "u32", count: "u32" },
  trial: (n, random) => {
    const lengths = sizesOf(n, random);
    const runs = lengths.map(() => random.pick(POOL[type]));
    const all = lengths.flatMap((length, i) => list(length, () => runs[i] as HostNumber));
    const capacity = [n, n + 5, Math.floor(n / 2)][n % 3] as number;
    return {
      given: { runs, lengths },
      numbers: { capacity },
      want: { x: all.slice(0, capacity), count: [n] },
    };
  },
});

const offsets: PrimitiveSubject = {
  name: "counts to offsets",
  what: countsToOffsets,
  types: { counts: "u32", offsets: "u32", total: "u32" },
  trial: (n, random) => {
    const counts = list(n, () => random.int(0, 3));
    const want = offsetsOf(counts);
    return { given: { counts }, want: { offsets: want, total: want.slice(-1) } };
  },
};

const merges: PrimitiveSubject = {
  name: "merge counts",
  what: mergeCounts,
  types: { counts: "u32", offsets: "u32", segments: "u32", ranks: "u32", total: "u32" },
  trial: (n, random) => {
    const counts = sizesOf(n, random);
    const capacity = [n, n + 5, Math.floor(n / 2)][n % 3] as number;
    const segments = counts.flatMap((count, s) => list(count, () => s)).slice(0, capacity);
    const ranks = counts.flatMap((count) => list(count, (i) => i)).slice(0, capacity);
    const want = { offsets: offsetsOf(counts), segments, ranks, total: [n] };
    return { given: { counts }, numbers: { capacity }, want };
  },
};

const byKey = (key: Scalar, fold: PlainFold, name: string, what: unknown): PrimitiveSubject => ({
  name: `reduce by key: ${name}`,
  what,
  types: { keys: key, runs: key, count: "u32", ...columnTypes(fold, "x", "results") },
  trial: (n, random) => {
    const keys = runsOf(key, n, random);
    const x = list(n, (i) => fold.draw(random, i));
    const heads = headsOf(keys);
    const { upTo, bound } = scanned(fold, x, (i) => heads[i] as boolean);
    const ends = list(n, (i) => i).filter((i) => i + 1 === n || heads[i + 1]);
    const runs = ends.map((i) => keys[i] as HostNumber);
    const results = columns(
      fold,
      "results",
      ends.map((i) => upTo[i] as readonly HostNumber[]),
    );
    return {
      given: { keys, ...columns(fold, "x", x) },
      want: { runs, ...results, count: [ends.length] },
      ...(fold.unit && { bound: { results: ends.map((i) => bound[i] as number) } }),
    };
  },
});

const histograms = (bins: number, type?: "i32" | "u32"): PrimitiveSubject => ({
  name: `histogram of ${bins} bins${type ? `, weights of ${type}` : ""}`,
  what: type ? weightedHistogram(bins, TYPES[type] as typeof u32) : histogram(bins),
  types: { x: "u32", weights: type ?? "u32", counts: "u32", sums: type ?? "u32" },
  trial: (n, random) => {
    const x = list(n, () => (random.chance(0.1) ? random.bits() : random.int(0, bins)));
    const weights = list(n, () => random.bits() | 0).map((w) => (type === "u32" ? w >>> 0 : w));
    const sums = list(bins, () => 0);
    x.forEach((bin, i) => {
      if (bin >= bins) return;
      const sum = (sums[bin] as number) + (type ? (weights[i] as number) : 1);
      sums[bin] = type === "i32" ? sum | 0 : sum >>> 0;
    });
    return type ? { given: { x, weights }, want: { sums } } : { given: { x }, want: { counts: sums } };
  },
});

export const LINE: readonly PrimitiveSubject[] = [
  ...ALL.map(compaction),
  ...SOME.map(partitions),
  ...ALL.map(uniques),
  ...(["u32", "i64", "f64", "bool"] as const).map(encodes),
  ...(["f32", "u64", "bool"] as const).map(decodes),
  offsets,
  merges,
  byKey("u32", FOLDS.addU32, "add u32", reduceByKey(u32, "add", u32)),
  byKey("i64", FOLDS.maxF64, "max f64 by i64", reduceByKey(i64, "max", f64)),
  byKey("bool", FOLDS.xorBool, "logical xor by bool", reduceByKey(bool, "logical-xor", bool)),
  byKey("f32", FOLDS.mulI64, "mul i64 by f32", reduceByKey(f32, "mul", i64)),
  byKey("u32", FOLDS.addF32, "add f32", reduceByKey(u32, "add", f32)),
  byKey("i32", FOLDS.affineU32, "affine maps, not commutative", reduceByKey(i32, affine(u32))),
  byKey("f64", FOLDS.argmaxI32, "argmax records by f64", reduceByKey(f64, argmax(i32))),
  histograms(1),
  histograms(7),
  histograms(1000),
  histograms(16, "i32"),
  histograms(300, "u32"),
];
