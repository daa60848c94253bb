/** Trials on a runtime: arrays on the device, and as many runs in one recording as a clock can measure. */

import type { Checked } from "@groupwise/ir/document/check.js";
import { type HostArray, SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import type { DeviceArray } from "../api/device-array.ts";
import type { Executable, Recorder, Runtime } from "../api/runtime.ts";
import type { Busy } from "./busy.ts";
import type { Clock } from "./clock.ts";
import type { SizeTrial } from "./contest.ts";
import { dataOf, differenceOf, expectedOf } from "./pipelines.ts";

/** Items of the check: several tiles of any size, and an incomplete one. */
const CHECKED_ITEMS = 70_001;
/** Elements at the end of an output that are compared with those of the default sizes. */
const COMPARED = 1024;
/** Milliseconds of the work of one measurement, for clocks that tick slowly. */
const WORK_MS = 10;
/** Milliseconds of the host for recording and queueing runs: with more, the device would be idle meanwhile. */
const HOST_MS = 10;
const MOST_RUNS = 1024;

export interface TrialsOptions {
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
export class Trials {
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
