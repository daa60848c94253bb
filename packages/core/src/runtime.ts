/** What runs pipelines: devices, executables, and for authors of libraries arrays that stay on a device. */
import type { Capabilities } from "./capabilities.ts";
import type { Sides } from "./formula.ts";
import type { Plan } from "./lower/lower.ts";
import type { Manifest } from "./manifest.ts";
import type { HostArray, Scalar, ScalarValue } from "./scalar.ts";
import type { PipelineSource } from "./target.ts";

/** A device as people and benchmarks name it. */
export interface DeviceInfo {
  readonly target: string;
  readonly name: string;
  readonly driver: string;
}

/** By name: a host array for each input, a value for each parameter. */
export type RunValues = Readonly<Record<string, HostArray | ScalarValue>>;
/** By name: n elements, one per group, or one, as the output's value changes; a scatter's up to its length. */
export type RunOutputs = Record<string, HostArray>;

/** What a run can be told beside its values. */
export interface RunOptions {
  /** Number of items, where no input tells it. */
  readonly n?: number;
  /**
   * Items per dimension: it must be given where the pipeline has two or three, and may stand for `n` where it
   * has one. Arrays of the range hold the items with dimension 0 running fastest.
   */
  readonly globalSize?: readonly number[];
  /** What `globalId` counts from, per dimension; zeros where it is absent. It moves no element of any array. */
  readonly globalOffset?: readonly number[];
}

/** The host's array for each element type: an f16 as its 16 bits, a bool as a byte that is 0 or 1. */
export interface HostArrays {
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly i64: BigInt64Array;
  readonly u64: BigUint64Array;
  readonly f16: Uint16Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly bool: Uint8Array;
}

/**
 * Elements in a device's memory, or a range of such. All calls take effect in the order in which they are made,
 * on every array of a runtime: a write does not reach what was submitted before it, a read sees all of it.
 */
export interface DeviceArray<S extends Scalar = Scalar> {
  readonly type: S;
  /** Number of elements. */
  readonly length: number;
  /** Bytes of device memory from the first element to the end of the last. */
  readonly byteLength: number;
  /**
   * The elements from `from` up to `to` (the end, where it is absent): the same memory, no copy. A step takes
   * it where it begins at a multiple of the runtime's `sliceAlignment` bytes.
   * @throws GroupwiseError `bad-slice`, `disposed`
   */
  slice(from: number, to?: number): DeviceArray<S>;
  /**
   * Copies host values to the first elements. The host's array may change once this returns.
   * @throws GroupwiseError `wrong-dtype`, `detached`, `bad-buffer` for more values than elements, `disposed`
   */
  write(values: HostArrays[S]): void;
  /**
   * The elements, copied to the host.
   * @throws GroupwiseError `disposed`, `device-error`, `device-lost`; errors name the pipelines that were
   * submitted last, where they caused them
   */
  read(): Promise<HostArrays[S]>;
  /** Frees the memory once what was submitted is done; of a slice, nothing. Uses, also of slices, throw `disposed`. */
  dispose(): void;
}

/** A number of items that stands in device memory when the step begins. */
export interface DeviceCount {
  /** Its element `at` is the number. */
  readonly count: DeviceArray<"u32">;
  /** 0 where it is absent. */
  readonly at?: number;
  /**
   * Most items, which a larger count is cut to, in silence. Arrays and scratch must be large enough for so many;
   * elements of outputs past those of the count are left as they are, or zero where a scatter clears them.
   */
  readonly max: number;
}

/** What a step can be told beside its arrays. */
export interface StepOptions {
  /**
   * Number of items; arrays may be longer. Where it is absent, the inputs must have one length, which it is.
   * A count in device memory is for ranges of one dimension. A `broadcast` over a count of 0 gives any value.
   */
  readonly n?: number | DeviceCount;
  /** Items per dimension, as for `run`. */
  readonly globalSize?: readonly number[];
  /** What `globalId` counts from, as for `run`. */
  readonly globalOffset?: readonly number[];
  /**
   * At least `scratchBytes(…)` bytes, of any type; its elements are anything before and after. Steps that follow
   * one another can share it. Made and freed by the recorder where it is not given.
   */
  readonly scratch?: DeviceArray;
}

