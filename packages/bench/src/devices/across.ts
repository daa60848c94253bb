/** One range over several OpenCL devices, whose arrays stay there: compares bits, then times with those of one device. */
import type { DeviceArray, HostArray, Pipeline, Runtime } from "@groupwise/core";
import { acrossRuntimes, type SplitArray } from "@groupwise/core/state";
import { type BoolValue, f32, operators, pipeline, type U32Value, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { listOpenClDevices, openclRuntime } from "@groupwise/target-opencl/runtime";
import { medianOf } from "../measure/samples.ts";
import { type Surroundings, surroundings } from "../measure/surroundings.ts";
import { isChosen } from "../print/only.ts";

/** A pipeline of the DSL. */
type Source = { readonly ir: Pipeline };

/** A measured pipeline: from `x` of a type to `y`, which has one element for each item, only one, or those of a compaction. */
interface Scan {
  readonly type: "f32" | "u32";
  readonly isOne?: true;
  readonly of: Source;
}

function whereTrue(where: BoolValue): { to: U32Value; where: BoolValue; length: U32Value } {
  const { before, total } = where.toU32().scanWithTotal("add");
  return { to: before, where, length: total };
}

const SCANS: readonly Scan[] = [
  { type: "f32", of: pipeline("f32-sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") })) },
  { type: "u32", of: pipeline("u32-sums", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") })) },
  {
    type: "f32",
    of: pipeline("f32-affine", { x: f32 }, ({ x }) => ({
      y: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x }).b,
    })),
  },
  // Half of the items are kept.
  {
    type: "u32",
    of: pipeline("u32-compact", { x: u32 }, ({ x }) => ({ y: x.scatter(whereTrue(x.lt(2 ** 31))) })),
  },
  {
    type: "f32",
    of: pipeline("f32-sums-compact", { x: f32 }, ({ x }) => ({
      y: x.scanInclusive("add").scatter(whereTrue(x.lt(0))),
    })),
  },
  { type: "f32", isOne: true, of: pipeline("f32-total", { x: f32 }, ({ x }) => ({ y: x.reduce("add") })) },
  { type: "f32", of: pipeline("f32-scale", { x: f32 }, ({ x }) => ({ y: x.mul(0.5) })) },
];
/** Values like those of `valuesOf`, made on the devices: the host needs no arrays as long as the range. */
const FILL: Readonly<Record<Scan["type"], Source>> = {
  u32: pipeline("fill-u32", {}, (_, { index }) => ({ x: mixed(index()) })),
  f32: pipeline("fill-f32", {}, (_, { index }) => {
    const scale = u32(1).shl(index().rem(20)).toF32();
    return {
      x: mixed(index())
        .toF32()
        .mul(2 ** -32)
        .sub(0.5)
        .mul(scale),
    };
  }),
};
function mixed(index: U32Value): U32Value {
  const once = index.add(1).mul(2_654_435_761);
  return once.xor(once.shr(15)).mul(2_246_822_519);
}
const ODD_ITEMS = 12_345;
const MOST_CHECKED = 2 ** 26;
const WARM_UPS = 2;
/** Runs that are measured, if the caller does not choose. */
export const ACROSS_RUNS = 7;

export interface AcrossRow {
  readonly what: string;
  /** 0: a recorder of one device, without `acrossRuntimes`. */
  readonly devices: number;
  /** Of all devices. */
  readonly items: number;
  readonly medianMs: number;
  readonly leastMs: number;
  readonly itemsPerSecond: number;
  /** That over the rate of the plain recorder. */
  readonly ofOne: number;
}

export interface Across {
  readonly surroundings: Surroundings;
  readonly devices: readonly string[];
  /** Items of the runs whose bits were compared with one JavaScript loop. */
  readonly checkedItems: number;
  readonly wrong: readonly string[];
  readonly rows: readonly AcrossRow[];
}

export interface AcrossChoice {
  /** Number of devices; devices are repeated if the host has fewer. */
  readonly devices: number;
  /** Items of each device. */
  readonly n: number;
  /** Part of the devices' names. */
  readonly device: string;
  /** Numbers of devices that are measured; default: every number up to `devices`. */
  readonly counts?: readonly number[];
  /** Pipelines whose names contain one of the words; all pipelines if there are no words. */
  readonly only?: readonly string[];
  /** Measured runs. Many runs of few items have the host's time in compiled JavaScript. */
  readonly runs?: number;
  readonly say: (line: string) => void;
}

function valuesOf(type: "f32" | "u32", n: number): HostArray {
  const values = type === "f32" ? new Float32Array(n) : new Uint32Array(n);
  let seed = 7;
  for (let i = 0; i < n; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    values[i] = type === "f32" ? (seed / 2 ** 32 - 0.5) * (1 << (i % 20)) : seed;
  }
  return values;
}

