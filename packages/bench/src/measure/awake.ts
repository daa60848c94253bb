/**
 * Work that keeps the clock of a card high between measurements. When mostly idle, an NVIDIA H200 lowers its clock from
 * 1,980 to 345 MHz within a second, and small runs, which are bound by latency, take more than three times as long.
 */
import { copiesOn } from "./copy.ts";

const WORDS = 2 ** 24;
const STORAGE = 0x80;
/** Duration of the work: several times the measured time and the host's time in between. */
const BUSY_MS = 20;
const MOST = 4096;

export interface Awake {
  /** Submits the work; the next submission begins when it ends. */
  submit(): void;
  dispose(): void;
}

/** Copies that take a device 20 ms, as many as it needs for that. */
export async function awakeOn(device: GPUDevice): Promise<Awake> {
  const make = (): GPUBuffer => device.createBuffer({ size: 4 * WORDS, usage: STORAGE });
  const buffers = [make(), make()] as const;
  const copy = await copiesOn(device, buffers, WORDS);
  const run = (copies: number): void => {
    const encoder = device.createCommandEncoder();
    copy(encoder, copies);
    device.queue.submit([encoder.finish()]);
  };
  let copies = 1;
  for (let took = 0; took < BUSY_MS && copies < MOST; copies *= 2) {
    const begun = performance.now();
    run(copies);
    await device.queue.onSubmittedWorkDone();
    took = performance.now() - begun;
  }
  return {
    submit: () => run(copies),
    dispose: () => {
      for (const buffer of buffers) buffer.destroy();
    },
  };
}
