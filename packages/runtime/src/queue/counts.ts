/** Numbers of items in device memory, which the host needs for launches. */
import type { Step } from "../run/step.ts";
import type { DeviceBuffer, QueueArray } from "./array.ts";
import type { HostWords, Marker } from "./driver.ts";
import type { Session } from "./program.ts";

const WORD = 4;

type Counted = Pick<Step<QueueArray>, "count"> & {
  /** The arrays that it may write; slices share memory. */
  readonly written: readonly QueueArray[];
};

/** A number, for all steps up to the next that may write it. */
interface Place {
  readonly buffer: DeviceBuffer;
  readonly offset: number;
  readonly reading: Reading;
  /** What was read. */
  value?: number;
}

/** The numbers that one step may write: they are read together. */
interface Reading {
  readonly places: Place[];
  /** Of the words of the submission. */
  first: number;
  /** Behind the reads, until they were waited for. */
  marker?: Marker | undefined;
}

/** The numbers of a submission while its steps are queued. Each is read behind the last step that may write it, and not behind later ones. */
export class StepCounts {
  private readonly session: Session;
  private readonly words: HostWords;
  /** By the position of the step that needs it. */
  private readonly places = new Map<number, Place>();
  /** By the position of the step that may write it; -1: none. */
  private readonly readings = new Map<number, Reading>();

  constructor(session: Session, steps: readonly Counted[]) {
    this.session = session;
    const writers = new Map<DeviceBuffer, number>();
    const known = new Map<DeviceBuffer, Place[]>();
    steps.forEach(({ count, written }, i) => {
      if (count) {
        const { buffer, byteOffset } = count.array;
        const offset = byteOffset + WORD * count.at;
        const same = known.get(buffer) ?? [];
        known.set(buffer, same);
        const make = (): Place => {
          const reading = this.readingAfter(writers.get(buffer) ?? -1);
          const place = { buffer, offset, reading };
          reading.places.push(place);
          same.push(place);
          return place;
        };
        this.places.set(i, same.find((one) => one.offset === offset) ?? make());
      }
      for (const { buffer } of written) {
        writers.set(buffer, i);
        known.delete(buffer);
      }
    });
    let total = 0;
    for (const reading of this.readings.values()) {
      reading.first = total;
      total += reading.places.length;
    }
    this.words = session.counts.take(total);
    this.readAfter(-1);
  }

  private readingAfter(writer: number): Reading {
    const reading = this.readings.get(writer) ?? { places: [], first: 0 };
    this.readings.set(writer, reading);
    return reading;
  }

  /** Queues the reads of what a step may have written. */
  readAfter(step: number): void {
    const reading = this.readings.get(step);
    if (!reading) return;
    const { driver, line } = this.session;
    reading.places.forEach(({ buffer, offset }, i) => {
      this.words.read(buffer.range(offset), reading.first + i);
    });
    reading.marker = line.mark(driver);
  }

  /**
   * Waits for the number of a step.
   * @param until when this thread gives way
   * @returns undefined if this thread waited
   */
  wait(step: number, until: number): Promise<void> | undefined {
    const { reading } = this.places.get(step) as Place;
    const { marker } = reading;
    if (!marker) return undefined;
    reading.marker = undefined;
    const { driver, line } = this.session;
    return line.pass(driver, marker, until);
  }

  /** The number of a step, after the wait. */
  items(step: number): number {
    const place = this.places.get(step) as Place;
    if (place.value === undefined) {
      const { first, places } = place.reading;
      const values = this.words.take(first, places.length);
      for (const [i, one] of places.entries()) one.value = values[i] as number;
    }
    return place.value as number;
  }

  /** Releases what no step waited for, after a failure. */
  release(): void {
    for (const reading of this.readings.values()) {
      reading.marker?.release();
      reading.marker = undefined;
    }
  }
}

/** Those of steps; undefined if there are none. */
export const countsOf = (session: Session, steps: readonly Counted[]): StepCounts | undefined =>
  steps.some(({ count }) => count) ? new StepCounts(session, steps) : undefined;
