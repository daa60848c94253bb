/** Scans of each row of an array of two dimensions: short rows, rows that no power of two divides, and rows longer than a tile. */
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { axisScan } from "@groupwise/primitives";
import { hash, hashed, type Job, type Made, options, wrongOf } from "./job.ts";

const LENGTHS = [8, 100, 10_000];
/** Items from 0 to 7, whose sums are exact in f32. */
const SOURCES = {
  u32: { what: axisScan("add", u32), at: (bits: ReturnType<typeof hashed>) => bits },
  f32: { what: axisScan("add", f32), at: (bits: ReturnType<typeof hashed>) => bits.toF32() },
} as const;

function job(type: keyof typeof SOURCES, length: number): Job {
  const { what, at } = SOURCES[type];
  const source = pipeline(
    `make-${type}-items`,
    {},
    (_, { index }) => ({ x: at(hashed(index()).and(7)) }),
    options,
  ) as Made;
  const full = (n: number): number => n - (n % length);
  return {
    name: `scan ${type} of rows of ${length}`,
    what: what as unknown as Job["what"],
    inputs: [{ source, items: full }],
    numbers: (n) => ({ n: full(n), length }),
    outputs: (n) => ({ sums: full(n) }),
    check: async (n, read) => {
      let sum = 0;
      return wrongOf("sums", await read("sums"), full(n), (i) => {
        sum = (i % length === 0 ? 0 : sum) + (hash(i) & 7);
        return sum;
      });
    },
  };
}

export const ROW_JOBS: readonly Job[] = (["u32", "f32"] as const).flatMap((type) =>
  LENGTHS.map((length) => job(type, length)),
);
