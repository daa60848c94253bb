/** Arrays in a device's memory. */
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { HostArrays, ResultArrays } from "./typed.ts";

/**
 * Elements in a device's memory, or a range of them. All calls take effect in the order in which they are
 * made, for all arrays of a runtime: a write does not affect earlier submits, and a read sees all of their
 * results.
 */
export interface DeviceArray<S extends ArrayType = ArrayType> {
  readonly type: S;
  /** Number of elements. */
  readonly length: number;
  /** Bytes of device memory from the first element to the end of the last. */
  readonly byteLength: number;
  /**
   * The elements from `from` up to `to` (default: the end), in the same memory, without a copy. A slice in a
   * step must begin at a multiple of the runtime's `sliceAlignment` bytes.
   * @throws GroupwiseError `bad-slice`, `disposed`
   */
  slice(from: number, to?: number): DeviceArray<S>;
  /**
   * Copies host values to the first elements. The caller may change the host array when this returns.
   * @throws GroupwiseError `wrong-dtype`, `detached`, `bad-buffer` for more values than elements, `disposed`
   */
  write(values: HostArrays[S]): void;
  /**
   * The elements, copied to the host.
   * @throws GroupwiseError the error of the step that should have written them, each time until they are written again;
   * `disposed`, `device-error`, `device-lost`; errors name the last submitted pipelines, if they caused them
   */
  read(): Promise<ResultArrays[S]>;
  /**
   * Frees the memory when the submitted work is done; does nothing for a slice. Later uses, also of slices,
   * throw `disposed`.
   */
  dispose(): void;
}

/** A number of items in device memory, read when the step begins. */
export interface DeviceCount {
  /** The array; its element `at` is the number. */
  readonly count: DeviceArray<"u32">;
  /** Default: 0. */
  readonly at?: number;
  /**
   * Maximum number of items; a larger count is silently limited to it. Arrays and scratch must be large
   * enough for it. Elements of outputs past the count are unchanged, or zero if a scatter clears them.
   */
  readonly max: number;
}
