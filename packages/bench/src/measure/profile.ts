/** The time of the primitives by command: each dispatch, clear and copy, by the device's clock. */
import type { DeviceInfo } from "@groupwise/core";
import { busyOn } from "@groupwise/core/tuning";
import { type WebGpuOptions, webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { findDawn } from "@groupwise/testkit/devices";
import { JOBS } from "../primitives/jobs.ts";
import { prepare } from "../primitives/prepare.ts";
import { isChosen } from "../print/only.ts";
import { medianOf } from "./samples.ts";
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
  /** The form in which the device converts emulated halves, as far as pipelines with halves were run. */
  readonly halfConversions: string;
  readonly rows: readonly ProfileRow[];
}

export interface ProfileChoice {
  readonly n: number;
  readonly adapter: string;
  /** Words, of which a primitive's name has one. */
  readonly only?: readonly string[];
  /** Whether each is also measured with halves that are converted by integer operations. */
  readonly integerHalves?: boolean;
}

/** Names of runtimes, and their options. */
const runtimesFor = (
  integerHalves: boolean,
): readonly (readonly [what: string, options: WebGpuOptions])[] => [
  ["", {}],
  ...(integerHalves ? [[", halves by integers", { halfConversions: false }] as const] : []),
];

const RECORDINGS = 7;

/** @throws Error if the device is missing, has no clock, or a result is wrong */
export async function profile(choice: ProfileChoice): Promise<Profile> {
  const { n, adapter, only = [], integerHalves = false } = choice;
  const found = await findDawn({ adapter, disable: ["timestamp_quantization"] });
  if (!found.found) throw new Error(found.reason);
  const stamps = stampsOf(found.value.device);
  const runtimes = runtimesFor(integerHalves).map(
    ([what, options]) =>
      [what, webgpuRuntime(found.value.device, { waitFor: "fastest", ...options })] as const,
  );
  const [, runtime] = runtimes[0] as (typeof runtimes)[number];
  const busy = await busyOn(runtime, () => performance.now());
  const rows: ProfileRow[] = [];
  const chosen = JOBS.filter(({ name }) => isChosen(name, only));
  const jobs = chosen.flatMap((job) => runtimes.map(([how, on]) => ({ job, how, runtime: on })));
  for (const { job, how, runtime } of jobs) {
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
        return { primitive: job.name + how, n, what, least, median };
      }),
    );
    work.dispose();
  }
  const { device, capabilities } = runtime;
  const halfConversions = capabilities.halfConversions ?? "none";
  for (const [, one] of runtimes) one.dispose();
  busy.dispose();
  return { surroundings: surroundings(), device, recordings: RECORDINGS, halfConversions, rows };
}
