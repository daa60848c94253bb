/** The time of each recorded dispatch, clear and copy of a WebGPU device, by the device's clock. */
import { stamped } from "./stamped-encoder.ts";

const MOST = 2048;
const STAMP = 8;
const USAGE = { mapRead: 0x1, copySrc: 0x4, copyDst: 0x8, resolve: 0x200 } as const;

/** A command, and how long it took. */
export interface Stamp {
  readonly what: string;
  readonly microseconds: number;
}

/** Runs work on the device and returns the time of each command that it records. */
export type Stamps = (work: () => Promise<unknown>) => Promise<readonly Stamp[]>;

/**
 * Each command is recorded in a separate pass, with a timestamp before and after it, so that commands do not overlap. The
 * sum is larger than the time of a run. @throws Error if the device has no timestamps
 */
export function stampsOf(device: GPUDevice): Stamps {
  if (!device.features.has("timestamp-query")) throw new Error("the device has no timestamp-query");
  const querySet = device.createQuerySet({ type: "timestamp", count: MOST });
  const ticks = device.createBuffer({ size: STAMP * MOST, usage: USAGE.resolve | USAGE.copySrc });
  const seen = device.createBuffer({ size: STAMP * MOST, usage: USAGE.mapRead | USAGE.copyDst });
  const make = device.createCommandEncoder.bind(device);
  return async (work) => {
    const names: string[] = [];
    const around = (what: string): { before: object; after: object } => {
      const [first, last] = [2 * names.length, 2 * names.length + 1];
      if (last >= MOST) throw new Error(`more than ${MOST / 2} commands`);
      names.push(what);
      return {
        before: { querySet, beginningOfPassWriteIndex: first },
        after: { querySet, endOfPassWriteIndex: last },
      };
    };
    device.createCommandEncoder = (descriptor) => stamped(make(descriptor), around);
    try {
      await work();
    } finally {
      device.createCommandEncoder = make;
    }
    const encoder = make();
    encoder.resolveQuerySet(querySet, 0, 2 * names.length, ticks, 0);
    encoder.copyBufferToBuffer(ticks, 0, seen, 0, 2 * STAMP * names.length);
    device.queue.submit([encoder.finish()]);
    await seen.mapAsync(USAGE.mapRead);
    const times = new BigUint64Array(seen.getMappedRange().slice(0));
    seen.unmap();
    const between = (i: number): number => Number((times[2 * i + 1] ?? 0n) - (times[2 * i] ?? 0n)) / 1e3;
    return names.map((what, i) => ({ what, microseconds: between(i) }));
  };
}
