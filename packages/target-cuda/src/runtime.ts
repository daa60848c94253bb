/**
 * Runs pipelines on NVIDIA GPUs through CUDA's driver and NVRTC, by koffi.
 * @module
 */

import type { Capabilities, ProbeReport, Tuning } from "@groupwise/core";
import { type Backend, Pool, type QueueRuntime, queueRuntime } from "@groupwise/core/queue";
import {
  BOOLEAN,
  NUMBER,
  OBJECT,
  optionsOf,
  PROBED,
  requireArguments,
  TEXT,
  type Wanted,
} from "@groupwise/core/target";
import { KeptCode, PROGRAM_CACHE, type ProgramCache } from "@groupwise/target-c/native";
import { kernelsOf } from "./device/compile.ts";
import { type CudaDevice, chooseDevice, findDevices } from "./device/device.ts";
import { CudaDriver } from "./device/driver.ts";
import type { Cuda } from "./device/ffi.ts";
import { openLibrary } from "./device/library.ts";
import { makePool } from "./device/memory.ts";
import { cuda as target } from "./print/target.ts";

export type { LoadedProgram } from "@groupwise/core";
export type { ProgramCache, ProgramStore } from "@groupwise/target-c/native";
export type { CudaDevice } from "./device/device.ts";

/** Options of a runtime: the device, and its capabilities. */
export interface CudaOptions {
  /** Index in `listCudaDevices`, or a part of the device's name. Default: the first. */
  readonly device?: number | string;
  /** Capabilities for lowering, instead of those of the target. */
  readonly capabilities?: Capabilities;
  /**
   * True: kernels report accesses outside of arrays and reads of what nothing wrote (`bad-access`), in steps of recorders too, and `run` first
   * checks by the reference that no two items write one slot (`scatter-conflict`). Both take far longer than the run. Default: false.
   */
  readonly debug?: boolean;
  /** False: kernels do not shuffle within warps. */
  readonly subgroups?: boolean;
  /**
   * Sizes of tiles that were measured on a device of the same hardware, as `parseTuning` of `@groupwise/core/tuning` reads them;
   * a tuning of other hardware is an error.
   */
  readonly tuning?: Tuning;
  /**
   * What an earlier `probe()` of this device showed, which is not asked again. A report of other hardware, another driver or another version of
   * groupwise is left aside.
   */
  readonly probed?: ProbeReport;
  /**
   * Where what NVRTC compiles outlives the process: the path of a folder, which is made if it is not there, or functions. A later runtime on the same kind of
   * device, with the same driver and NVRTC, compiles nothing that is there. What is damaged, or refused by the driver, is compiled again. Whoever can
   * write there decides what this process runs, so a folder to which other users can write is refused (`bad-file`).
   */
  readonly cache?: ProgramCache;
  /** True: the stream records times, and the runtime has `deviceTime`. Default: false. */
  readonly profiling?: boolean;
}

const OPTIONS: { readonly [K in keyof Required<CudaOptions>]: Wanted } = {
  device: { want: "a number or a part of a name", is: (value) => NUMBER.is(value) || TEXT.is(value) },
  capabilities: OBJECT,
  debug: BOOLEAN,
  subgroups: BOOLEAN,
  tuning: OBJECT,
  probed: PROBED,
  cache: PROGRAM_CACHE,
  profiling: BOOLEAN,
};

/** A CUDA device with its primary context and a stream. */
export interface CudaRuntime extends QueueRuntime {
  readonly info: CudaDevice;
}

/**
 * Every device of CUDA's driver.
 * @throws GroupwiseError `device-missing` if koffi, the driver or NVRTC is not installed
 * @example
 * ```ts
 * import { listCudaDevices } from "@groupwise/target-cuda/runtime";
 *
 * for (const { name } of await listCudaDevices()) console.log(name);
 * ```
 */
export async function listCudaDevices(): Promise<CudaDevice[]> {
  requireArguments(arguments, "listCudaDevices", []);
  return findDevices(await openLibrary());
}

/**
 * Opens a device. Default: the first one.
 * @throws GroupwiseError `device-missing`, `device-error`, `foreign-tuning`, `bad-file`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { cudaRuntime } from "@groupwise/target-cuda/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await (await cudaRuntime()).compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export async function cudaRuntime(given?: CudaOptions): Promise<CudaRuntime> {
  const options = optionsOf(given, OPTIONS, "the options of cudaRuntime") as CudaOptions;
  const library = await openLibrary();
  const info = chooseDevice(findDevices(library), options.device);
  const { device: _, profiling = false, cache, ...rest } = options;
  const { name, computeCapability, driver } = info;
  const kept =
    cache === undefined ? undefined : new KeptCode(cache, [target.name, name, computeCapability, driver]);
  const backend = backendOf(library.for(name), info, { profiling, kept });
  try {
    const runtime = queueRuntime(backend, { ...rest, asksFirst: true });
    return Object.defineProperties({ info } as CudaRuntime, Object.getOwnPropertyDescriptors(runtime));
  } catch (error) {
    backend.release();
    throw error;
  }
}

const NON_BLOCKING = 1;
const DISABLE_TIMING = 2;

function backendOf(
  cuda: Cuda,
  info: CudaDevice,
  { profiling, kept }: { readonly profiling: boolean; readonly kept: KeptCode | undefined },
): Backend {
  const held = new Pool();
  try {
    const ordinal = cuda.integer("cuDeviceGet", info.index);
    const context = cuda.make("cuDevicePrimaryCtxRetain", ordinal);
    held.add(context, () => cuda.status("cuDevicePrimaryCtxRelease_v2", ordinal));
    cuda.call("cuCtxSetCurrent", context);
    const own = (release: string, made: bigint): bigint => held.add(made, (one) => cuda.status(release, one));
    const pool = own("cuMemPoolDestroy", makePool(cuda, ordinal));
    const queue = own("cuStreamDestroy_v2", cuda.make("cuStreamCreate", NON_BLOCKING));
    const transfers = own("cuStreamDestroy_v2", cuda.make("cuStreamCreate", NON_BLOCKING));
    const arrived = own("cuEventDestroy_v2", cuda.make("cuEventCreate", DISABLE_TIMING));
    const buffers = new Set<bigint>();
    const driver = new CudaDriver(cuda, {
      info,
      context,
      pool,
      queue,
      transfers,
      arrived,
      profiling,
      buffers,
    });
    return {
      target,
      suffix: "cu",
      driver,
      device: { target: target.name, name: info.name, driver: info.driver, hardware: info.name },
      key: [info.index, info.name, info.driver].join(", "),
      capabilities: target.capabilities,
      has: (what) => what === "subgroups",
      subgroupObstacle: async () => undefined,
      compile: (named, manifest, text, made) => kernelsOf(named as CudaDriver, manifest, text, made, kept),
      release: () => {
        driver.finish();
        for (const buffer of [...buffers]) driver.release(buffer);
        driver.finish();
        held.release();
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
}
