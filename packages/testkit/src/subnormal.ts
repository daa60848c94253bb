/** Subnormal numbers are kept where the device keeps them; whether it does is found out by running. */
import { f32, pipeline } from "@groupwise/dsl";
import { toArray } from "./arrays.ts";
import { expected } from "./oracle.ts";
import { NotSupportedError, type Subject } from "./subject.ts";

export interface FlushFinding {
  readonly flushes: boolean;
  /** What was seen, for people. */
  readonly note: string;
}

const PROBE = pipeline(
  "subnormal-probe",
  { x: f32, y: f32 },
  ({ x, y }) => ({
    add: x.add(y),
    mul: x.mul(y),
    min: x.min(y),
    sum: x.scanInclusive("add"),
    product: y.scanInclusive("mul"),
  }),
  { workGroupSize: 64, places: false },
);

const tiny = 2 ** -140;
const VALUES = {
  x: toArray("f32", [tiny, -tiny, 3 * tiny, 2 ** -100, 2 ** -126]),
  y: toArray("f32", [tiny, 1, tiny, 2 ** -30, -(2 ** -127)]),
};

/** Runs sums, products and minima whose operands or results are subnormal. */
export async function probeFlush(subject: Subject): Promise<FlushFinding> {
  try {
    const { checked, run } = await subject.compile(PROBE);
    const want = expected(checked, VALUES);
    const got = await run(VALUES);
    const flushing = Object.keys(want).filter((name) => {
      const [a, b] = [got[name] as Float32Array, want[name] as Float32Array];
      return a.some((x, i) => x === 0 && b[i] !== 0);
    });
    const flushes = flushing.length > 0;
    return { flushes, note: flushes ? `flushes subnormal numbers in ${flushing.join(", ")}` : "keeps them" };
  } catch (error) {
    if (error instanceof NotSupportedError) return { flushes: false, note: error.message };
    throw error;
  }
}
