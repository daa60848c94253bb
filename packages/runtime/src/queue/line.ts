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
  recent = "";
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
    const named = this.named(driver);
    let marker: Marker | undefined;
    try {
      const started = start();
      marker = this.mark(named);
      this.underWay++;
      return { done: this.finish(named, marker).then(() => started) };
    } catch (error) {
      driver.finish();
      marker?.release();
      throw error;
    }
  }

  /** A marker behind what is queued, with which the device begins. */
  mark(driver: Driver): Marker {
    const named = this.named(driver);
    const marker = named.mark();
    named.flush();
    return marker;
  }

  /**
   * Waits for a marker, within a request of {@link do}: on this thread for a short time, then on another one.
   * @param marker it is released
   * @param until when this thread gives way in any case
   * @returns undefined if this thread waited
   */
  pass(driver: Driver, marker: Marker, until: number): Promise<void> | undefined {
    if (!isDone(driver, marker, Math.min(until, driver.now() + ASKED_MS))) {
      const named = this.named(driver);
      return passed(named, marker, named.finishElsewhere());
    }
    try {
      marker.check();
      return undefined;
    } finally {
      marker.release();
    }
  }

  private named(driver: Driver): Driver {
    return driver.where ? driver : driver.for(this.recent);
  }

  /** One wait, and one thread, for all work that begins before the event loop goes on. */
  private wait(driver: Driver, marker: Marker): Promise<number> {
    this.last = marker;
    this.waiting ??= new Promise((resolve, reject) => {
      driver.defer(() => {
        this.waiting = undefined;
        const isSoon = this.asksFirst && isDone(driver, this.last as Marker, driver.now() + ASKED_MS);
        if (isSoon) resolve(driver.finish());
        else driver.finishElsewhere().then(resolve, reject);
      });
    });
    return this.waiting;
  }

  private async finish(driver: Driver, marker: Marker): Promise<void> {
    try {
      await passed(driver, marker, this.wait(driver, marker));
    } finally {
      this.underWay--;
    }
  }
}

/**
 * The end of a wait for the queue, which releases the marker.
 * @throws GroupwiseError `device-error` if the wait failed, or work before the marker
 */
async function passed(driver: Driver, marker: Marker, waiting: Promise<number>): Promise<void> {
  try {
    const status = await waiting;
    if (status !== 0) driver.finish();
    driver.check("the wait for the queue", status);
    marker.check();
  } finally {
    marker.release();
  }
}

/** Whether the device is done before that time, or failed, which the check after the wait reports. The device may need this thread's core. */
function isDone(driver: Driver, marker: Marker, end: number): boolean {
  while (driver.now() < end) {
    if (marker.isEnded()) return true;
    driver.letOthersRun();
  }
  return false;
}
