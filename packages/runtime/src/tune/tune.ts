/** Measures sizes of tiles on a device. */

import { errorOf, GroupwiseError } from "@groupwise/ir/base/errors.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import type { Runtime } from "../api/runtime.ts";
import { GENERATOR, plan, type Target } from "../api/target.ts";
import {
  TUNED_KINDS,
  TUNING_FORMAT,
  TUNING_VERSION,
  type TunedDevice,
  type TunedKind,
  type Tuning,
} from "../tuning/tuning.ts";
import { type Busy, busyOn } from "./busy.ts";
import { candidatesOf, refinementsOf } from "./candidates.ts";
import { type Clock, clockOf } from "./clock.ts";
import { decide, type Verdict } from "./contest.ts";
import { sumsOf } from "./pipelines.ts";
import { Trials } from "./trials.ts";

/** Options of tuning; all but the clock are optional. */
export interface TuneOptions {
  /** Kinds of pipelines that are measured; default: scan, reduce. */
  readonly kinds?: readonly TunedKind[];
  /** Types of the sums that are measured; default: u32, f32, i64. */
  readonly types?: readonly Scalar[];
  /** Numbers of items that are measured, in any order; default: 2^16, 2^20, 2^24. */
  readonly sizes?: readonly number[];
  /**
   * Seconds that tuning takes, compiling and checking included; default: 60. Each kind, type and number of items has an equal share of what is left
   * when its turn comes. What a device does is not interrupted, so that the last step may end later.
   */
  readonly seconds?: number;
  /** Is called with a line about what is measured next. */
  readonly say?: (line: string) => void;
  /** Milliseconds of a clock of the host: `() => performance.now()`. */
  readonly now: () => number;
}

/** What sizes are measured for. */
export interface MeasuredSize {
  readonly kind: TunedKind;
  readonly type: Scalar;
  readonly n: number;
}

/** What the device does not support. */
export interface SkippedSize extends MeasuredSize {
  readonly reason: string;
}

/** The result for one kind, type and number of items. */
export interface TunedSize extends MeasuredSize, Verdict {}

/** The result of tuning: the tuning, and what was found for each size. */
export interface TuneReport {
  readonly tuning: Tuning;
  readonly clock: Clock["kind"];
  readonly sizes: readonly TunedSize[];
  readonly skipped: readonly SkippedSize[];
  /** Those for which there was no time: the tuning has no rows for them, so that their sizes are the default ones. */
  readonly leftOut: readonly MeasuredSize[];
}

/** Errors because of which a type or a number of items is skipped. */
const REFUSALS: readonly string[] = ["unsupported", "work-group-too-large", "device-limit"];

const DEFAULT_TYPES: readonly Scalar[] = ["u32", "f32", "i64"];
const DEFAULT_SIZES: readonly number[] = [2 ** 16, 2 ** 20, 2 ** 24];
const DEFAULT_SECONDS = 60;
const MS = 1000;

/** The numbers of items from which the rows of ascending sizes apply: 0, then the geometric means of neighbours. */
export const bordersOf = (sizes: readonly number[]): number[] =>
  sizes.map((n, i) => (i === 0 ? 0 : Math.round(Math.sqrt(n * (sizes[i - 1] as number)))));

/**
 * Measures sums of each kind and type at each number of items with other sizes of tiles, and compares them with the default sizes. Results
 * are compared with the reference before anything is timed.
 * @param runtime without a tuning
 * @param target the target of the runtime
 * @throws GroupwiseError `unsupported` if the device has no tiles; what compiling and running throw
 * @example
 * ```ts
 * import { printTuning, tune } from "@groupwise/core/tuning";
 * import { wgsl } from "@groupwise/target-wgsl";
 * import { nodeDevice } from "@groupwise/target-wgsl/node";
 * import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
 *
 * const runtime = webgpuRuntime(await nodeDevice());
 * const { tuning } = await tune(runtime, wgsl, { seconds: 30, now: () => performance.now() });
 * console.log(printTuning(tuning));
 * ```
 */
