/** The time of the primitives by command: each dispatch, clear and copy, by the device's clock. */
import type { DeviceInfo } from "@groupwise/core";
import { busyOn } from "@groupwise/core/tuning";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { findDawn } from "@groupwise/testkit/devices";
import { JOBS } from "../primitives/jobs.ts";
import { prepare } from "../primitives/prepare.ts";
import { isChosen } from "../print/only.ts";
import { medianOf } from "./median.ts";
import { type Stamp, stampsOf } from "./stamps.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";

export interface ProfileRow {
  readonly primitive: string;
  readonly n: number;
  /** The command, in the order of the recording. */
  readonly what: string;
  /** Microseconds: the least and the median over recordings. */
  readonly least: number;
  readonly median: number;
}

export interface Profile {
  readonly surroundings: Surroundings;
  readonly device: DeviceInfo;
  readonly recordings: number;
  readonly rows: readonly ProfileRow[];
}

export interface ProfileChoice {
  readonly n: number;
  readonly adapter: string;
  /** Words, of which a primitive's name has one. */
  readonly only?: readonly string[];
}

const RECORDINGS = 7;

/** @throws Error if the device is missing, has no clock, or a result is wrong */
export async function profile({ n, adapter, only = [] }: ProfileChoice): Promise<Profile> {
  const found = await findDawn({ adapter, disable: ["timestamp_quantization"] });
  if (!found.found) throw new Error(found.reason);
  const stamps = stampsOf(found.value.device);
  const runtime = webgpuRuntime(found.value.device, { waitFor: "fastest" });
  const busy = await busyOn(runtime, () => performance.now());
  const rows: ProfileRow[] = [];
  for (const job of JOBS.filter(({ name }) => isChosen(name, only))) {
    const work = await prepare(runtime, job, n);
    await work.record(1)();
    const wrong = await work.check();
    if (wrong !== undefined) throw new Error(`${job.name} of ${n}: ${wrong}`);
    await busy.warm();
    const runs: (readonly Stamp[])[] = [];
    for (let i = 0; i < RECORDINGS; i++) {
      const before = busy.submit();
      runs.push(await stamps(() => work.record(1)()));
      await before;
    }
    rows.push(
      ...(runs[0] ?? []).map(({ what }, i) => {
        const times = runs.map((run) => run[i]?.microseconds ?? Number.NaN).sort((a, b) => a - b);
        const [least = Number.NaN] = times;
        const median = medianOf(times);
        return { primitive: job.name, n, what, least, median };
      }),
    );
    work.dispose();
  }
  const { device } = runtime;
  runtime.dispose();
  busy.dispose();
  return { surroundings: surroundings(), device, recordings: RECORDINGS, rows };
}
