/** Runtimes: devices, executables, device arrays and recorders. */

import type { Sides } from "@groupwise/ir/base/formula.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type { Carrying } from "@groupwise/lower/parts/strategy.js";
import type { Manifest } from "../plan/manifest.ts";
import type { DeviceArray, DeviceCount } from "./device-array.ts";
import type { PipelineSource } from "./target.ts";
import type {
  HostArrays,
  InferOutputArrays,
  InferOutputs,
  InferValues,
  InPlace,
  NoNames,
  SharedNames,
  StepArrays,
} from "./typed.ts";

/** The description of a device. */
export interface DeviceInfo {
  readonly target: string;
  readonly name: string;
  readonly driver: string;
  /** The hardware as its driver reports it, whatever the name. Runtimes that take a tuning have it. */
  readonly hardware?: string;
  /**
   * Operations that a probe of the device found inexact, as rows of its table: `Runtime.probe`. Other forms replace
   * them. A device is asked when a pipeline first uses the operation.
   */
  readonly inexact?: readonly string[];
}

/** Options of a run. */
export interface RunOptions {
  /** Number of items, if no input determines it. */
  readonly n?: number;
  /**
   * Items per dimension: required if the pipeline has two or three dimensions, and may replace `n` if it
   * has one. Dimension 0 varies fastest in arrays.
   */
  readonly globalSize?: readonly number[];
  /**
   * The first `globalId`, per dimension; default: zeros. It does not affect the positions of array elements.
   */
  readonly globalOffset?: readonly number[];
  /**
   * Outputs of earlier runs that are no longer needed, by name. A runtime in this process writes the outputs of items to those of the same type and length, and returns
   * views of them; otherwise, and for all that do not fit, outputs are new arrays. None may be an input of this run.
   */
  readonly spare?: Readonly<Record<string, unknown>>;
}

/** Options of a step. */
export interface StepOptions {
  /**
   * Number of items; arrays may be longer. Default: the length of the inputs, which must be equal. A count in
   * device memory requires a range of one dimension. A `broadcast` over a count of 0 is undefined.
   */
  readonly n?: number | DeviceCount;
  /** Items per dimension, as for `run`. */
  readonly globalSize?: readonly number[];
  /** The first `globalId`, as for `run`. */
  readonly globalOffset?: readonly number[];
  /**
   * At least `scratchBytes(…)` bytes, of any type; its contents are undefined before and after. Consecutive
   * steps can share it. Default: the recorder makes and frees it.
   */
  readonly scratch?: DeviceArray;
}

/**
 * Collects steps that run one after the other; each sees what earlier steps wrote. Nothing runs before
 * `submit`; nothing returns to the host.
 */
export interface Recorder {
  /**
   * Adds a step. Parameters are read now; arrays are read when the step runs.
   * @param executable compiled by the same runtime; a disposed one is refused here and at `submit`
   * @param arrays by name: an array for every input, table and output, a value for every parameter. The
   * arrays that a step writes must not overlap any other of its arrays; on some targets they must not be slices of
   * an array that it reads, either. An array that an input and an output share (`inPlace`) is passed under
   * either name.
   * @throws GroupwiseError before anything is added: `bad-argument`, `missing-input`, `missing-output`, `unknown-input`,
   * `wrong-dtype`, `bad-buffer` (too short, misaligned, overlapping), `bad-parameter`, `length-needed`,
   * `length-mismatch`, `bad-length`, `bad-range`, `too-many-items`, `empty-broadcast`, `foreign-device`, `disposed`
   */
  run<P extends PipelineSource, Shared extends string>(
    executable: Executable<P, Shared>,
    arrays: StepArrays<P, Shared>,
    options?: StepOptions,
  ): this;
  /**
   * Passes the steps to the device, in order; the recorder is then empty and can be used again. The steps are
   * queued when this returns, so later reads and submits need not wait for the promise, which resolves when
   * the device is done. Nobody needs to await it: an error also belongs to the arrays that the failed step would have written, whose reads throw it.
   * @throws GroupwiseError with the pipelines' names, also those of earlier work whose results a step reads: `scatter-outside`, `bad-divisor` for a count on the device, `device-error`, `device-lost`, `disposed`
   */
  submit(): Promise<void>;
}

