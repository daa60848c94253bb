/**
 * Runs pipelines on OpenCL devices through koffi.
 * @module
 */

import type { Capabilities, ProbeReport, Tuning } from "@groupwise/core";
import { type Backend, type Handle, Pool, type QueueRuntime, queueRuntime } from "@groupwise/core/queue";
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
import { CL } from "./device/constants.ts";
import {
  chooseDevice,
  type FoundOpenclDevice,
  findDevices,
  isOnlyGpu,
  type OpenClDevice,
} from "./device/device.ts";
import { OpenClDriver } from "./device/driver.ts";
import type { OpenCl } from "./device/ffi.ts";
import { openLibrary } from "./device/library.ts";
import { capabilitiesOf, chunksOf, hasSubgroups, subgroupsOf } from "./print/capabilities.ts";
import { opencl } from "./print/target.ts";
import { hasFeature, kernelsOf, type OpenedDevice } from "./runtime/program.ts";
import { subgroupObstacle } from "./runtime/subgroups.ts";

export type { LoadedProgram } from "@groupwise/core";
export type { ProgramCache, ProgramStore } from "@groupwise/target-c/native";
export type { OpenClDevice } from "./device/device.ts";
export { capabilitiesOf } from "./print/capabilities.ts";

/** Options of a runtime: the device, and its capabilities. */
export interface OpenClOptions {
  /** Index in `listOpenClDevices`, or a part of the device's, platform's or vendor's name. */
  readonly device?: number | string;
  /** Capabilities for lowering, instead of those that the device reports. */
  readonly capabilities?: Capabilities;
  /** False: never use the language's own work-group functions. */
  readonly native?: boolean;
  /**
   * True: kernels report accesses outside of arrays and reads of what nothing wrote (`bad-access`), in steps of recorders too, and `run` first
   * checks by the reference that no two items write one slot (`scatter-conflict`). Both take far longer than the run. Default: false.
   */
  readonly debug?: boolean;
  /**
   * Whether kernels shuffle within subgroups. Default: if the device passes the test and is not a CPU. With
   * `true`, a device that fails the test is an error.
   */
  readonly subgroups?: boolean;
  /** Whether each work-item runs a chunk of the range as one loop, where the pipeline allows it. Default: on CPUs. */
  readonly chunks?: boolean;
  /**
   * Sizes of tiles that were measured on a device of the same hardware, as `parseTuning` of `@groupwise/core/tuning` reads them;
   * a tuning of other hardware is an error.
   */
  readonly tuning?: Tuning;
  /**
   * What an earlier `probe()` of this device showed, which is not asked again. A report of other hardware, another driver or another version of
   * groupwise is left aside, as is one of an adapter without a name.
   */
  readonly probed?: ProbeReport;
  /**
   * Where what the driver compiles outlives the process: the path of a folder, which is made if it is not there, or functions. A later runtime on the same
   * device, with the same driver, compiles nothing that is there. What is damaged, or refused by the driver, is compiled again. Whoever can write there
   * decides what this process runs, so a folder to which other users can write is refused (`bad-file`).
   */
  readonly cache?: ProgramCache;
  /** True: the queue records times, and the runtime has `deviceTime`. Default: false. */
  readonly profiling?: boolean;
}

const OPTIONS: { readonly [K in keyof Required<OpenClOptions>]: Wanted } = {
  device: { want: "a number or a part of a name", is: (value) => NUMBER.is(value) || TEXT.is(value) },
  capabilities: OBJECT,
  native: BOOLEAN,
  debug: BOOLEAN,
  subgroups: BOOLEAN,
  chunks: BOOLEAN,
  tuning: OBJECT,
  probed: PROBED,
  cache: PROGRAM_CACHE,
  profiling: BOOLEAN,
};

/** An OpenCL device with a context and a queue. */
export interface OpenClRuntime extends QueueRuntime {
  readonly info: OpenClDevice;
}

/**
 * Every device of every driver that the OpenCL loader finds.
 * @throws GroupwiseError `device-missing` if koffi or the loader is not installed
 * @example
 * ```ts
 * import { listOpenClDevices } from "@groupwise/target-opencl/runtime";
 *
 * for (const { name, platform } of await listOpenClDevices()) console.log(platform, name);
 * ```
 */
