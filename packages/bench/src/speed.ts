/** A basic measure of speed: whole runs of sums on every device, compared with a plain copy. */
import type { DeviceInfo, Runtime, Scalar } from "@groupwise/core";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { dataKind, dataOf, Subject } from "@groupwise/testkit";
import { type Absent, absenceOf, candidates } from "./devices/devices.ts";
import { type Surroundings, surroundings } from "./measure/surroundings.ts";
import { isChosenInAnyCase } from "./print/only.ts";

export interface SpeedRow {
  readonly device: DeviceInfo;
  readonly pipeline: string;
  readonly n: number;
  readonly medianMs: number;
  readonly leastMs: number;
  /** Median time divided by that of a copy of the same number of elements on the device. */
  readonly againstCopy: number;
}

export interface Speed {
  readonly surroundings: Surroundings;
  readonly warmUps: number;
  readonly runs: number;
  readonly rows: readonly SpeedRow[];
  readonly absent: readonly Absent[];
}

const WARM_UPS = 3;
const RUNS = 9;
const options = { places: false } as const;

// The copy comes first: the others are compared with it.
const MEASURED = [
  { type: "u32", source: pipeline("copy-u32", { x: u32 }, ({ x }) => ({ y: x }), options) },
  {
    type: "u32",
    source: pipeline("reduce-add-u32", { x: u32 }, ({ x }) => ({ y: x.reduce("add") }), options),
  },
  {
    type: "u32",
    source: pipeline("scan-add-u32", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }), options),
  },
  {
    type: "f32",
    source: pipeline("reduce-add-f32", { x: f32 }, ({ x }) => ({ y: x.reduce("add") }), options),
  },
  {
    type: "f32",
    source: pipeline("scan-add-f32", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }), options),
  },
] as const;

const dataFor = (type: Scalar, n: number) =>
  dataOf(type, dataKind(type, type === "f32" ? "order" : "random"), n, "speed");

async function timesOf(run: () => Promise<unknown>): Promise<number[]> {
  for (let i = 0; i < WARM_UPS; i++) await run();
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

/** The rows of one device. */
async function rowsOf(
  runtime: Runtime,
  device: string,
  n: number,
  say: (line: string) => void,
): Promise<readonly SpeedRow[]> {
  const subject = new Subject(runtime);
  const rows: SpeedRow[] = [];
  let copyMs = Number.NaN;
  for (const { type, source } of MEASURED) {
    say(`${device}: ${source.name}`);
    const values = { x: dataFor(type, n) };
    const different = Object.values(await subject.compare(source, values));
    if (different.length > 0) throw new Error(`${device}: ${source.name} is wrong: ${different[0]}`);
    const { run } = await subject.compile(source);
    const times = await timesOf(() => run(values));
    const medianMs = times[Math.floor(RUNS / 2)] as number;
    if (source.name === "copy-u32") copyMs = medianMs;
    const [leastMs = Number.NaN] = times;
    const againstCopy = medianMs / copyMs;
    rows.push({ device: runtime.device, pipeline: source.name, n, medianMs, leastMs, againstCopy });
  }
  return rows;
}

/** @throws Error if a device's result is wrong, since its time then has no meaning */
export async function speed(
  n: number,
  only: readonly string[] = [],
  say: (line: string) => void = () => {},
): Promise<Speed> {
  const { found, absent } = await candidates();
  const missing = [...absent];
  const rows: SpeedRow[] = [];
  const wanted = found.filter(({ name, slow }) => !slow && isChosenInAnyCase(name, only));
  for (const candidate of wanted) {
    let runtime: Awaited<ReturnType<typeof candidate.open>>;
    try {
      runtime = await candidate.open();
    } catch (error) {
      missing.push({ name: candidate.name, reason: absenceOf(error) });
      continue;
    }
    rows.push(...(await rowsOf(runtime, candidate.name, n, say)));
    runtime.dispose();
  }
  return { surroundings: surroundings(), warmUps: WARM_UPS, runs: RUNS, rows, absent: missing };
}
