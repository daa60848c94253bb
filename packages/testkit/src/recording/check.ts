/** Helpers for tests of recorders: comparison with the reference, and memory that holds other values before. */
import {
  check,
  type DeviceArray,
  type HostArray,
  type PipelineSource,
  type Runtime,
  type RunValues,
} from "@groupwise/core";
import { pipelineOf } from "@groupwise/core/target";
import { difference } from "../data/arrays.ts";
import { expected } from "../data/oracle.ts";

/** Tests by name, each on a runtime that the device has. */
export type RuntimeTests = Readonly<Record<string, (runtime: Runtime) => Promise<void>>>;

/** The content of arrays before a step. */
export const GARBAGE = 0xdeadbeef;

/** An array that holds {@link GARBAGE}. */
export const garbage = (runtime: Runtime, length: number): DeviceArray<"u32"> =>
  runtime.array("u32", new Uint32Array(length).fill(GARBAGE));

/** Indexes at which arrays differ from those of the reference, which may be shorter. */
export async function wrong(
  source: PipelineSource,
  values: RunValues,
  n: number,
  out: Readonly<Record<string, DeviceArray>>,
): Promise<string[]> {
  const checked = check(pipelineOf(source));
  const want = expected(checked, values, { n });
  const found: string[] = [];
  for (const [name, array] of Object.entries(out)) {
    const got = (await array.read()).subarray(0, want[name]?.length) as HostArray;
    const text = difference(array.type, got, want[name] as HostArray)?.text;
    if (text !== undefined) found.push(`${checked.pipeline.name} of ${n}: ${name}${text}`);
  }
  return found;
}
