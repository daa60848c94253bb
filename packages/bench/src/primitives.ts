/**
 * Time per element of the composed primitives, on arrays that are made on the device and stay there. Plain loops on the host
 * check the results at every size before they are timed.
 */
import type { TargetName } from "@groupwise/cli/targets";
import type { DeviceInfo, Runtime } from "@groupwise/core";
import { type Busy, busyOn, type Clock, clockOf } from "@groupwise/core/tuning";
import { type NamedChoice, openNamed } from "./devices/named.ts";
import { type Samples, STOP_RULE, type StopRule, sample } from "./measure/samples.ts";
import { type MeasuredOn, surroundings } from "./measure/surroundings.ts";
import { PEERS, type PeerName } from "./peers/cub.ts";
import type { Peer } from "./peers/peer.ts";
import type { Job } from "./primitives/job.ts";
import { JOBS } from "./primitives/jobs.ts";
import { type PreparedJob, prepare } from "./primitives/prepare.ts";
import { STRATEGIES, type StrategyName } from "./primitives/strategies.ts";
import { isChosen } from "./print/only.ts";

/** Times are of one recording, and a run is a submission of many. */
export interface PrimitiveRow extends Samples {
  readonly primitive: string;
  readonly n: number;
  /** Recordings of a submission. */
  readonly recordings: number;
  readonly nsPerItem: number;
  /** Of the inputs, and of the valid part of the outputs. */
  readonly bytes: number;
  /** What its pipelines were lowered by. */
  readonly strategy: string;
  /** The finding of the check; absent if the result is correct. */
  readonly wrong?: string;
}

export interface PrimitiveTimes {
  readonly surroundings: MeasuredOn;
  readonly device: DeviceInfo;
  /** The clock of the times: the device's where it has one. */
  readonly clock: Clock["kind"];
  readonly stopRule: StopRule;
  /** The strategy that was asked for; absent if the device's capabilities choose. */
  readonly strategy?: StrategyName;
  readonly rows: readonly PrimitiveRow[];
  /** The first length that a primitive was not measured at, of a run with `untilMs`. */
  readonly ends?: readonly { readonly primitive: string; readonly n: number; readonly why: string }[];
  /** Other implementations on the same machine, measured after ours. */
  readonly peers?: readonly Peer[];
}

export interface PrimitiveChoice extends Omit<NamedChoice, "capabilities"> {
  /** Largest number of elements. */
  readonly n: number;
  /** Primitives whose names contain one of the words. */
  readonly only?: readonly string[];
  /** Primitives that read one of these types, as `u32`. */
  readonly types?: readonly string[];
  readonly strategy?: StrategyName;
  /** When to stop measuring; by default {@link STOP_RULE}. */
  readonly stopRule?: StopRule;
  /** Most recordings of a submission. */
  readonly recordings?: number;
  /** Sizes instead of the powers of four up to `n`. */
  readonly sizes?: readonly number[];
  /** A primitive ends at a length for which there is no memory, and after one that takes so long. */
  readonly untilMs?: number;
  readonly say?: (line: string) => void;
  /** Called after each primitive: a run that is ended keeps what it measured. */
  readonly keep?: (times: PrimitiveTimes) => void;
}

const LEAST = 10;
const STEP = 2;
const WARM_UPS = 2;
/** Items of a submission, whose own time of 30 µs (NVIDIA, Dawn) is then small beside that of the work. */
const PER_SUBMISSION = 2 ** 30;
const MOST_RECORDINGS = 128;
/** Milliseconds of the host for the recordings of a submission, and how often the time of one is taken. */
const HOST_MS = 15;
const LOOKS = 5;

/** Powers of two from 2^10 to n, and n. */
export function sizesUpTo(n: number): readonly number[] {
  const powers = Array.from({ length: 40 }, (_, i) => 2 ** (LEAST + STEP * i)).filter((size) => size < n);
  return [...powers, n];
}

/** @throws GroupwiseError the errors of compiling and running; `device-missing` */
export async function primitives(choice: PrimitiveChoice): Promise<PrimitiveTimes> {
  const { say = () => {}, keep = () => {}, strategy, untilMs } = choice;
  const ends: NonNullable<PrimitiveTimes["ends"]>[number][] = [];
  const [jobs, sizes] = [jobsOf(choice), sizesOf(choice)];
  const { runtime, close } = await openNamed({
    ...choice,
    ...(strategy && { capabilities: STRATEGIES[strategy] }),
  });
  const rows: PrimitiveRow[] = [];
  const now = (): number => performance.now();
  const [clock, busy] = [clockOf(runtime, now), await busyOn(runtime, now)];
  const times = (): PrimitiveTimes => ({
    surroundings: surroundings(),
    device: runtime.device,
    clock: clock.kind,
    stopRule: choice.stopRule ?? STOP_RULE,
    ...(strategy && { strategy }),
    rows,
    ...(ends.length > 0 && { ends }),
  });
  try {
    for (const job of jobs) {
      for (const n of sizes) {
        const end = endOf(
          rows.findLast(({ primitive }) => primitive === job.name),
          untilMs,
        );
        say(`${job.name} of ${n}`);
        const row = end ?? (await measure({ runtime, clock, busy }, job, n, choice).catch(endAt(untilMs)));
        if (typeof row === "string") {
          ends.push({ primitive: job.name, n, why: row });
          break;
        }
        rows.push(row);
        say(
          `${job.name} of ${n}: ${row.nsPerItem.toFixed(4)} ns an item${row.wrong ? `, WRONG: ${row.wrong}` : ""}`,
        );
      }
      keep(times());
    }
    return times();
  } finally {
    busy.dispose();
    runtime.dispose();
    close();
  }
}

