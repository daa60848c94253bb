/** The time that recorded work takes on a WebGPU device. */
const COPY_DST = 0x8;
const COPY_SRC = 0x4;
const MAP_READ = 0x1;
const QUERY_RESOLVE = 0x200;

/**
 * Encodes work between two readings of a clock. @returns a function that returns the milliseconds between them after
 * submission
 */
type Clock = (encoder: GPUCommandEncoder, work: () => void) => () => Promise<number>;

/**
 * The device's clock if it has one: for short work, the host mostly measures its own time, which doubles during garbage
 * collection.
 */
export function clockOf(device: GPUDevice): Clock {
  if (!device.features.has("timestamp-query"))
    return (_, work) => {
      work();
      const started = performance.now();
      return async () => {
        await device.queue.onSubmittedWorkDone();
        return performance.now() - started;
      };
    };
  const querySet = device.createQuerySet({ type: "timestamp", count: 2 });
  const size = 16;
  const ticks = device.createBuffer({ size, usage: QUERY_RESOLVE | COPY_SRC });
  const seen = device.createBuffer({ size, usage: MAP_READ | COPY_DST });
  return (encoder, work) => {
    encoder.beginComputePass({ timestampWrites: { querySet, beginningOfPassWriteIndex: 0 } }).end();
    work();
    encoder.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: 1 } }).end();
    encoder.resolveQuerySet(querySet, 0, 2, ticks, 0);
    encoder.copyBufferToBuffer(ticks, 0, seen, 0, size);
    return async () => {
      await seen.mapAsync(1);
      const [from = 0n, to = 0n] = new BigUint64Array(seen.getMappedRange());
      seen.unmap();
      return Number(to - from) / 1e6;
    };
  };
}
