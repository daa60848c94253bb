/** The time of opening a device, by the clock of the process that opens it. */
import type { Capabilities, ProbeReport, Runtime } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";

/** Milliseconds until the device is open, and from then on until a first pipeline has run, with the tests of the device. */
export interface OpeningTime {
  readonly open: number;
  readonly first: number;
}

/** Of one process: its first opening, and another one after it. */
export interface Openings {
  readonly cold: OpeningTime;
  readonly again: OpeningTime;
}

const FIRST = pipeline("first", { x: f32, y: f32 }, ({ x, y }) => ({ z: x.mul(y).add(x).div(y) }));
const ONE = Float32Array.of(1);

/** Opens a device; with what an earlier probe of it showed, it is not probed again. */
export type Open = (options: { readonly probed?: ProbeReport }) => Promise<Runtime>;

async function timed(open: Open, probed?: ProbeReport) {
  const began = performance.now();
  const runtime = await open({ ...(probed && { probed }) });
  const there = performance.now();
  const untested = runtime.capabilities;
  const report = await runtime.probe?.();
  const executable = await runtime.compile(FIRST);
  await executable.run({ x: ONE, y: ONE });
  executable.dispose();
  const rounded = (ms: number): number => Math.round(10 * ms) / 10;
  const opening = { open: rounded(there - began), first: rounded(performance.now() - there) };
  return { runtime, untested, opening, report };
}

/** A device that was opened twice. */
export interface Opened {
  /** The second one. */
  readonly runtime: Runtime;
  readonly openings: Openings;
  /** Those of the runtime before any test of the device. */
  readonly untested: Capabilities;
}

export async function openedTwice(open: Open): Promise<Opened> {
  const cold = await timed(open);
  cold.runtime.dispose();
  const { opening: again, runtime, untested } = await timed(open, cold.report);
  return { runtime, untested, openings: { cold: cold.opening, again } };
}
