/** The device's clock: timestamps in the submissions that are timed, so that no time of the host lies between them. */
import type { DeviceTime } from "@groupwise/core";
import { answered } from "./answered.ts";
import type { Gpu } from "./device.ts";
import { MAP_READ, USAGE } from "./usage.ts";

const NANOSECONDS = 1e6;
const BYTES = 16;

/** Two timestamps around the command buffers of a submission. */
export class TimeSpan {
  private readonly querySet: GPUQuerySet;
  private readonly ticks: GPUBuffer;
  private readonly seen: GPUBuffer;
  private readonly device: GPUDevice;

  constructor(device: GPUDevice) {
    this.device = device;
    this.querySet = device.createQuerySet({ type: "timestamp", count: 2 });
    this.ticks = device.createBuffer({ size: BYTES, usage: USAGE.QUERY_RESOLVE | USAGE.COPY_SRC });
    this.seen = device.createBuffer({ size: BYTES, usage: USAGE.MAP_READ | USAGE.COPY_DST });
  }

  /** The command buffers between those that write the timestamps. */
  around(buffers: readonly GPUCommandBuffer[]): GPUCommandBuffer[] {
    const { querySet, ticks, seen } = this;
    const first = this.device.createCommandEncoder({ label: "clock" });
    first.beginComputePass({ timestampWrites: { querySet, beginningOfPassWriteIndex: 0 } }).end();
    const last = this.device.createCommandEncoder({ label: "clock" });
    last.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: 1 } }).end();
    last.resolveQuerySet(querySet, 0, 2, ticks, 0);
    last.copyBufferToBuffer(ticks, 0, seen, 0, BYTES);
    return [first.finish(), ...buffers, last.finish()];
  }

  /** Milliseconds between the timestamps, after the submission. */
  async read(): Promise<number> {
    await answered(this.device, this.seen.mapAsync(MAP_READ));
    const [from = 0n, to = 0n] = new BigUint64Array(this.seen.getMappedRange());
    return Number(to - from) / NANOSECONDS;
  }

  destroy(): void {
    this.querySet.destroy();
    this.ticks.destroy();
    this.seen.destroy();
  }
}

/** The time of the submissions that `work` makes before it returns. The device has the feature `timestamp-query`. */
export async function deviceTime(gpu: Gpu, work: () => Promise<void>): Promise<DeviceTime> {
  const { result, spans } = gpu.timed(work);
  try {
    await result;
    const times = await gpu.guarded(() => Promise.all(spans.map((span) => span.read())));
    return { milliseconds: times.reduce((sum, time) => sum + time, 0), waited: false };
  } finally {
    for (const span of spans) span.destroy();
  }
}
