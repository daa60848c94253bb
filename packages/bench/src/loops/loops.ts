/** `npm run bench -- loops`: emitted C, JavaScript and an OpenCL device beside loops by hand, in turns. */
import type { Runtime } from "@groupwise/core";
import { type Absent, absenceOf } from "../devices/devices.ts";
import { openNamed } from "../devices/named.ts";
import { medianOf } from "../measure/samples.ts";
import { type Surroundings, surroundings } from "../measure/surroundings.ts";
import { hash } from "../primitives/job.ts";
import { dataFor, JOBS, type LoopCase, type LoopType, type Numbers, outputsFor } from "./jobs.ts";
import { BUILD_OPTIONS, type Loops, nativeLoops, THREADS } from "./native.ts";
import { deviceWay, isThreaded, nativeWays, placed, scriptWays, type Way, type WayName } from "./ways.ts";

/** Rounds before those that are measured. */
const WARM_UPS = 2;
/** Bytes before the outputs of each copy: the distance of the arrays alone can change a time by a half. */
const PLACES = [0, 320, 1344, 2880];

/** The ratio of the times of two ways, and the most that it should be. */
export const GOALS: readonly { readonly of: WayName; readonly to: WayName; readonly most?: number }[] = [
  { of: "C", to: "hand", most: 1.1 },
  { of: "C", to: "left to right" },
  { of: "C, OpenMP", to: "OpenMP", most: 1.1 },
  { of: "JavaScript", to: "plain JavaScript", most: 1.15 },
  { of: "PoCL", to: "hand", most: 1.5 },
  { of: "PoCL", to: "OpenMP" },
];

export interface LoopRow {
  readonly which: LoopCase;
  readonly type: LoopType;
  readonly n: number;
  readonly rounds: number;
  /** Median and least milliseconds of one call. */
  readonly times: Readonly<Partial<Record<WayName, { readonly medianMs: number; readonly leastMs: number }>>>;
  /** By `A / B`: the median of the ratios of the rounds. */
  readonly ratios: Readonly<Record<string, number>>;
}

export interface LoopsResult {
  readonly surroundings: Surroundings;
  readonly compiler: string;
  readonly options: readonly string[];
  readonly openmpThreads: number;
  readonly device: string | undefined;
  readonly rows: readonly LoopRow[];
  readonly absent: readonly Absent[];
}

export interface LoopsChoice {
  readonly sizes: readonly number[];
  readonly only?: readonly string[] | undefined;
  /** Part of the name of the OpenCL device. */
  readonly device: string;
  readonly compiler?: string | undefined;
  /** Rounds of each job; by default 41 to 9, fewer for more items. */
  readonly rounds?: number | undefined;
  readonly say?: (line: string) => void;
}

/** Where two results differ; undefined if nowhere. Elements past `count` are no results. */
export function differenceIn(
  got: Readonly<Record<string, Numbers>>,
  want: Readonly<Record<string, Numbers>>,
): string | undefined {
  for (const [name, wanted] of Object.entries(want)) {
    const length = name === "kept" ? (want.count?.[0] ?? 0) : wanted.length;
    const bits = (array: Numbers | undefined): Uint32Array =>
      new Uint32Array(array?.buffer ?? new ArrayBuffer(0), array?.byteOffset ?? 0, array && length);
    const [left, right] = [bits(got[name]), bits(wanted)];
    for (let i = 0; i < length; i++)
      if (left[i] !== right[i]) return `${name}[${i}] is ${got[name]?.[i]}, not ${wanted[i]}`;
  }
  return undefined;
}

/** A bound of the error of positive sums in any order, relative to another order. */
function differenceInSums(got: Numbers, want: Numbers, n: number): string | undefined {
  const at = want.findIndex((value, i) => !(Math.abs((got[i] as number) - value) <= value * n * 2 ** -23));
  return at < 0 ? undefined : `y[${at}] is ${got[at]}, not about ${want[at]}`;
}

/** Runs every way once. @throws Error where results differ: then times have no meaning */
export async function checkWays(ways: readonly Way[], what: string, n: number): Promise<void> {
  const [first, ...others] = ways;
  await first?.run();
  const want = (await first?.results()) ?? {};
  for (const way of others) {
    way.clear();
    await way.run();
    const got = await way.results();
    const wrong = way.isOther
      ? differenceInSums(got.y as Numbers, want.y as Numbers, n)
      : differenceIn(got, want);
    if (wrong !== undefined) throw new Error(`${what}: ${way.name} differs from ${first?.name}: ${wrong}`);
  }
}

/** The items in an order that differs from round to round, so that none always follows the same one. */
export function shuffled<T>(items: readonly T[], round: number): T[] {
  const mixed = items.map((item, i) => ({ item, key: hash(round * items.length + i) }));
  return mixed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Milliseconds of one of some calls. */
async function timeOf(way: Way, calls: number): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < calls; i++) {
    const running = way.run();
    if (running) await running;
  }
  return (performance.now() - started) / calls;
}

