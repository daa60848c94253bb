/** One range over several OpenCL devices whose arrays stay there: bits, then times beside one device. */
import type { HostArray, Runtime } from "@groupwise/core";
import { type AcrossRuntimes, acrossRuntimes, type SplitArray } from "@groupwise/core/state";
import { f32, operators, pipeline, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { listOpenClDevices, openclRuntime } from "@groupwise/target-opencl/runtime";
import { medianOf } from "../measure/median.ts";
import { type Surroundings, surroundings } from "../measure/surroundings.ts";

const PIPELINES = [
  pipeline("f32-sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") })),
  pipeline("u32-sums", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") })),
  pipeline("f32-affine", { x: f32 }, ({ x }) => ({
    y: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x }).b,
  })),
  pipeline("f32-total", { x: f32 }, ({ x }) => ({ total: x.reduce("add") })),
  pipeline("f32-scale", { x: f32 }, ({ x }) => ({ y: x.mul(0.5) })),
] as const;
const ODD_ITEMS = 12_345;
const MOST_CHECKED = 2 ** 26;
const WARM_UPS = 2;
const RUNS = 7;

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
  /** How many; devices come again if the host has fewer. */
  readonly devices: number;
  /** Items of each device. */
  readonly n: number;
  /** Part of the devices' names. */
  readonly device: string;
  readonly say: (line: string) => void;
}

const outputOf = ({ ir }: (typeof PIPELINES)[number]): string => (ir.name === "f32-total" ? "total" : "y");
const typeOf = ({ ir }: (typeof PIPELINES)[number]): "f32" | "u32" =>
  ir.name.startsWith("u32") ? "u32" : "f32";

function valuesOf(type: "f32" | "u32", n: number): HostArray {
  const values = type === "f32" ? new Float32Array(n) : new Uint32Array(n);
  let seed = 7;
  for (let i = 0; i < n; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    values[i] = type === "f32" ? (seed / 2 ** 32 - 0.5) * (1 << (i % 20)) : seed;
  }
  return values;
}

async function timed(run: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = -WARM_UPS; i < RUNS; i++) {
    const start = performance.now();
    await run();
    if (i >= 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

async function isRight(across: AcrossRuntimes, one: (typeof PIPELINES)[number], n: number): Promise<boolean> {
  const values = valuesOf(typeOf(one), n);
  const js = jsRuntime();
  const want = (await (await js.compile(one.ir)).run({ x: values } as never)) as Record<string, HostArray>;
  const executable = await across.compile(one.ir);
  const name = outputOf(one);
  const x = across.array(typeOf(one), values as never) as SplitArray;
  const out = across.array(typeOf(one), want[name]?.length as number) as SplitArray;
  await across
    .record()
    .run(executable, { x, [name]: out })
    .submit();
  const bytesOf = ({ buffer, byteOffset, byteLength }: HostArray): Buffer =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  const isSame = bytesOf((await out.read()) as HostArray).equals(bytesOf(want[name] as HostArray));
  for (const array of [x, out]) array.dispose();
  executable.dispose();
  js.dispose();
  return isSame;
}

async function timesAcross(runtimes: readonly Runtime[], one: (typeof PIPELINES)[number], values: HostArray) {
  const across = acrossRuntimes(runtimes);
  const items = values.length * runtimes.length;
  const executable = await across.compile(one.ir);
  const x = across.array(typeOf(one), items) as SplitArray;
  for (const part of x.parts) part.write(values.subarray(0, part.length) as never);
  const out = across.array(typeOf(one), outputOf(one) === "y" ? items : 1) as SplitArray;
  const times = await timed(() =>
    across
      .record()
      .run(executable, { x, [outputOf(one)]: out })
      .submit(),
  );
  for (const array of [x, out]) array.dispose();
  executable.dispose();
  return times;
}

async function timesOfOne(runtime: Runtime, one: (typeof PIPELINES)[number], values: HostArray) {
  const executable = await runtime.compile(one.ir);
  const x = runtime.array(typeOf(one), values as never);
  const out = runtime.array(typeOf(one), outputOf(one) === "y" ? values.length : 1);
  const times = await timed(() =>
    runtime
      .record()
      .run(executable, { x, [outputOf(one)]: out })
      .submit(),
  );
  for (const array of [x, out]) array.dispose();
  executable.dispose();
  return times;
}

/** @throws GroupwiseError `device-missing` */
export async function across({ devices, n, device, say }: AcrossChoice): Promise<Across> {
  const found = (await listOpenClDevices()).map(({ name }, index) => ({ name, index }));
  const named = found.filter(({ name }) => name.toLowerCase().includes(device.toLowerCase()));
  if (named.length === 0) throw new Error(`no OpenCL device's name contains ${JSON.stringify(device)}`);
  const chosen = Array.from({ length: devices }, (_, i) => named[i % named.length] as (typeof named)[number]);
  const runtimes: Runtime[] = [];
  for (const { index } of chosen) runtimes.push(await openclRuntime({ device: index }));
  const checkedItems = Math.min(n * devices, MOST_CHECKED) + ODD_ITEMS;
  const wrong: string[] = [];
  const rows: AcrossRow[] = [];
  for (const one of PIPELINES) {
    const { name } = one.ir;
    say(`${name}: bits of ${checkedItems} items`);
    if (!(await isRight(acrossRuntimes(runtimes), one, checkedItems))) wrong.push(name);
    const values = valuesOf(typeOf(one), n);
    let plain = Number.NaN;
    for (let count = 0; count <= devices; count++) {
      say(`${name}: ${count === 0 ? "one device, plain" : `${count} of ${devices} devices`}`);
      const times =
        count === 0
          ? await timesOfOne(runtimes[0] as Runtime, one, values)
          : await timesAcross(runtimes.slice(0, count), one, values);
      const medianMs = medianOf(times);
      const items = n * Math.max(1, count);
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
      `${medianMs.toFixed(2)} | ${leastMs.toFixed(2)} | ${(itemsPerSecond / 1e9).toFixed(2)} | ${ofOne.toFixed(2)} |`,
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
