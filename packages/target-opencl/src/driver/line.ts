/** The order of the work on a queue, and the work in progress. */
import { CL } from "./constants.ts";
import type { Handle, OpenCl } from "./ffi.ts";

/** Milliseconds for which a device is asked whether it is done: what it takes to wait on another thread. */
const ASKED_MS = 0.1;

/** Queued work; fulfilled once the device is done. It is not a promise, so that passing it on does not wait for it. */
export interface Begun<T> {
  readonly done: Promise<T>;
}

/**
 * A request is queued at once, unless an earlier one waits for the device: a step whose number of
 * items is in device memory. Then it is queued when its turn comes.
 */
export class Line {
  /** The pipelines that were queued last, for messages. */
  recent: readonly string[] = [];
  private tail: Promise<unknown> | undefined;
  private failure: unknown;
  private underWay = 0;
  private waiting: Promise<number> | undefined;
  private readonly asksFirst: boolean;

  /** @param asksFirst whether the device often is done before another thread could wait for it */
  constructor(asksFirst: boolean) {
    this.asksFirst = asksFirst;
  }

  /** True while a request waits: later requests are then queued later. */
  get isWaiting(): boolean {
    return this.tail !== undefined;
  }

  /** The device is idle. */
  get isIdle(): boolean {
    return this.underWay === 0 && !this.isWaiting;
  }

  /** Runs work in order; synchronously, without a promise, if no earlier work waits. */
  do<T>(act: () => T | Promise<T>): T | Promise<T> {
    const done = this.tail ? this.tail.then(act) : act();
    if (done instanceof Promise) {
      const tail: Promise<unknown> = done
        .catch(() => undefined)
        .then(() => {
          if (this.tail === tail) this.tail = undefined;
        });
      this.tail = tail;
    }
    return done;
  }

  /** Runs work in order without waiting for it: if it runs later, the next `check` reports its error. */
  post(act: () => void): void {
    const done = this.do(act) as Promise<void> | undefined;
    done?.catch((error: unknown) => {
      this.failure ??= error;
    });
  }

  /** Throws the error of posted work that ran later, once. */
  check(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /**
   * Queues work, and waits for the queue on another thread. If queueing or waiting fails, it waits on this
   * thread, because the device may still write to memory of this process.
   */
  begin<T>(cl: OpenCl, queue: Handle, start: () => T): Begun<T> {
    try {
      const started = start();
      cl.call("clFlush", queue);
      this.underWay++;
      return { done: this.finish(cl, queue).then(() => started) };
    } catch (error) {
      cl.status("clFinish", queue);
      throw error;
    }
  }

  /** One wait, and one thread, for all work that begins before the event loop goes on. */
  private wait(cl: OpenCl, queue: Handle): Promise<number> {
    this.waiting ??= new Promise((resolve, reject) => {
      process.nextTick(() => {
        this.waiting = undefined;
        if (this.asksFirst && isSoonDone(cl, queue)) resolve(cl.status("clFinish", queue));
        else cl.callAsync("clFinish", queue).then(resolve, reject);
      });
    });
    return this.waiting;
  }

  private async finish(cl: OpenCl, queue: Handle): Promise<void> {
    try {
      const status = await this.wait(cl, queue);
      if (status !== 0) cl.status("clFinish", queue);
      cl.for(cl.device, cl.where || this.recent.join(", ")).check("clFinish", status);
    } finally {
      this.underWay--;
    }
  }
}

/** Whether the device is done within {@link ASKED_MS}. */
function isSoonDone(cl: OpenCl, queue: Handle): boolean {
  const event = new BigUint64Array(1);
  if (cl.status("clEnqueueMarkerWithWaitList", queue, 0, null, event) !== 0) return false;
  const [marker = 0n] = event;
  const state = new Int32Array(1);
  const end = performance.now() + ASKED_MS;
  try {
    do {
      const failed = cl.status("clGetEventInfo", marker, CL.EVENT_COMMAND_EXECUTION_STATUS, 4, state, null);
      // A negative state is an error, which waiting reports.
      if (failed !== 0 || (state[0] as number) <= 0) return failed === 0;
    } while (performance.now() < end);
    return false;
  } finally {
    cl.status("clReleaseEvent", marker);
  }
}
