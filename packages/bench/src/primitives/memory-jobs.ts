/** Primitives that are not timed, of which the table of memory has the scratch. */
import { f32, u8, u32 } from "@groupwise/dsl";
import {
  argsort,
  axisSort,
  lexSort,
  merge,
  partialSort,
  reduceByIndex,
  runLengthDecode,
  setDifference,
  setIntersection,
  setSymmetricDifference,
  setUnion,
} from "@groupwise/primitives";
import { ROW, rowsOf } from "./job.ts";

/** What scratch depends on. */
export interface Sized {
  readonly name: string;
  readonly what: unknown;
  /** Elements of each input. */
  sizes(n: number): Readonly<Record<string, number>>;
  readonly numbers?: (n: number) => Readonly<Record<string, number>>;
}

/** Two sorted arrays of n items in all. */
const both = (name: string, what: unknown): Sized => ({ name, what, sizes: (n) => ({ a: n / 2, b: n / 2 }) });
const [LENGTH, GROUPS, K] = [100, 256, 100];

export const MEMORY_JOBS: readonly Sized[] = [
  { name: "argsort", what: argsort(u32), sizes: (n) => ({ keys: n }) },
  {
    name: "sort by two keys, f32 and u8",
    what: lexSort({ first: f32, second: u8 }),
    sizes: (n) => ({ first: n, second: n }),
  },
  {
    name: `partial sort, the first ${K}`,
    what: partialSort(u32),
    sizes: (n) => ({ keys: n }),
    numbers: () => ({ k: K }),
  },
  {
    name: `sort of rows of ${LENGTH}`,
    what: axisSort(u32),
    sizes: (n) => ({ keys: n - (n % LENGTH) }),
    numbers: () => ({ length: LENGTH }),
  },
  {
    name: `reduce by index, add u32 in ${GROUPS} groups`,
    what: reduceByIndex("add", u32),
    sizes: (n) => ({ x: n, keys: n }),
    numbers: () => ({ groups: GROUPS }),
  },
  {
    name: `reduce by index, add f32 in ${GROUPS} groups`,
    what: reduceByIndex("add", f32),
    sizes: (n) => ({ x: n, keys: n }),
    numbers: () => ({ groups: GROUPS }),
  },
  {
    name: `run-length decode of runs of ${ROW}`,
    what: runLengthDecode(u32),
    sizes: (n) => ({ runs: rowsOf(n), lengths: rowsOf(n) }),
    numbers: (n) => ({ capacity: n }),
  },
  both("merge", merge(u32)),
  both("set union", setUnion(u32)),
  both("set intersection", setIntersection(u32)),
  both("set difference", setDifference(u32)),
  both("set symmetric difference", setSymmetricDifference(u32)),
];