/** Options of compile; they are part of the cache key. */
export interface CompileOptions<A = Readonly<Record<string, string>>> {
  /**
   * Names of outputs, each with the input whose array it uses: the input is overwritten. `{ sums: "values" }`
   * writes the sums over the values.
   */
  readonly inPlace?: A;
  /** Makes a pipeline over a chunk take and return its state; `stepper` of `@groupwise/core/state` passes it. */
  readonly carrying?: Carrying;
  /**
   * The number of items for which the runtime's `tuning` has sizes; by default a large one. The executable runs any number,
   * with the same results.
   */
  readonly items?: number;
  /** Sizes of tiles, in the place of those of the device and of its tuning. No size changes a result. */
  readonly tiles?: Tiles;
  /**
   * The kernels that `compile` waits for. With `"quickest"`, runs begin with those that compile quickly; the device compiles the fastest
   * ones when the pipeline runs a second time, and later runs use them. Both give the same results. Ignored by runtimes whose kernels all compile
   * quickly, and with `tiles`.
   */
  readonly waitFor?: WaitFor;
  /**
   * `"flush"`: sums and products are the device's own operations, and results that depend on subnormal numbers may differ on a device that flushes
   * them. By default they are exact.
   */
  readonly subnormals?: "flush";
  /**
   * False: what was compiled is freed with its last executable, unless one of them wants it kept. For pipelines that are made at run time and
   * not compiled again: a driver may take tens of megabytes for each. By default the last 128 are kept.
   */
  readonly keep?: boolean;
  /** False: all runs of the executable are the device's, also where the runtime has its option `small`. */
  readonly small?: boolean;
}

/** The kernels that `compile` waits for. */
export type WaitFor = "quickest" | "fastest";

declare const DECLARED: unique symbol;

/**
 * A pipeline compiled for one device; it can run any number of times. `P` is the type of the pipeline, which
 * determines the names and types of values and results; that of a document has none. `Shared` are the names of the
 * inputs and outputs that share arrays (`inPlace`).
 */
export interface Executable<P extends PipelineSource = PipelineSource, Shared extends string = never> {
  /** Exists only in types; objects do not have this property. */
  readonly [DECLARED]?: {
    /** The type of the pipeline. */
    readonly pipeline: P;
    /** Holds the names that share arrays. */
    readonly shares: (name: Shared) => void;
  };
  readonly plan: Plan;
  readonly manifest: Manifest;
  /**
   * Runs the pipeline. `values` and `options` are read before this returns: the caller may change or transfer arrays
   * immediately.
   * @throws GroupwiseError for wrong values before anything runs (`bad-argument`, `wrong-dtype`, `detached`,
   * …), for later errors of the device; always through the promise
   */
  run(values: InferValues<P>, options?: RunOptions): Promise<InferOutputs<P>>;
  /**
   * Bytes of a step's `scratch` for n items, or for a range of these sides; it grows monotonically.
   * @throws GroupwiseError `bad-argument`, `bad-length`, `bad-range`
   */
  scratchBytes(sides: Sides): number;
  /**
   * Resolves when runs use the fastest kernels, which are compiled when this is read or when the pipeline runs a second time; rejects if the
   * device cannot compile them, and runs then keep those they have. Absent if `compile` has waited for them.
   */
  readonly settled?: Promise<void> | undefined;
  /** What is measured of small runs so far; absent where the runtime has no option `small`. */
  readonly small?: SmallRuns | undefined;
  /**
   * Later runs throw `disposed`. When no run and no other executable of the same content uses its device objects, the runtime keeps them
   * for later calls of `compile`, or frees them (`Runtime.stats`).
   */
  dispose(): void;
}

/**
 * An executable that was made from emitted files, without anything that lowers: it has no plan, and its
 * outputs are arrays, including scalar outputs. `P` is the type of the pipeline, which the files do not contain.
 */
export interface LoadedProgram<P = unknown> extends Omit<Executable, "plan" | "run" | typeof DECLARED> {
  /** As in `Executable`. */
  run(values: InferValues<P>, options?: RunOptions): Promise<InferOutputArrays<P>>;
}

/** Small runs of a pipeline: those that a runtime of this process takes, because the device would take longer to answer. */
export interface SmallRuns {
  /** The name of the runtime's device. */
  readonly device: string;
  /** It takes runs of up to so many items: 0 before the device is measured, and where it is refused. */
  readonly items: number;
  /** Runs of the pipeline that it took. */
  readonly runs: number;
  /** Milliseconds of the quickest run on the device; absent before three of them. */
  readonly roundTrip?: number;
  /** Milliseconds an item, in the quickest of the runtime's last five runs of the pipeline; absent before the first. */
  readonly perItem?: number;
  /** Why it takes none of this pipeline. */
  readonly refused?: string;
}

