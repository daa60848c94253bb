/** The time of opening a device, in the process that opens it. */
import type { Capabilities, ProbeReport, Runtime } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { stopwatch, type Took } from "./took.ts";

const FIRST = pipeline("first", { x: f32, y: f32 }, ({ x, y }) => ({ z: x.mul(y).add(x).div(y) }));
const ONE = Float32Array.of(1);

/** Opens a device; with what an earlier probe of it showed, it is not probed again. */
export type Open = (options: { readonly probed?: ProbeReport }) => Promise<Runtime>;

/** A device that was opened. */
export interface Opened {
  readonly runtime: Runtime;
  /** Until a first pipeline has run. */
  readonly took: Took;
  /** What the device was asked for it, as commands keep it; absent where nothing is probed. */
  readonly probed?: ProbeReport;
  /** Those of the runtime before any test of the device. */
  readonly untested: Capabilities;
}

/** @param kept what {@link Opened.probed} of an earlier process was */
export async function openedFor(open: Open, kept?: ProbeReport): Promise<Opened> {
  const took = stopwatch();
  const runtime = await open({ ...(kept && { probed: kept }) });
  const untested = runtime.capabilities;
  const executable = await runtime.compile(FIRST);
  await executable.run({ x: ONE, y: ONE });
  const opening = took();
  executable.dispose();
  const probed = await runtime.probed?.();
  return { runtime, took: opening, untested, ...(probed && { probed }) };
}
