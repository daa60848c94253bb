/**
 * Bytes per second of arrays that stay on a WebGPU device: many recordings in one submission, compared with copies of the
 * same size in the same run. Every result is checked before it is timed.
 */
import { DEFAULTS } from "@groupwise/cli/targets";
import type { Capabilities } from "@groupwise/core";
import type { LookBack } from "@groupwise/core/target";
import { type Busy, busyOn } from "@groupwise/core/tuning";
import { capabilitiesOf } from "@groupwise/target-wgsl";
import { type WgslExecutable, webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { findDawn } from "@groupwise/testkit/devices";
import { openNamed } from "./devices/named.ts";
import { clockOf } from "./measure/clock.ts";
import { copiesOn } from "./measure/copy.ts";
import { MEASURED, type Measured } from "./measure/measured.ts";
import { type Samples, STOP_RULE, type StopRule, sample } from "./measure/samples.ts";
import { type MeasuredOn, surroundings } from "./measure/surroundings.ts";
import { isChosen } from "./print/only.ts";

/** Times are of one recording, and a run is a submission of many. */
export interface ThroughputRow extends Samples {
  readonly what: string;
  readonly n: number;
  readonly recordings: number;
  readonly nsPerItem: number;
  /** Bytes of the inputs and outputs divided by the median time. */
  readonly gigabytesPerSecond: number;
  /** That divided by the faster copy's. */
  readonly ofCopy: number;
  readonly strategy: string;
}

export interface Throughput {
  readonly surroundings: MeasuredOn;
  readonly device: string;
  readonly driver: string;
  readonly warmUps: number;
  readonly stopRule: StopRule;
  /** The clock of the times. */
  readonly clock: "device" | "host";
  readonly rows: readonly ThroughputRow[];
}

export interface ThroughputOptions {
  readonly adapter: string;
  /** Powers of two: log2 of the numbers of items. */
  readonly sizes: readonly number[];
  readonly only?: readonly string[];
  readonly lookBack?: Partial<LookBack> | false;
  readonly say?: (line: string) => void;
}

const WARM_UPS = 2;
/** Bytes that a submission moves: long enough to time, short enough to wait for. */
const PER_SUBMISSION = 40e9;
const MOST_RECORDINGS = 200;
const STORAGE = 0x80;
const COPY_DST = 0x8;
const COPY_SRC = 0x4;
const MAP_READ = 0x1;

interface Work {
  readonly name: string;
  readonly strategy: string;
  readonly bytes: number;
  record(encoder: GPUCommandEncoder): { dispose(): void };
}

/** Recordings of a submission. */
const recordingsOf = ({ bytes }: Work): number =>
  Math.max(1, Math.min(MOST_RECORDINGS, Math.floor(PER_SUBMISSION / bytes)));

/** Times of one recording. */
async function timesOf(
  device: GPUDevice,
  { clock, busy }: { readonly clock: ReturnType<typeof clockOf>; readonly busy: Busy },
  work: Work,
): Promise<Samples> {
  const recordings = recordingsOf(work);
  const submit = async (): Promise<number> => {
    const made: { dispose(): void }[] = [];
    // The device is busy while the host records, too.
    const first = busy.submit();
    const encoder = device.createCommandEncoder();
    const read = clock(encoder, () => {
      for (let r = 0; r < recordings; r++) made.push(work.record(encoder));
    });
    const second = busy.submit();
    device.queue.submit([encoder.finish()]);
    const milliseconds = await read();
    await Promise.all([first, second]);
    for (const one of made) one.dispose();
    return milliseconds / recordings;
  };
  await busy.warm();
  for (let i = 0; i < WARM_UPS; i++) await submit();
  return sample(submit);
}

function rowOf(work: Work, n: number, samples: Samples): ThroughputRow {
  const { medianMs } = samples;
  return {
    what: work.name,
    n,
    recordings: recordingsOf(work),
    ...samples,
    nsPerItem: (medianMs * 1e6) / n,
    gigabytesPerSecond: work.bytes / medianMs / 1e6,
    ofCopy: Number.NaN,
    strategy: work.strategy,
  };
}

/** @throws Error if the device is missing, or a result is wrong */
export async function throughput(given: ThroughputOptions): Promise<Throughput> {
  const { say = () => {} } = given;
  const found = await findDawn({ adapter: given.adapter, disable: ["timestamp_quantization"] });
  if (!found.found) throw new Error(found.reason);
  const { device, info } = found.value;
  const known = capabilitiesOf(device);
  const capabilities = tuned(known, given.lookBack);
  const runtime = webgpuRuntime(device, { capabilities });
  const expand = capabilities.expand.filter((name) => name !== "guard-rounding");
  const unguarded = webgpuRuntime(device, { capabilities: { ...capabilities, expand } });
  const clock = clockOf(device);
  const busy = await busyOn(runtime, () => performance.now());
  const rows: ThroughputRow[] = [];
  for (const power of given.sizes) {
    const n = 2 ** power;
    const x = device.createBuffer({ size: 4 * n, usage: STORAGE | COPY_DST | COPY_SRC });
    const y = device.createBuffer({ size: 4 * n, usage: STORAGE | COPY_DST | COPY_SRC });
    const data = valuesOf(n);
    upload(device, x, data);
    const time = async (work: Work): Promise<void> => {
      const row = rowOf(work, n, await timesOf(device, { clock, busy }, work));
      rows.push(row);
      const [ms, rate] = [row.medianMs.toFixed(4), row.gigabytesPerSecond.toFixed(0)];
      say(`${row.what} 2^${power}: ${ms} ms, ${rate} GB/s (${row.strategy})`);
    };
    await time(driverCopy(x, y, n));
    await time(await kernelCopy(device, x, y, n));
    for (const measured of MEASURED) {
      if (!isChosen(measured.name, given.only ?? [])) continue;
      const program = await (measured.unguarded ? unguarded : runtime).compile(measured.source);
      if (!measured.unguarded) await verify(device, { program, measured, x, y, data });
      const buffers = { x, y };
      await time({
        name: measured.name,
        strategy: program.plan.strategy,
        bytes: 4 * (n + measured.outputs(n)),
        record: (encoder) => program.record(encoder, { n, buffers }),
      });
      program.dispose();
    }
    x.destroy();
    y.destroy();
  }
  busy.dispose();
  // The faster copy is known only when all are measured.
  const compared = rows.map((row) => ({ ...row, ofCopy: row.gigabytesPerSecond / fastestCopy(rows, row.n) }));
  return {
    surroundings: surroundings(),
    device: info.device || info.description,
    driver: info.description,
    warmUps: WARM_UPS,
    stopRule: STOP_RULE,
    clock: device.features.has("timestamp-query") ? "device" : "host",
    rows: compared,
  };
}

const isCopy = ({ what }: ThroughputRow): boolean => what.startsWith("copy");
const fastestCopy = (rows: readonly ThroughputRow[], n: number): number =>
  Math.max(...rows.filter((row) => row.n === n && isCopy(row)).map((row) => row.gigabytesPerSecond));

function tuned(known: Capabilities, lookBack: ThroughputOptions["lookBack"]): Capabilities {
  if (lookBack === undefined) return known;
  if (lookBack === false)
    return { ...known, lookBack: { unsupported: "the benchmark was asked to leave it out" } };
  const base =
    "unsupported" in known.lookBack
      ? { workGroupSize: 256, rows: 16, groups: 512, polls: 4096 }
      : known.lookBack;
  return { ...known, lookBack: { ...base, ...lookBack } };
}

/** Bits that are both integers and small floats of many magnitudes, neither subnormal nor NaN. */
function valuesOf(n: number): Uint32Array {
  const data = new Uint32Array(n);
  let state = 0x9e3779b9;
  for (let i = 0; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    data[i] = (0x3d000000 + (state >>> 7)) >>> 0;
  }
  return data;
}

const CHUNK = 2 ** 26;

function upload(device: GPUDevice, to: GPUBuffer, data: Uint32Array): void {
  for (let at = 0; at < data.length; at += CHUNK)
    device.queue.writeBuffer(to, 4 * at, data.subarray(at, at + CHUNK) as Uint32Array<ArrayBuffer>);
}

async function download(device: GPUDevice, from: GPUBuffer, length: number): Promise<Uint32Array> {
  const all = new Uint32Array(length);
  for (let at = 0; at < length; at += CHUNK) {
    const size = 4 * Math.min(CHUNK, length - at);
    const read = device.createBuffer({ size, usage: MAP_READ | COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(from, 4 * at, read, 0, size);
    device.queue.submit([encoder.finish()]);
    await read.mapAsync(MAP_READ);
    all.set(new Uint32Array(read.getMappedRange()), at);
    read.destroy();
  }
  return all;
}

/** A measured program, and its arrays. */
interface ResultToVerify {
  readonly program: WgslExecutable;
  readonly measured: Measured;
  readonly x: GPUBuffer;
  readonly y: GPUBuffer;
  readonly data: Uint32Array;
}

/** Compares every bit of the result with a run of the pipeline in this process. */
async function verify(
  device: GPUDevice,
  { program, measured: { name, source, type, outputs }, x, y, data }: ResultToVerify,
): Promise<void> {
  const n = data.length;
  const encoder = device.createCommandEncoder();
  const recording = program.record(encoder, { n, buffers: { x, y } });
  device.queue.submit([encoder.finish()]);
  const got = await download(device, y, outputs(n));
  recording.dispose();
  const { runtime } = await openNamed({ target: DEFAULTS.run, device: "" });
  const host = await runtime.compile(source);
  const values = type === "f32" ? new Float32Array(data.buffer) : data;
  const run = await host.run({ x: values });
  const want = run.y as Float32Array | Uint32Array;
  const bits = new Uint32Array(want.buffer, want.byteOffset, want.length);
  const bad = got.findIndex((word, i) => word !== bits[i]);
  if (bad >= 0) throw new Error(`${name} of ${n} is wrong at ${bad}: ${got[bad]} and not ${bits[bad]}`);
}

const driverCopy = (x: GPUBuffer, y: GPUBuffer, n: number): Work => ({
  name: "copy by the driver",
  strategy: "",
  bytes: 8 * n,
  record: (encoder) => {
    encoder.copyBufferToBuffer(x, 0, y, 0, 4 * n);
    return { dispose: () => {} };
  },
});

async function kernelCopy(device: GPUDevice, x: GPUBuffer, y: GPUBuffer, n: number): Promise<Work> {
  const copy = await copiesOn(device, [x, y], n);
  return {
    name: "copy by a kernel",
    strategy: "",
    bytes: 8 * n,
    record: (encoder) => {
      copy(encoder, 1);
      return { dispose: () => {} };
    },
  };
}