/**
 * Collects steps that run one after the other, each seeing what those before it wrote. Nothing runs before
 * `submit`; nothing returns to the host.
 */
export interface Recorder {
  /**
   * Adds a step. Values of parameters are taken now; what the arrays hold counts when the step runs.
   * @param executable compiled by the same runtime; a disposed one is refused here and at `submit`
   * @param arrays by name: an array for every input, table and output, a value for every parameter. The arrays
   * that a step writes must not overlap any other of its arrays; on WebGPU they must not be slices of an array that
   * it reads, either. An input that an output stands in (`inPlace`) is
   * given under either name.
   * @throws GroupwiseError before anything is added: `bad-argument`, `missing-input`, `missing-output`, `unknown-input`,
   * `wrong-dtype`, `bad-buffer` (too short, misaligned, overlapping), `bad-parameter`, `length-needed`,
   * `length-mismatch`, `bad-length`, `bad-range`, `too-many-items`, `empty-broadcast`, `foreign-device`, `disposed`
   */
  run(
    executable: Executable,
    arrays: Readonly<Record<string, DeviceArray | ScalarValue>>,
    options?: StepOptions,
  ): this;
  /**
   * Hands the steps to the device, in order; the recorder is empty then and can be used again. They are queued
   * when this returns, so that reads and submits that follow need not wait for the promise, which is kept when
   * the device is done.
   * @throws GroupwiseError with the pipelines' names: `scatter-outside`, `device-error`, `device-lost`, `disposed`
   */
  submit(): Promise<void>;
}

/** What compiling can be told; it is a part of what the pipeline is cached by. */
export interface CompileOptions {
  /**
   * Names of outputs, each with the input whose array it shall stand in: the input is gone then.
   * `{ sums: "values" }` leaves the sums where the values were.
   */
  readonly inPlace?: Readonly<Record<string, string>>;
}

/** A pipeline made ready for one device; it can run any number of times. */
export interface Executable {
  readonly plan: Plan;
  readonly manifest: Manifest;
  /**
   * Runs it. All that is read of `values` and `options` is read before this returns: arrays may change, move and
   * be transferred at once.
   * @throws GroupwiseError for wrong values before anything runs (`bad-argument`, `wrong-dtype`, `detached`, …), for
   * what the device reports after; always through the promise
   */
  run(values: RunValues, options?: RunOptions): Promise<RunOutputs>;
  /**
   * Bytes that a step's `scratch` needs for n items, or for a range of these sides; it grows with each of them.
   * @throws GroupwiseError `bad-argument`, `bad-length`, `bad-range`
   */
  scratchBytes(sides: Sides): number;
  /** Frees what the device holds for it once no run and no other executable of the same content uses it; runs throw `disposed` from now on. */
  dispose(): void;
}

/** A device that is ready to compile pipelines. */
export interface Runtime {
  readonly device: DeviceInfo;
  readonly capabilities: Capabilities;
  /** Bytes: slices that steps take begin at multiples of it. A power of two, 1 where any place will do. */
  readonly sliceAlignment: number;
  /**
   * Checks, lowers, emits and compiles for this device. What was compiled of the same content (the document
   * but for the places in its author's source, and the options) and is not disposed is used again.
   * @throws GroupwiseError what `emit` throws; `bad-argument`; `in-place-refused`; `device-limit`, `device-error`, `device-lost`,
   * `disposed`
   */
  compile(source: PipelineSource, options?: CompileOptions): Promise<Executable>;
  /**
   * An array on the device: of zeros, or of the host's values, which may change once this returns.
   * @throws GroupwiseError `unknown-type`, `bad-length`, `wrong-dtype`, `detached`, `device-limit`, `unsupported`, `disposed`; memory that is
   * not there is reported by the step, write or read that meets it, where the device cannot tell at once
   */
  array<S extends Scalar>(type: S, lengthOrValues: number | HostArrays[S]): DeviceArray<S>;
  /** @throws GroupwiseError `disposed` */
  record(): Recorder;
  /** Frees what the runtime made: executables and arrays. */
  dispose(): void;
}