/** How runtimes implement `compile`: names and types exist only in its signature, values are checked. */
export type UntypedCompile = (source: PipelineSource, options?: CompileOptions) => Promise<Executable>;

/** A time by the clock of a device. */
export interface DeviceTime {
  readonly milliseconds: number;
  /** Whether the device may have waited for the host meanwhile. Then the time includes the wait: it is an upper bound. */
  readonly waited: boolean;
}

/** What a runtime has compiled, in numbers of pipelines with their options. */
export interface RuntimeStats {
  /** Compiled so far. */
  readonly compiled: number;
  /** Calls of `compile` that compiled nothing, because the same content was compiled before. */
  readonly reused: number;
  /** Compiled pipelines that executables use. */
  readonly inUse: number;
  /** Compiled pipelines that none uses, which are kept for later calls: at most 128. Then the one that has not been used for the longest time is freed. */
  readonly kept: number;
  /** Runs that the runtime of the option `small` took; absent without it. */
  readonly small?: number;
}

/** A row of the probe of a device: an operation that emitted text takes from its language as exact. */
export interface ProbedRow {
  /** `i32 rem`: a type, and what is done with it. */
  readonly id: string;
  /** What the device computes instead of the exact result, or that it does not build the operation; absent if it is exact. */
  readonly reason?: string;
  /** What runtimes do instead, in words of `Capabilities`: expansions, emulated types. Absent if it is exact. */
  readonly instead?: readonly string[];
  /** True: nothing else is exact either, and pipelines that need it are refused. */
  readonly refused?: true;
}

/** What a probe shows of a device, as JSON holds it. A runtime with the option `probed` does not ask again. */
export interface ProbeReport {
  /** The version of groupwise that probed. */
  readonly generator: string;
  readonly target: string;
  /** `DeviceInfo.hardware` and `DeviceInfo.driver`: a report of others is left aside. */
  readonly hardware: string;
  readonly driver: string;
  readonly rows: readonly ProbedRow[];
}

/** A device that is ready to compile pipelines. */
export interface Runtime {
  readonly device: DeviceInfo;
  readonly capabilities: Capabilities;
  /** Alignment in bytes of slices in steps: a power of two, 1 without restriction. */
  readonly sliceAlignment: number;
  /**
   * Checks, lowers, emits and compiles for this device. Reuses compiled objects of the same content (the
   * document without source locations, and the options), also after their executables are disposed: `stats` counts them.
   * @throws GroupwiseError what `emit` throws; `bad-argument`; `in-place-refused`; `device-limit`, `device-error`, `device-lost`,
   * `disposed`
   */
  compile<P extends PipelineSource, const A extends Readonly<Record<string, string>> = NoNames>(
    source: P,
    options?: CompileOptions<InPlace<P, A>>,
  ): Promise<Executable<P, SharedNames<A>>>;
  /** Counts what is compiled. */
  stats(): RuntimeStats;
  /**
   * A device array: of zeros, or of the host's values, which the caller may change when this returns.
   * @throws GroupwiseError `unknown-type`, `bad-length`, `wrong-dtype`, `detached`, `device-limit`,
   * `unsupported`, `disposed`; if the device cannot report lack of memory immediately, the step, write or
   * read that needs it does
   */
  array<S extends ArrayType>(type: S, lengthOrValues: number | HostArrays[S]): DeviceArray<S>;
  /** @throws GroupwiseError `disposed` */
  record(): Recorder;
  /**
   * The time that the device takes for what `work` queues before it returns, by the device's clock; absent if the device has none. A
   * device that gets each command on its own must be busy with earlier commands until `work` returns, or the time includes that of the
   * host, which `waited` says. The clock may tick as slowly as every 0.1 ms: measure many steps at once.
   * @throws what `work` throws; GroupwiseError `device-error`, `device-lost`, `disposed`
   */
  readonly deviceTime?: (work: () => Promise<void>) => Promise<DeviceTime>;
  /**
   * Probes the device: every operation that texts for it rely on. Absent for languages that leave nothing to a device. `compile` asks for what a
   * pipeline needs.
   * @throws GroupwiseError `device-error`, `device-lost`, `disposed`
   */
  readonly probe?: () => Promise<ProbeReport>;
  /** What the device was asked so far, for the option `probed` of a later runtime. It asks nothing. */
  readonly probed?: () => Promise<ProbeReport>;
  /** Frees the executables and arrays of the runtime. */
  dispose(): void;
}