export async function listOpenClDevices(): Promise<OpenClDevice[]> {
  requireArguments(arguments, "listOpenClDevices", []);
  return findDevices(await openLibrary()).map(({ info }) => info);
}

/**
 * Opens a device. Default: the first GPU, or the first device if there is no GPU.
 * @throws GroupwiseError `device-missing`, `device-error`, `foreign-tuning`, `bad-file`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { openclRuntime } from "@groupwise/target-opencl/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await (await openclRuntime()).compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export async function openclRuntime(given?: OpenClOptions): Promise<OpenClRuntime> {
  const options = optionsOf(given, OPTIONS, "the options of openclRuntime") as OpenClOptions;
  const library = await openLibrary();
  const found = chooseDevice(findDevices(library), options.device);
  const { info } = found;
  const { platform, vendor, name, version, driver } = info;
  const kept =
    options.cache === undefined
      ? undefined
      : new KeptCode(options.cache, [opencl.name, platform, vendor, name, version, driver]);
  const backend = backendOf(library.for(info.name), found, { profiling: options.profiling ?? false, kept });
  try {
    const { tuning, probed, debug, subgroups } = options;
    const runtime = queueRuntime(backend, {
      capabilities: capabilitiesFor(info, options),
      asksFirst: info.type === "cpu",
      ...(tuning && { tuning }),
      ...(probed && { probed }),
      ...(debug !== undefined && { debug }),
      ...(subgroups !== undefined && { subgroups }),
    });
    return Object.defineProperties({ info } as OpenClRuntime, Object.getOwnPropertyDescriptors(runtime));
  } catch (error) {
    backend.release();
    throw error;
  }
}

function backendOf(
  cl: OpenCl,
  { info, platform, device }: FoundOpenclDevice,
  { profiling, kept }: { readonly profiling: boolean; readonly kept: KeptCode | undefined },
): Backend {
  const pool = new Pool();
  try {
    const properties = new BigUint64Array([CL.CONTEXT_PLATFORM, platform, 0n]);
    const devices = new BigUint64Array([device]);
    const made = cl.make("clCreateContext", properties, 1, devices, null, null);
    const context = cl.own(pool, "clReleaseContext", made);
    const queueWith = (flags: number): Handle =>
      cl.own(pool, "clReleaseCommandQueue", cl.make("clCreateCommandQueue", context, device, flags));
    const queue = queueWith(profiling ? CL.QUEUE_PROFILING : 0);
    const transfers = isOnlyGpu(cl, device) ? queueWith(0) : undefined;
    const opened: OpenedDevice = { cl, info, device, context, queue, kept };
    return {
      target: opencl,
      suffix: "cl",
      driver: new OpenClDriver(cl, { info, context, queue, transfers, profiling }),
      device: {
        ...{ target: opencl.name, name: info.name },
        ...{ driver: `${info.platform} ${info.driver}`, hardware: `${info.vendor}, ${info.name}` },
      },
      key: [device, info.platform, info.name, info.driver].join(", "),
      capabilities: capabilitiesOf(info),
      has: (what) => hasFeature(info, what),
      subgroupObstacle: (manifest) => subgroupObstacle(opened, manifest),
      compile: ({ where }, manifest, text, held) =>
        kernelsOf({ ...opened, cl: cl.for(info.name, where) }, manifest, text, held),
      release: () => pool.release(),
    };
  } catch (error) {
    pool.release();
    throw error;
  }
}

function capabilitiesFor(info: OpenClDevice, options: OpenClOptions): Capabilities {
  const base = chunked(options.capabilities ?? capabilitiesOf(info), info, options.chunks);
  const found = options.subgroups && hasSubgroups(info) ? { ...base, subgroups: subgroupsOf(info) } : base;
  return options.native === false ? { ...found, groupFunctions: [] } : found;
}

/** @param asked undefined: as the capabilities are */
function chunked(capabilities: Capabilities, info: OpenClDevice, asked: boolean | undefined): Capabilities {
  const { chunks, ...others } = capabilities;
  if (asked === undefined) return capabilities;
  return asked ? { ...others, chunks: chunks ?? chunksOf(info) } : others;
}