export async function tune(runtime: Runtime, target: Target, options: TuneOptions): Promise<TuneReport> {
  const {
    kinds = TUNED_KINDS,
    types = DEFAULT_TYPES,
    say = () => {},
    seconds = DEFAULT_SECONDS,
    now,
  } = options;
  const sizes = [...new Set(options.sizes ?? DEFAULT_SIZES)].toSorted((a, b) => a - b);
  if (runtime.capabilities.execution !== "simt")
    throw errorOf("unsupported", { what: "tuning", reason: "the implementation has no work-groups" });
  const end = now() + seconds * MS;
  const clock = clockOf(runtime, now);
  const busy = await busyOn(runtime, now);
  const jobs = kinds.flatMap((kind) => types.flatMap((type) => sizes.map((n) => ({ kind, type, n }))));
  const found: TunedSize[] = [];
  const skipped: SkippedSize[] = [];
  const leftOut: MeasuredSize[] = [];
  try {
    for (const [i, job] of jobs.entries()) {
      const leftMs = end - now();
      if (leftMs <= 0) {
        leftOut.push(job);
        continue;
      }
      say(`${job.kind} of ${job.n} ${job.type} (${i + 1} of ${jobs.length})`);
      try {
        const until = end - leftMs + leftMs / (jobs.length - i);
        const verdict = await tuneSize({ runtime, target, clock, busy, now, until, end }, job);
        if (verdict) found.push({ ...job, ...verdict });
        else leftOut.push(job);
      } catch (error) {
        if (!(error instanceof GroupwiseError) || !REFUSALS.includes(error.code)) throw error;
        skipped.push({ ...job, reason: error.what });
      }
    }
  } finally {
    busy.dispose();
  }
  const tuning = tuningOf(runtime, found, sizes, clock.kind);
  return { tuning, clock: clock.kind, sizes: found, skipped, leftOut };
}

interface Bench {
  readonly runtime: Runtime;
  readonly target: Target;
  readonly clock: Clock;
  readonly busy: Busy;
  readonly now: () => number;
  /** When this size, and when all of them, should be done. */
  readonly until: number;
  readonly end: number;
}

async function tuneSize(bench: Bench, { kind, type, n }: MeasuredSize): Promise<Verdict | undefined> {
  const { runtime, target, clock, busy, now, until, end } = bench;
  const checked = sumsOf(kind, type);
  const outputs = kind === "reduce" ? 1 : n;
  // The first compilation finds out whether the device's subgroups can be used, which capabilities then show.
  (await runtime.compile(checked.pipeline)).dispose();
  const { capabilities } = runtime;
  const trials = new Trials({ runtime, checked, type, n, outputs, clock, busy, now });
  try {
    return await decide({
      device: runtime.device.name,
      candidates: candidatesOf(capabilities, kind),
      refine: refinementsOf,
      prepare: (tiles) => trials.prepare(tiles),
      keyOf: (tiles) => kernelsOf(checked, target, capabilities, tiles),
      now,
      until,
      end,
    });
  } finally {
    trials.dispose();
  }
}

/** The kernels as a text; a number of its own for sizes that cannot be lowered, so that compiling reports why. */
function kernelsOf(checked: Checked, target: Target, capabilities: Capabilities, tiles?: Tiles): string {
  try {
    const { module } = plan(checked.pipeline, target, { capabilities, ...(tiles && { tiles }) });
    return JSON.stringify(module, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
  } catch {
    return `refused: ${JSON.stringify(tiles)}`;
  }
}

/** The device of a tuning. */
function deviceOf({ device, capabilities }: Runtime): TunedDevice {
  const { maxWorkGroupSize, workGroupMemory, subgroups, lookBack } = capabilities;
  return {
    target: device.target,
    hardware: device.hardware ?? "",
    driver: device.driver,
    maxWorkGroupSize,
    workGroupMemory,
    ...(!("unsupported" in subgroups) && { subgroups }),
    lookBack: !("unsupported" in lookBack),
  };
}

function tuningOf(
  runtime: Runtime,
  found: readonly TunedSize[],
  sizes: readonly number[],
  clock: Clock["kind"],
): Tuning {
  const borders = bordersOf(sizes);
  return {
    format: TUNING_FORMAT,
    version: TUNING_VERSION,
    generator: GENERATOR,
    device: deviceOf(runtime),
    rows: found.map(({ kind, type, n, tiles, default: usual, best }) => {
      const at = sizes.indexOf(n);
      const spread = Math.max(usual.spread, best.spread);
      return {
        kind,
        type,
        from: borders[at] as number,
        below: borders[at + 1] ?? null,
        ...(tiles && { tiles }),
        measured: { n, defaultMs: usual.medianMs, bestMs: best.medianMs, spread, clock },
      };
    }),
  };
}
