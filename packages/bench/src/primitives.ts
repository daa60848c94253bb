/**
 * Time per element of the composed primitives, on arrays that stay on the device: made there, and checked on the host
 * by plain loops at every size before anything is timed.
 */
import type { DeviceArray, DeviceInfo, Runtime } from "@groupwise/core";
import type { PipelineDefinition } from "@groupwise/dsl";
import type { Prepared, Primitive, Temporaries } from "@groupwise/primitives";
import { type NamedChoice, openNamed } from "./devices/named.ts";
import { type Surroundings, surroundings } from "./measure/surroundings.ts";
import { JOBS, type Job } from "./primitives/jobs.ts";

export interface PrimitiveRow {
  readonly primitive: string;
  readonly n: number;
  /** Recordings of a submission. */
  readonly recordings: number;
  /** Of one recording: the median over submissions, and the least. */
  readonly medianMs: number;
  readonly leastMs: number;
  readonly nsPerItem: number;
  /** What the check found; absent where all is right. */
  readonly wrong?: string;
}

export interface PrimitiveTimes {
  readonly surroundings: Surroundings;
  readonly device: DeviceInfo;
  readonly rows: readonly PrimitiveRow[];
}

export interface PrimitiveChoice extends NamedChoice {
  /** Most elements. */
  readonly n: number;
  /** Words, of which a primitive's name has one. */
  readonly only?: readonly string[];
  /** Milliseconds to warm up for at least: a card that idles runs at a fraction of its clock. */
  readonly busyMs?: number;
  /** Most recordings of a submission. */
  readonly recordings?: number;
  readonly say?: (line: string) => void;
}

const LEAST = 10;
const STEP = 2;
const WARM_UPS = 2;
const BUSY_MS = 300;
const SUBMISSIONS = 5;
/** Items of a submission, so that small sizes are more than the time that a submission takes. */
const PER_SUBMISSION = 2 ** 26;
const MOST_RECORDINGS = 64;

/** Powers of two from 2^10 to n, and n. */
export function sizesUpTo(n: number): readonly number[] {
  const powers = Array.from({ length: 40 }, (_, i) => 2 ** (LEAST + STEP * i)).filter((size) => size < n);
  return [...powers, n];
}

/** @throws GroupwiseError what compiling and running throw; `device-missing` */
export async function primitives(choice: PrimitiveChoice): Promise<PrimitiveTimes> {
  const { say = () => {}, only = [] } = choice;
  const { runtime, close } = await openNamed(choice);
  const rows: PrimitiveRow[] = [];
  const jobs = JOBS.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
  try {
    for (const job of jobs) {
      for (const n of sizesUpTo(choice.n)) {
        say(`${job.name} of ${n}`);
        const row = await measure(runtime, job, n, choice);
        rows.push(row);
        say(
          `${job.name} of ${n}: ${row.nsPerItem.toFixed(4)} ns an item${row.wrong ? `, WRONG: ${row.wrong}` : ""}`,
        );
      }
    }
  } finally {
    runtime.dispose();
    close();
  }
  return { surroundings: surroundings(), device: runtime.device, rows };
}

type Arrays = Record<string, DeviceArray>;

async function measure(
  runtime: Runtime,
  job: Job,
  n: number,
  choice: PrimitiveChoice,
): Promise<PrimitiveRow> {
  const { busyMs = BUSY_MS, recordings: most = MOST_RECORDINGS } = choice;
  const arrays: Arrays = {};
  const work = await prepare(runtime, job, n, arrays);
  try {
    await make(runtime, job, n, arrays);
    await work.submit(1);
    const wrong = await job.check(n, async (name, length) => {
      const array = arrays[name] as DeviceArray;
      return (await (length === undefined ? array : array.slice(0, length)).read()) as Uint32Array;
    });
    const recordings = Math.max(1, Math.min(most, Math.floor(PER_SUBMISSION / n)));
    const times: number[] = [];
    const begun = performance.now();
    for (let i = 0; i < WARM_UPS || performance.now() - begun < busyMs; i++) await work.submit(recordings);
    for (let i = 0; i < SUBMISSIONS; i++) times.push((await work.submit(recordings)) / recordings);
    times.sort((a, b) => a - b);
    const medianMs = times[Math.floor(times.length / 2)] as number;
    return {
      primitive: job.name,
      n,
      recordings,
      medianMs,
      leastMs: times[0] as number,
      nsPerItem: (medianMs * 1e6) / n,
      ...(wrong !== undefined && { wrong }),
    };
  } finally {
    work.dispose();
    for (const array of Object.values(arrays)) array.dispose();
  }
}

/** Makes the inputs on the device. */
async function make(runtime: Runtime, job: Job, n: number, arrays: Arrays): Promise<void> {
  for (const { source, items, names = {} } of job.inputs) {
    const executable = await runtime.compile(source);
    const own = Object.fromEntries(
      Object.entries(source.outputs).map(([name, type]) => [name, runtime.array(type, items(n))]),
    );
    for (const [name, array] of Object.entries(own)) arrays[names[name] ?? name] = array;
    await runtime
      .record()
      .run(
        executable,
        { ...own, ...(Object.hasOwn(source.params, "items") && { items: n }) },
        { n: items(n) },
      )
      .submit();
    executable.dispose();
  }
}

interface Work {
  /** Milliseconds from handing over so many recordings to their end; recording them is not counted. */
  submit(recordings: number): Promise<number>;
  dispose(): void;
}

async function prepare(
  runtime: Runtime,
  { what, outputs, numbers }: Job,
  n: number,
  arrays: Arrays,
): Promise<Work> {
  for (const [name, length] of Object.entries(outputs(n))) {
    const type = (what.outputs as Readonly<Record<string, "u32">>)[name] as "u32";
    arrays[name] = runtime.array(type, length);
  }
  return "prepare" in what
    ? steps(runtime, what as unknown as Primitive, { n, numbers }, arrays)
    : onePipeline(runtime, what as unknown as PipelineDefinition, n, arrays);
}

async function timed(
  runtime: Runtime,
  record: (recorder: ReturnType<Runtime["record"]>) => void,
  count: number,
): Promise<number> {
  const recorder = runtime.record();
  for (let i = 0; i < count; i++) record(recorder);
  const started = performance.now();
  await recorder.submit();
  return performance.now() - started;
}

async function steps(
  runtime: Runtime,
  what: Primitive,
  options: { readonly n: number; readonly numbers: Job["numbers"] },
  arrays: Arrays,
): Promise<Work> {
  const prepared = (await what.prepare(runtime)) as Prepared;
  const { n, numbers } = options;
  let between: Temporaries | undefined;
  const record = (recorder: ReturnType<Runtime["record"]>): void => {
    const given = { ...numbers, n, ...(between && { between }) };
    between = prepared.record(recorder, arrays as never, given as never);
  };
  return {
    submit: (count) => timed(runtime, record, count),
    dispose: () => {
      between?.dispose();
      prepared.dispose();
    },
  };
}

async function onePipeline(
  runtime: Runtime,
  what: PipelineDefinition,
  n: number,
  arrays: Arrays,
): Promise<Work> {
  const executable = await runtime.compile(what);
  const scratch = runtime.array("u32", Math.ceil(executable.scratchBytes(n) / 4));
  return {
    submit: (count) => timed(runtime, (recorder) => recorder.run(executable, arrays, { n, scratch }), count),
    dispose: () => {
      scratch.dispose();
      executable.dispose();
    },
  };
}