/** Why no longer arrays are measured than those of a row. */
const endOf = (
  row: PrimitiveRow | undefined,
  untilMs: number = Number.POSITIVE_INFINITY,
): string | undefined => (row && row.medianMs > untilMs ? "it takes too long" : undefined);

/** Errors of a device, or a host, that has no memory for arrays of a length. */
const TOO_LONG: ReadonlySet<unknown> = new Set([
  "device-limit",
  "device-error",
  "too-many-items",
  "bad-length",
]);

const endAt =
  (untilMs: number | undefined) =>
  (error: { readonly code?: unknown; readonly message: string }): string => {
    if (untilMs === undefined || !(TOO_LONG.has(error.code) || error instanceof RangeError)) throw error;
    return error.message;
  };

/** Several targets and strategies. */
export interface PrimitivesChoice extends Omit<PrimitiveChoice, "target" | "strategy"> {
  readonly targets: readonly TargetName[];
  /** None: what the capabilities of each device choose. */
  readonly strategies?: readonly StrategyName[];
  readonly peers?: readonly PeerName[];
}

/**
 * A result for each target and strategy, and the peers, which are measured once after them.
 * @throws GroupwiseError as `primitives`; `unsupported` if a target's capabilities cannot be changed
 */
export async function primitivesOf(choice: PrimitivesChoice): Promise<readonly PrimitiveTimes[]> {
  const { targets, strategies = [], peers: names = [], say = () => {} } = choice;
  const results: PrimitiveTimes[] = [];
  for (const target of targets)
    for (const strategy of strategies.length > 0 ? strategies : [undefined])
      results.push(await primitives({ ...choice, target, ...(strategy && { strategy }) }));
  const sizes = sizesOf(choice).map((n) => ({ n, recordings: recordingsOf(n, choice) }));
  const { only = [], types = [] } = choice;
  const peers: Peer[] = [];
  for (const name of names) {
    say(`${name}: compiling and measuring`);
    peers.push(
      await PEERS[name]({ only: types.length > 0 ? jobsOf(choice).map((job) => job.name) : only, sizes }),
    );
  }
  return peers.length > 0 ? results.map((result) => ({ ...result, peers })) : results;
}

type Chosen = Pick<PrimitiveChoice, "only" | "types" | "sizes" | "n" | "recordings">;

const sizesOf = ({ sizes, n }: Chosen): readonly number[] => sizes ?? sizesUpTo(n);

function jobsOf({ only = [], types = [] }: Chosen): readonly Job[] {
  const isTyped = ({ inputs }: Job): boolean =>
    types.length === 0 ||
    inputs.some(({ source }) => Object.values(source.outputs).some((type) => types.includes(type as string)));
  return JOBS.filter((job) => isChosen(job.name, only) && isTyped(job));
}

/** Recordings of a submission. */
const recordingsOf = (n: number, { recordings: most = MOST_RECORDINGS }: Chosen): number =>
  Math.max(1, Math.min(most, Math.floor(PER_SUBMISSION / n)));

/** No more than the host records and queues quickly: the device would be idle meanwhile. */
async function fewerOf(recordings: number, work: PreparedJob): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < LOOKS; i++) {
    const start = performance.now();
    const done = work.record(1)();
    times.push(performance.now() - start);
    await done;
  }
  return Math.max(1, Math.min(recordings, Math.floor(HOST_MS / Math.min(...times))));
}

interface Place {
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** Queued before what the clock measures. */
  readonly busy: Busy;
}

async function measure(
  { runtime, clock, busy }: Place,
  job: Job,
  n: number,
  choice: PrimitiveChoice,
): Promise<PrimitiveRow> {
  const work = await prepare(runtime, job, n);
  try {
    await work.record(1)();
    const wrong = await work.check();
    const bytes = await work.bytes();
    const recordings = await fewerOf(recordingsOf(n, choice), work);
    const time = async (): Promise<number> =>
      (await clock.time(busy, () => work.record(recordings))) / recordings;
    await busy.warm();
    for (let i = 0; i < WARM_UPS; i++) await time();
    const samples = await sample(time, choice.stopRule);
    return {
      primitive: job.name,
      n,
      recordings,
      ...samples,
      nsPerItem: (samples.medianMs * 1e6) / n,
      bytes,
      strategy: work.strategies.join(", "),
      ...(wrong !== undefined && { wrong }),
    };
  } finally {
    work.dispose();
  }
}
