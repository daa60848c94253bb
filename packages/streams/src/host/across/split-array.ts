/** Arrays in parts, one on each of several runtimes. */
import { errorOf, GroupwiseError } from "@groupwise/ir/base/errors.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { DeviceArray } from "@groupwise/runtime/api/device-array.js";
import type { Runtime } from "@groupwise/runtime/api/runtime.js";
import type { HostArrays, ResultArrays } from "@groupwise/runtime/api/typed.js";
import { newArray, writable } from "@groupwise/runtime/checks/checks.js";
import { readOf, written } from "@groupwise/runtime/run/outcomes.js";
import type { OwnArray } from "@groupwise/runtime/run/own-array.js";
import { joinArrays } from "../state/results.ts";
import type { Appender } from "./append.ts";

/**
 * Elements in the memory of several devices: each holds a range of them, or all of a table. Reads, writes and submits take effect in the
 * order in which they are made.
 */
export interface SplitArray<S extends ArrayType = ArrayType> {
  readonly type: S;
  /** Number of elements on all devices together; of a table, on each. */
  readonly length: number;
  /**
   * For each runtime the number of its first element, and the length at the end; undefined for tables. The elements of a compaction are
   * not divided by them.
   */
  readonly cuts: readonly number[] | undefined;
  /** The device arrays, one for each runtime. Their own runtime may use them while no call of the split array is pending. */
  readonly parts: readonly DeviceArray<S>[];
  /**
   * Copies host values to the first elements. The caller may change the host array when this returns. After a compaction the array
   * again has `length` elements, of which those that are not written are undefined.
   * @throws GroupwiseError as `DeviceArray.write`, through the promise
   */
  write(values: HostArrays[S]): Promise<void>;
  /**
   * The elements, copied to the host. If a compaction wrote the array, these are its elements, in the order of their items: as many as the items
   * write.
   * @throws GroupwiseError as `DeviceArray.read`
   */
  read(): Promise<ResultArrays[S]>;
  /**
   * The number of elements on each device, from the first of its part on: all of the part, or as many as its items write if a compaction wrote the array.
   * @throws GroupwiseError `disposed`, through the promise
   */
  counts(): Promise<readonly number[]>;
  /** Frees the memory after all earlier calls; later uses throw `disposed`. */
  dispose(): void;
}

/** Runs one thing after the other. */
export class InOrder {
  private last: Promise<unknown> = Promise.resolve();

  do<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}

/** The runtimes of split arrays. */
export interface SplitHome {
  readonly runtimes: readonly Runtime[];
  readonly order: InOrder;
  /** One for each runtime. */
  readonly appenders: readonly Appender[];
  /** The cuts of an array. */
  cutsOf(length: number): readonly number[];
}

/** A split array in the form for the checks of steps, which has no slices. */
export class OwnSplit<S extends ArrayType = ArrayType> implements SplitArray<S>, OwnArray {
  readonly type: S;
  readonly length: number;
  readonly byteLength: number;
  readonly byteOffset: number = 0;
  readonly cuts: readonly number[] | undefined;
  readonly parts: readonly DeviceArray<S>[];
  readonly home: SplitHome;
  private isDisposed = false;
  private compacted: readonly number[] | undefined;

  /** @throws GroupwiseError as `Runtime.array` */
  constructor(home: SplitHome, type: S, lengthOrValues: number | HostArrays[S], isTable: boolean) {
    const { length, values } = newArray(type, lengthOrValues);
    const cuts = isTable ? undefined : home.cutsOf(length);
    const parts: DeviceArray<S>[] = [];
    try {
      for (const [i, runtime] of home.runtimes.entries()) {
        const [from, to] = rangeOf(cuts, i, length);
        const given = (values?.subarray(from, to) ?? to - from) as number | HostArrays[S];
        parts.push(runtime.array(type, given));
      }
    } catch (error) {
      for (const part of parts) part.dispose();
      throw error;
    }
    this.home = home;
    this.type = type;
    this.length = length;
    this.byteLength = parts.reduce((sum, part) => sum + part.byteLength, 0);
    this.cuts = cuts;
    this.parts = parts;
  }

  get root(): this {
    return this;
  }

  check(): void {
    if (this.isDisposed) throw errorOf("disposed", { what: "the array" });
  }

  /** The number of elements of each part, if a compaction wrote the array; for callers that are in order. */
  get held(): readonly number[] | undefined {
    return this.compacted;
  }

  /** @param counts of the elements that a compaction wrote; undefined if all elements are those of a range */
  hold(counts: readonly number[] | undefined): void {
    this.compacted = counts;
  }

  async counts(): Promise<readonly number[]> {
    this.check();
    return readOf(
      this,
      this.home.order.do(() => this.held ?? this.parts.map(({ length }) => length)),
    );
  }

  write(values: HostArrays[S]): Promise<void> {
    const copy = this.copyOf(values);
    if (copy instanceof GroupwiseError) return Promise.reject(copy);
    const done = this.home.order.do(() => this.put(copy));
    // Later reads have the error of a part that fails.
    written(this, copy.length, done);
    done.catch(() => {});
    return done;
  }

  /** A copy of values to write, or what is wrong with them. */
  private copyOf(values: HostArrays[S]): HostArray | GroupwiseError {
    try {
      this.check();
      return writable(this.type, this.length, values).slice() as HostArray;
    } catch (error) {
      if (error instanceof GroupwiseError) return error;
      throw error;
    }
  }

  /** Writes immediately; for callers that are already in order. */
  put(values: HostArray): void {
    this.hold(undefined);
    for (const [i, part] of this.parts.entries()) {
      const [from, to] = rangeOf(this.cuts, i, this.length);
      const some = values.subarray(from, to);
      if (some.length > 0) part.write(some as HostArrays[S]);
    }
  }

  async read(): Promise<ResultArrays[S]> {
    this.check();
    return readOf(
      this,
      this.home.order.do(() => this.readAll()),
    );
  }

  private async readAll(): Promise<ResultArrays[S]> {
    if (this.cuts === undefined) return (this.parts[0] as DeviceArray<S>).read();
    const { held } = this;
    const read = this.parts.map((part, i) => (held ? part.slice(0, held[i]) : part).read());
    return joinArrays((await Promise.all(read)) as HostArray[]) as ResultArrays[S];
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    void this.home.order.do(() => {
      for (const part of this.parts) part.dispose();
    });
  }
}

const rangeOf = (
  cuts: readonly number[] | undefined,
  i: number,
  length: number,
): readonly [number, number] => (cuts ? [cuts[i] as number, cuts[i + 1] as number] : [0, length]);

/**
 * The cuts of arrays: parts in proportion to the shares that begin at multiples of a power of two, which results in few pieces.
 * @param least the minimum distance of cuts, a power of two
 */
export function splitCuts(length: number, shares: readonly number[], least: number): readonly number[] {
  const sum = shares.reduce((a, b) => a + b, 0);
  const step = Math.max(least, 2 ** (Math.floor(Math.log2(Math.max(1, length / shares.length))) - 5));
  let before = 0;
  const inner = shares.slice(0, -1).map((share) => {
    before += share;
    return Math.min(length, Math.round(((before / sum) * length) / step) * step);
  });
  return [0, ...inner, length];
}
