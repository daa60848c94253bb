/** The order of the work on a queue, and the work in progress. */
import type { Driver, Marker } from "./driver.ts";

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
  private last: Marker | undefined;
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
  begin<T>(driver: Driver, start: () => T): Begun<T> {
    const named = driver.for(driver.where || this.recent.join(", "));
    let marker: Marker | undefined;
    try {
      const started = start();
      marker = named.mark();
      named.flush();
      this.underWay++;
      return { done: this.finish(named, marker).then(() => started) };
    } catch (error) {
      driver.finish();
      marker?.release();
      throw error;
    }
  }

  /** One wait, and one thread, for all work that begins before the event loop goes on. */
  private wait(driver: Driver, marker: Marker): Promise<number> {
    this.last = marker;
    this.waiting ??= new Promise((resolve, reject) => {
      driver.defer(() => {
        this.waiting = undefined;
        if (this.asksFirst && isSoonDone(driver, this.last as Marker)) resolve(driver.finish());
        else driver.finishElsewhere().then(resolve, reject);
      });
    });
    return this.waiting;
  }

  /** @param marker behind the work; it is released */
  private async finish(driver: Driver, marker: Marker): Promise<void> {
    try {
      const status = await this.wait(driver, marker);
      if (status !== 0) driver.finish();
      driver.check("the wait for the queue", status);
      marker.check();
    } finally {
      marker.release();
      this.underWay--;
    }
  }
}

/** Whether the device is done within {@link ASKED_MS}, or failed, which the check after the wait reports. The device may need this thread's core. */
function isSoonDone(driver: Driver, marker: Marker): boolean {
  const end = driver.now() + ASKED_MS;
  do {
    if (marker.isEnded()) return true;
    driver.letOthersRun();
  } while (driver.now() < end);
  return false;
}
