/** Compiled pipelines of runtimes with threads. */
import { GroupwiseError } from "@groupwise/ir/base/errors.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type { CompileOptions } from "@groupwise/runtime/api/runtime.js";
import type { Launch } from "@groupwise/runtime/checks/host.js";
import type { Manifest } from "@groupwise/runtime/plan/manifest.js";
import type { ArrayMemory, Call } from "@groupwise/runtime/run/array-program.js";
import type { Hosted } from "@groupwise/runtime/run/hosted.js";
import { Divided, type ThreadTarget } from "./divided.ts";
import type { WorkerPool } from "./pool.ts";

/** A pipeline that is compiled for this thread, and what threads need. */
export interface ThreadedParts {
  readonly threads: ThreadTarget;
  readonly pool: WorkerPool;
  /** Runs of fewer items are computed in this thread. */
  readonly least: number;
  readonly whole: Plan;
  readonly manifest: Manifest;
  readonly wanted: CompileOptions;
  /** The loops in this thread. */
  readonly here: Call;
  /** The memory of runs: those of this thread, and those of others. */
  readonly memory: (launch: Launch, bytes: number, isHere: boolean) => ArrayMemory | undefined;
  /** Called when nothing uses it any more. */
  readonly free: () => void;
}

/** The loops on all threads, each for a part of the range if the pipeline has parts; otherwise on one of them. This thread computes all if the others do not start. */
export async function hostedOnThreads(
  parts: ThreadedParts,
): Promise<Pick<Hosted, "plan" | "manifest" | "call" | "memory" | "free">> {
  const { threads, pool, least, whole, manifest, wanted, here, memory } = parts;
  const divided =
    pool.count === 1 || manifest.checks ? undefined : await dividedOrNot(whole, manifest, wanted, threads);
  const far = divided ?? (await wholeOn(threads, whole));
  const isHere = ({ n }: Launch): boolean => n < least;
  const onThreads: Call = async (launch, arrays) => {
    if (await pool.ready()) await far.call(launch, arrays);
    else await here(launch, arrays);
  };
  return {
    plan: whole,
    manifest,
    call: (launch, arrays) => (isHere(launch) ? here(launch, arrays) : onThreads(launch, arrays)),
    memory: (launch, bytes) => memory(launch, bytes, isHere(launch)),
    free: () => {
      far.drop();
      parts.free();
    },
  };
}

/** The loops over the whole range, on the thread with the fewest calls. */
async function wholeOn(threads: ThreadTarget, whole: Plan): Promise<Pick<Divided, "call" | "drop">> {
  const loops = await threads.loops(whole);
  return {
    call: (launch: Launch, arrays: ReadonlyMap<string, HostArray>) => loops.call(undefined, launch, arrays),
    drop: () => loops.drop(),
  };
}

/** The parts of a pipeline; undefined if it has none, or not in place. */
export async function dividedOrNot(
  whole: Plan,
  manifest: Manifest,
  wanted: CompileOptions,
  threads: ThreadTarget,
): Promise<Divided | undefined> {
  try {
    return await Divided.of(whole, manifest, wanted, threads);
  } catch (error) {
    if (error instanceof GroupwiseError && REFUSALS.includes(error.code)) return undefined;
    throw error;
  }
}

const REFUSALS: readonly string[] = ["not-carried", "in-place-refused", "unsupported"];
