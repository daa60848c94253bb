/** The order of the work on a queue, and the work in progress. */
import type { Handle, OpenCl } from "./ffi.ts";
import { checkDone, isEnded, mark } from "./marker.ts";

/** Milliseconds for which a device is asked whether it is done. To wait on another thread takes 0.05 to 0.1 more. */
const ASKED_MS = 0.4;

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
  private underWay = 0;
  private waiting: Promise<number> | undefined;
  /** The marker behind all work so far. */
  private last: Handle = 0n;
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

  /**
   * Queues work, and waits for the queue on another thread. If queueing or waiting fails, it waits on this
   * thread, because the device may still write to memory of this process.
   */
  begin<T>(cl: OpenCl, queue: Handle, start: () => T): Begun<T> {
    const named = cl.for(cl.device, cl.where || this.recent.join(", "));
    let marker: Handle | undefined;
    try {
      const started = start();
      marker = mark(named, queue);
      named.call("clFlush", queue);
      this.underWay++;
      return { done: this.finish(named, queue, marker).then(() => started) };
    } catch (error) {
      cl.status("clFinish", queue);
      if (marker !== undefined) cl.status("clReleaseEvent", marker);
      throw error;
    }
  }

  /** One wait, and one thread, for all work that begins before the event loop goes on. */
  private wait(cl: OpenCl, queue: Handle, marker: Handle): Promise<number> {
    this.last = marker;
    this.waiting ??= new Promise((resolve, reject) => {
      process.nextTick(() => {
        this.waiting = undefined;
        if (this.asksFirst && isSoonDone(cl, this.last)) resolve(cl.status("clFinish", queue));
        else cl.callAsync("clFinish", queue).then(resolve, reject);
      });
    });
    return this.waiting;
  }

  /** @param marker behind the work; it is released */
  private async finish(cl: OpenCl, queue: Handle, marker: Handle): Promise<void> {
    try {
      const status = await this.wait(cl, queue, marker);
      if (status !== 0) cl.status("clFinish", queue);
      cl.check("clFinish", status);
      checkDone(cl, marker);
    } finally {
      cl.status("clReleaseEvent", marker);
      this.underWay--;
    }
  }
}

/** Whether the device is done within {@link ASKED_MS}, or failed, which the check after the wait reports. The device may need this thread's core. */
function isSoonDone(cl: OpenCl, marker: Handle): boolean {
  const end = performance.now() + ASKED_MS;
  do {
    if (isEnded(cl, marker)) return true;
    cl.letOthersRun();
  } while (performance.now() < end);
  return false;
}