/** Milliseconds of a call, for each way and round: the least of the places, which each have the same ways. */
async function timesOf(
  places: readonly (readonly Way[])[],
  n: number,
  rounds: number,
): Promise<Map<WayName, number[]>> {
  const calls = Math.min(4, Math.max(1, Math.floor(2 ** 18 / n)));
  const times = new Map((places[0] ?? []).map(({ name }) => [name, [] as number[]]));
  for (let round = -WARM_UPS; round < rounds; round++) {
    for (const [place, ways] of places.entries()) {
      for (const way of shuffled(ways, (round + WARM_UPS) * places.length + place)) {
        // Ways have arrays of their own: each finds them in the caches as its own call leaves them.
        await timeOf(way, 1);
        const ms = await timeOf(way, calls);
        const all = times.get(way.name);
        if (round >= 0 && all) all[round] = Math.min(ms, all[round] ?? Infinity);
      }
    }
  }
  return times;
}

/** The median of the ratios of rounds. */
export const ratioOf = (of: readonly number[], to: readonly number[]): number =>
  medianOf(of.map((ms, i) => ms / (to[i] as number)).toSorted((a, b) => a - b));

function rowOf(times: ReadonlyMap<WayName, readonly number[]>): Pick<LoopRow, "times" | "ratios"> {
  const entries = [...times].map(([name, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    return [name, { medianMs: medianOf(sorted), leastMs: sorted[0] }] as const;
  });
  const ratios = GOALS.flatMap(({ of, to }) => {
    const [above, below] = [times.get(of), times.get(to)];
    return above && below ? [[`${of} / ${to}`, ratioOf(above, below)] as const] : [];
  });
  return { times: Object.fromEntries(entries), ratios: Object.fromEntries(ratios) };
}

async function deviceOf(word: string, absent: Absent[]): Promise<Runtime | undefined> {
  try {
    return (await openNamed({ target: "opencl", device: word })).runtime;
  } catch (error) {
    absent.push({ name: "PoCL", reason: absenceOf(error) });
    return undefined;
  }
}

interface Job {
  readonly which: LoopCase;
  readonly type: LoopType;
  readonly n: number;
  readonly rounds: number;
}

/** What is timed of a job together: ways that use one thread, or those beside whose threads they would wait, with the loop by hand. */
async function measured(job: Job, native: Loops, runtime: Runtime | undefined, isAlone: boolean) {
  const { which, type, n, rounds } = job;
  const given = { which, type, x: dataFor(type, n), y: outputsFor(which, type, n) };
  const device = runtime && !isAlone ? [await deviceWay(given, runtime)] : [];
  const places: Way[][] = [];
  for (const bytes of PLACES) {
    const there = { ...given, y: placed(given.y, bytes) };
    const ways = [...nativeWays(there, native), ...(isAlone ? await scriptWays(there) : [])];
    places.push([...ways.filter(({ name }) => name === "hand" || isThreaded(name) !== isAlone), ...device]);
  }
  const [first = []] = places;
  const isNeeded = first.length > 1;
  if (isNeeded) await checkWays(first, `${which} of ${n} ${type}`, n);
  const row = rowOf(isNeeded ? await timesOf(places, n, rounds) : new Map());
  for (const way of first) way.dispose();
  return row;
}

/** @throws Error where a result is wrong @throws GroupwiseError `device-missing` without a compiler */
export async function loops(choice: LoopsChoice): Promise<LoopsResult> {
  const { sizes, only = [], device: word, compiler, say = () => {} } = choice;
  const native = await nativeLoops(compiler);
  const jobs = JOBS.filter(
    ({ which, type }) => only.length === 0 || only.some((part) => `${which}-${type}`.includes(part)),
  ).flatMap((job) =>
    sizes.map((n): Job => {
      const rounds = choice.rounds ?? Math.min(41, Math.max(9, Math.floor(2 ** 25 / n)));
      return { ...job, n, rounds };
    }),
  );
  const alone: Pick<LoopRow, "times" | "ratios">[] = [];
  for (const job of jobs) {
    say(`${job.which} of ${job.n} ${job.type}, on one thread`);
    alone.push(await measured(job, native, undefined, true));
  }
  // Its threads exist from here on.
  const absent: Absent[] = [];
  const runtime = await deviceOf(word, absent);
  const rows: LoopRow[] = [];
  for (const [i, job] of jobs.entries()) {
    say(`${job.which} of ${job.n} ${job.type}, on several threads`);
    const beside = await measured(job, native, runtime, false);
    const times = { ...beside.times, ...alone[i]?.times };
    rows.push({ ...job, times, ratios: { ...alone[i]?.ratios, ...beside.ratios } });
  }
  const device = runtime && `${runtime.device.name} (${runtime.device.driver})`;
  runtime?.dispose();
  const made = { compiler: native.compiler, options: BUILD_OPTIONS, openmpThreads: THREADS };
  return { surroundings: surroundings(), ...made, device, rows, absent };
}
