/**
 * Work that keeps a device's clocks up between measurements. With little to do a card may lower its clock to a sixth within a second, and
 * raises it again over a second or more.
 */

import { FUNCTION, requireArguments } from "@groupwise/ir/base/arguments.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import type { Executable, Runtime } from "../api/runtime.ts";
import { ONE_RUNTIME } from "../checks/arguments.ts";

/** Rounds of a chain of integer operations: work that takes a device long, of a size that the host records quickly. */
const ROUNDS = 256;
const [FACTOR, SHIFT] = [0x2c1b3c6d, 15];
/** Items of a run; as many as take 1 ms. */
const [LEAST_ITEMS, MOST_ITEMS] = [2 ** 12, 2 ** 24];
const RUN_MS = 1;
/** Several times what is measured, and what the host does between. */
const BUSY_MS = 20;
/** How often the work is doubled for a device that waits for the host. */
const DOUBLINGS = 3;
/** Items of the last run: a clock that starts with the next work may start before the last run is done. */
const LAST = 64;
/** A time above the least by more than that shows a lowered clock. */
const LOWERED = 1.05;
/** Milliseconds without a shorter time after which the clock is taken to be up, and after which nothing more is expected. */
const STEADY_MS = 300;
const LIMIT_MS = 3000;

/** The chain of each index. */
function chain(): Pipeline {
  const list = new PipelineNodes();
  let x = list.query("global-linear-id");
  const [factor, shift] = [list.constant("u32", FACTOR), list.constant("u32", SHIFT)];
  for (let i = 0; i < ROUNDS; i++) {
    const product = list.binary("mul", x, factor);
    x = list.binary("xor", product, list.binary("shr", product, shift));
  }
  list.output("y", x);
  return list.pipeline("busy", [64]);
}

/** Work that keeps a device busy, so that it reaches its clock before a measurement. */
export interface Busy {
  /** Queues the work before it returns. */
  submit(): Promise<void>;
  /** Repeats the work until the device's clock is up. */
  warm(): Promise<void>;
  /** Doubles the work. @returns false if it is not doubled again */
  lengthen(): boolean;
  /** Frees the array and the kernel of the work. */
  dispose(): void;
}

/** Of an implementation on the host's own cores. */
const NOTHING: Busy = {
  submit: () => Promise.resolve(),
  warm: () => Promise.resolve(),
  lengthen: () => false,
  dispose: () => {},
};

/**
 * Work that takes the device 20 ms when its clock is up; nothing where there is no device.
 * @category Authors
 */
export async function busyOn(runtime: Runtime, now: () => number): Promise<Busy> {
  requireArguments(arguments, "busyOn", { runtime: ONE_RUNTIME, now: FUNCTION });
  if (runtime.capabilities.execution !== "simt") return NOTHING;
  const work = new Work(runtime, await runtime.compile(chain()), now);
  try {
    await work.calibrate();
    return work;
  } catch (error) {
    work.dispose();
    throw error;
  }
}

class Work implements Busy {
  private readonly runtime: Runtime;
  private readonly executable: Executable;
  private readonly now: () => number;
  private readonly y;
  private items = LEAST_ITEMS;
  private runs = 1;
  private doublings = 0;
  /** The least time of the work. */
  private leastMs = Number.POSITIVE_INFINITY;

  constructor(runtime: Runtime, executable: Executable, now: () => number) {
    this.runtime = runtime;
    this.executable = executable;
    this.now = now;
    this.y = runtime.array("u32", MOST_ITEMS);
  }

  /** Finds the items of a run, and the number of runs. */
  async calibrate(): Promise<void> {
    // The first run may include the driver's compiler.
    await this.submit();
    while (this.items < MOST_ITEMS && (await this.time()) < RUN_MS) this.items *= 2;
    this.runs = BUSY_MS / RUN_MS;
    await this.warmUp();
    const runs = Math.max(1, Math.round((this.runs * BUSY_MS) / this.leastMs));
    this.leastMs *= runs / this.runs;
    this.runs = runs;
  }

  submit(): Promise<void> {
    const { runtime, executable, y, items } = this;
    const recorder = runtime.record();
    const run = (n: number): unknown => recorder.run(executable, { y: y.slice(0, n) } as never, { n });
    for (let i = 0; i < this.runs; i++) run(items);
    run(LAST);
    return recorder.submit();
  }

  async warm(): Promise<void> {
    if ((await this.time()) > LOWERED * this.leastMs) await this.warmUp();
  }

  lengthen(): boolean {
    if (this.doublings >= DOUBLINGS) return false;
    this.doublings++;
    this.runs *= 2;
    this.leastMs *= 2;
    return true;
  }

  dispose(): void {
    this.y.dispose();
    this.executable.dispose();
  }

  /** Repeats the work until it is no longer faster than before. */
  private async warmUp(): Promise<void> {
    const start = this.now();
    let [best, since] = [Number.POSITIVE_INFINITY, start];
    while (this.now() - since < STEADY_MS && this.now() - start < LIMIT_MS) {
      const ms = await this.time();
      if (ms * LOWERED < best) [best, since] = [ms, this.now()];
    }
    this.leastMs = Math.min(this.leastMs, best);
  }

  /** Milliseconds of the work. */
  private async time(): Promise<number> {
    const { deviceTime } = this.runtime;
    if (deviceTime) return (await deviceTime(() => this.submit())).milliseconds;
    const start = this.now();
    await this.submit();
    return this.now() - start;
  }
}
