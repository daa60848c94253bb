/** Scatters whose slots count items: a chunk returns the elements that its items write. */
import type { HostArray, Runtime } from "@groupwise/core";
import { stepper, stream } from "@groupwise/core/state";
import { expect } from "vitest";
import { inputsOf, PICKED, requireLoops, valuesOf, WIDE } from "./compactions.ts";

/** Lengths of chunks: none, one, an odd number, a power of two from an odd position. */
const LENGTHS = [0, 1, 6, 1, 256, 0, 333];

/** The elements of all chunks in a row are those of the whole range and of plain loops, and a chunk without elements has empty arrays. */
export async function compareScatters(runtime: Runtime, n: number = 1500): Promise<void> {
  const values = valuesOf(n, "some");
  const ends = LENGTHS.map((_, i) => LENGTHS.slice(0, i + 1).reduce((a, b) => a + b, 0));
  for (const { ir } of [PICKED, WIDE]) {
    const executable = await runtime.compile(ir);
    const whole = await executable.run(inputsOf(ir, values));
    executable.dispose();
    requireLoops(whole, values);
    const got: Record<string, unknown[]> = {};
    const chunks = [...ends, n].map((to, i) => inputsOf(ir, values, ends[i - 1] ?? 0, to));
    for await (const { outputs } of stream(runtime, ir, chunks))
      for (const [name, array] of Object.entries(outputs))
        got[name] = [...(whole[name]?.length === 1 ? [] : (got[name] ?? [])), ...(array as HostArray)];
    expect(got).toEqual(Object.fromEntries(Object.entries(whole).map(([name, array]) => [name, [...array]])));
  }
}

/** A part side by side with others has a state, and continues from the states before it. */
export async function compareScatteredParts(runtime: Runtime): Promise<void> {
  const n = 700;
  const values = valuesOf(n, "some");
  const steps = await stepper(runtime, PICKED.ir);
  const picked = (from: number, to: number) => inputsOf(PICKED.ir, values, from, to);
  const whole = await steps.step(picked(0, n));
  const state = await steps.stateOf(picked(0, 301), { from: 0n });
  const { outputs } = await steps.step(picked(301, n), { state });
  const before = values.keep.subarray(0, 301).filter(Boolean).length;
  for (const name of ["places", "sums"]) expect(outputs[name]).toEqual(whole.outputs[name]?.slice(before));
  steps.dispose();
}
