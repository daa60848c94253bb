/** Measures sizes of tiles on a device. */

import {
  FUNCTION,
  LIST,
  NUMBER,
  optionsOf,
  requireArgument,
  required,
  TEXTS,
  type Wanted,
} from "@groupwise/ir/base/arguments.js";
import { errorOf, GroupwiseError } from "@groupwise/ir/base/errors.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { type HostArray, SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import type { DeviceArray } from "../api/device-array.ts";
import type { Executable, Recorder, Runtime } from "../api/runtime.ts";
import { GENERATOR, plan, TARGET, type Target } from "../api/target.ts";
import { ONE_RUNTIME } from "../checks/arguments.ts";
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
import { decide, type SizeTrial, type Verdict } from "./contest.ts";
import { dataOf, differenceOf, expectedOf, sumsOf } from "./pipelines.ts";

// Trials on a runtime: arrays on the device, and as many runs in one recording as a clock can measure.
/** Items of the check: several tiles of any size, and an incomplete one. */
const CHECKED_ITEMS = 70_001;
/** Elements at the end of an output that are compared with those of the default sizes. */
const COMPARED = 1024;
/** Milliseconds of the work of one measurement, for clocks that tick slowly. */
const WORK_MS = 10;
/** Milliseconds of the host for recording and queueing runs: with more, the device would be idle meanwhile. */
const HOST_MS = 10;
const MOST_RUNS = 1024;

interface TrialsOptions {
  readonly runtime: Runtime;
  readonly checked: Checked;
  readonly type: Scalar;
  readonly n: number;
  /** Elements of the output. */
  readonly outputs: number;
  readonly clock: Clock;
  readonly busy: Busy;
  readonly now: () => number;
}

/** What the trials of one contest share. */
class Trials {
  private readonly options: TrialsOptions;
  private readonly x: DeviceArray;
  private readonly y: DeviceArray;
  private readonly some: { readonly x: DeviceArray; readonly y: DeviceArray };
  private readonly want: HostArray;
  /** The end of the output with the default sizes. */
  private end: HostArray | undefined;
  /** Runs of a recording; 0 until the default sizes were measured. */
  private runs = 0;

  constructor(options: TrialsOptions) {
    const { runtime, checked, type, n, outputs } = options;
    this.options = options;
    const data = dataOf(type, CHECKED_ITEMS);
    this.want = expectedOf(checked, type, data);
    this.some = { x: runtime.array(type, data as never), y: runtime.array(type, this.want.length) };
    this.x = runtime.array(type, dataOf(type, n) as never);
    this.y = runtime.array(type, outputs);
  }

  /** Compiles sizes; without an argument the default ones, which must be the first. */
  async prepare(tiles?: Tiles): Promise<SizeTrial> {
    const { runtime, checked, n } = this.options;
    const executable = await runtime.compile(checked.pipeline, tiles ? { tiles } : { waitFor: "fastest" });
    const bytes = executable.scratchBytes(n);
    const scratch = runtime.array("u32", Math.max(1, Math.ceil(bytes / 4)));
    const record = (runs: number): Recorder => {
      const recorder = runtime.record();
      for (let i = 0; i < runs; i++)
        recorder.run(executable, { x: this.x, y: this.y } as never, { n, scratch });
      return recorder;
    };
    return {
      check: () => this.check(executable, record),
      measure: () => this.measure(record),
      dispose: () => {
        scratch.dispose();
        executable.dispose();
      },
    };
  }

  dispose(): void {
    for (const array of [this.x, this.y, this.some.x, this.some.y]) array.dispose();
  }

  private async check(
    executable: Executable,
    record: (runs: number) => Recorder,
  ): Promise<string | undefined> {
    const { runtime, type, n, outputs } = this.options;
    // The last sizes left their results there.
    this.some.y.write(remnantsOf(type, this.want.length) as never);
    const recorder = runtime.record();
    await recorder.run(executable, this.some as never, { n: CHECKED_ITEMS }).submit();
    const wrong = differenceOf((await this.some.y.read()) as HostArray, this.want);
    if (wrong !== undefined) return wrong;
    const compared = Math.min(COMPARED, outputs);
    const last = this.y.slice(outputs - compared);
    last.write(remnantsOf(type, compared) as never);
    await record(1).submit();
    const end = (await last.read()) as HostArray;
    this.end ??= end;
    const differs = differenceOf(end, this.end);
    // Compiling leaves the device idle.
    await this.options.busy.warm();
    return differs === undefined ? undefined : `at the end of ${n} items ${differs}`;
  }

  private async measure(record: (runs: number) => Recorder): Promise<number> {
    const { clock, busy, now } = this.options;
    let hostMs = 0;
    const timed = <T>(act: () => T): T => {
      const start = now();
      const made = act();
      hostMs += now() - start;
      return made;
    };
    const time = (runs: number): Promise<number> => {
      hostMs = 0;
      return clock.time(busy, () => {
        const recorder = timed(() => record(runs));
        return () => timed(() => recorder.submit());
      });
    };
    for (let runs = 1; this.runs === 0; runs *= 2)
      if (runs >= MOST_RUNS || (await time(runs)) >= WORK_MS || hostMs >= HOST_MS) this.runs = runs;
    return (await time(this.runs)) / this.runs;
  }
}

/** Elements that no sum has. */
function remnantsOf(type: Scalar, length: number): HostArray {
  const made = new SCALARS[type].array(length);
  new Uint8Array(made.buffer).fill(0x5a);
  return made;
}

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
const bordersOf = (sizes: readonly number[]): number[] =>
  sizes.map((n, i) => (i === 0 ? 0 : Math.round(Math.sqrt(n * (sizes[i - 1] as number)))));

const OPTIONS: { readonly [K in keyof Required<TuneOptions>]: Wanted } = {
  kinds: LIST,
  types: TEXTS,
  sizes: LIST,
  seconds: NUMBER,
  say: FUNCTION,
  now: /*@__PURE__*/ required(FUNCTION),
};

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
  requireArgument(runtime, ONE_RUNTIME, "the runtime");
  requireArgument(target, TARGET, "the target");
  const {
    kinds = TUNED_KINDS,
    types = DEFAULT_TYPES,
    sizes: asked = DEFAULT_SIZES,
    say = () => {},
    seconds = DEFAULT_SECONDS,
    now,
  } = optionsOf(options, OPTIONS, "the options of tune") as unknown as TuneOptions;
  const sizes = [...new Set(asked)].toSorted((a, b) => a - b);
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