async function timed(run: () => Promise<void>, runs: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = -WARM_UPS; i < runs; i++) {
    const start = performance.now();
    await run();
    if (i >= 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

/** Arrays and recorders of one runtime or of several. */
interface Place {
  compile(source: Source): Promise<{ dispose(): void }>;
  array(type: Scan["type"], lengthOrValues: number | HostArray): DeviceArray | SplitArray;
  record(): { run(executable: object, arrays: object, options?: object): { submit(): Promise<void> } };
}

/** Calls `use` with a runner of the pipeline and its arrays, and frees the arrays afterwards. */
async function on<T>(
  place: Place,
  { type, isOne, of }: Scan,
  lengthOrValues: number | HostArray,
  use: (run: () => Promise<void>, x: DeviceArray | SplitArray, y: DeviceArray | SplitArray) => Promise<T>,
): Promise<T> {
  const executable = await place.compile(of);
  const x = place.array(type, lengthOrValues);
  const y = place.array(type, isOne ? 1 : x.length);
  const run = (): Promise<void> => place.record().run(executable, { x, y }).submit();
  try {
    return await use(run, x, y);
  } finally {
    for (const one of [x, y, executable]) one.dispose();
  }
}

async function isRight(runtimes: readonly Runtime[], one: Scan, n: number): Promise<boolean> {
  const values = valuesOf(one.type, n);
  const js = jsRuntime();
  const { y: want } = (await (await js.compile(one.of)).run({ x: values } as never)) as { y: HostArray };
  js.dispose();
  const across = acrossRuntimes(runtimes) as unknown as Place;
  return on(across, one, values, async (run, _, y) => {
    await run();
    return bytesOf((await y.read()) as HostArray).equals(bytesOf(want));
  });
}

const bytesOf = ({ buffer, byteOffset, byteLength }: HostArray): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

const timesOn = (place: Place, one: Scan, n: number, runs: number): Promise<readonly number[]> =>
  on(place, one, n, async (run, x) => {
    const fill = await place.compile(FILL[one.type]);
    await place.record().run(fill, { x }, { n }).submit();
    fill.dispose();
    return timed(run, runs);
  });

/** @throws Error if no device or no pipeline has such a name */
export async function across({
  devices,
  n,
  device,
  counts = Array.from({ length: devices }, (_, i) => i + 1),
  only = [],
  runs = ACROSS_RUNS,
  say,
}: AcrossChoice): Promise<Across> {
  const wanted = SCANS.filter(({ of }) => isChosen(of.ir.name, only));
  if (wanted.length === 0) throw new Error(`no pipeline's name contains ${only.join(" or ")}`);
  const found = (await listOpenClDevices()).map(({ name }, index) => ({ name, index }));
  const named = found.filter(({ name }) => name.toLowerCase().includes(device.toLowerCase()));
  if (named.length === 0) throw new Error(`no OpenCL device's name contains ${JSON.stringify(device)}`);
  const chosen = Array.from({ length: devices }, (_, i) => named[i % named.length] as (typeof named)[number]);
  const runtimes: Runtime[] = [];
  for (const { index } of chosen) runtimes.push(await openclRuntime({ device: index }));
  const checkedItems = Math.min(n * devices, MOST_CHECKED) + ODD_ITEMS;
  const wrong: string[] = [];
  const rows: AcrossRow[] = [];
  for (const one of wanted) {
    const { name } = one.of.ir;
    say(`${name}: bits of ${checkedItems} items`);
    if (!(await isRight(runtimes, one, checkedItems))) wrong.push(name);
    let plain = Number.NaN;
    for (const count of [0, ...counts]) {
      say(`${name}: ${count === 0 ? "one device, plain" : `${count} of ${devices} devices`}`);
      const place = count === 0 ? runtimes[0] : acrossRuntimes(runtimes.slice(0, count));
      const items = n * Math.max(1, count);
      const times = await timesOn(place as unknown as Place, one, items, runs);
      const medianMs = medianOf(times);
      const itemsPerSecond = items / (medianMs / 1000);
      if (count === 0) plain = itemsPerSecond;
      rows.push({
        what: name,
        devices: count,
        items,
        medianMs,
        leastMs: times[0] as number,
        itemsPerSecond,
        ofOne: itemsPerSecond / plain,
      });
    }
  }
  for (const runtime of runtimes) runtime.dispose();
  return { surroundings: surroundings(), devices: chosen.map(({ name }) => name), checkedItems, wrong, rows };
}

export function printAcross({ devices, checkedItems, wrong, rows }: Across): string {
  const bits = wrong.length === 0 ? "equal to one JavaScript loop" : `WRONG: ${wrong.join(", ")}`;
  const lines = rows.map(({ what, devices: count, items, medianMs, leastMs, itemsPerSecond, ofOne }) =>
    [
      `| ${what} | ${count === 0 ? "1, plain recorder" : count} | ${items}`,
      `${medianMs.toFixed(3)} | ${leastMs.toFixed(3)} | ${(itemsPerSecond / 1e9).toFixed(2)} | ${ofOne.toFixed(2)} |`,
    ].join(" | "),
  );
  return `${[
    `Devices: ${devices.join(", ")}. Bits of ${checkedItems} items: ${bits}.`,
    "",
    "| what | devices | items | median ms | least ms | 10^9 items/s | of one |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n")}\n`;
}
