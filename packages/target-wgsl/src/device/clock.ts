/** The device's clock: timestamps before and after what is submitted. */
import type { Gpu } from "./device.ts";
import { MAP_READ, USAGE } from "./usage.ts";

const NANOSECONDS = 1e6;
const BYTES = 16;

/** Milliseconds between the work before `work` and the last command that it submits. The device has the feature `timestamp-query`. */
export async function deviceTime(gpu: Gpu, work: () => Promise<void>): Promise<number> {
  const { device } = gpu;
  const querySet = device.createQuerySet({ type: "timestamp", count: 2 });
  const ticks = device.createBuffer({ size: BYTES, usage: USAGE.QUERY_RESOLVE | USAGE.COPY_SRC });
  const seen = device.createBuffer({ size: BYTES, usage: USAGE.MAP_READ | USAGE.COPY_DST });
  const submit = (encode: (encoder: GPUCommandEncoder) => void): void => {
    const encoder = device.createCommandEncoder({ label: "clock" });
    encode(encoder);
    device.queue.submit([encoder.finish()]);
  };
  try {
    submit((encoder) =>
      encoder.beginComputePass({ timestampWrites: { querySet, beginningOfPassWriteIndex: 0 } }).end(),
    );
    const done = work();
    const read = gpu.guarded(() => {
      submit((encoder) => {
        encoder.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: 1 } }).end();
        encoder.resolveQuerySet(querySet, 0, 2, ticks, 0);
        encoder.copyBufferToBuffer(ticks, 0, seen, 0, BYTES);
      });
      return seen.mapAsync(MAP_READ);
    });
    // A failure of `work` says more.
    read.catch(() => {});
    await done;
    await read;
    const [from = 0n, to = 0n] = new BigUint64Array(seen.getMappedRange());
    return Number(to - from) / NANOSECONDS;
  } finally {
    querySet.destroy();
    ticks.destroy();
    seen.destroy();
  }
}
