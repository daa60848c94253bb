/**
 * Runs pipelines on OpenCL devices through koffi.
 * @module
 */
import type {
  Artifact,
  Capabilities,
  LoadedProgram,
  ProbeReport,
  RunOptions,
  Runtime,
  RunValues,
  Tuning,
} from "@groupwise/core";
import {
  ARTIFACT,
  BOOLEAN,
  compileOptionsOf,
  contentKey,
  debugging,
  errorOf,
  inspectorOf,
  lackingSubgroups,
  NUMBER,
  OBJECT,
  optionsOf,
  PROBED,
  pipelineOf,
  reportOf,
  requireArgument,
  requireTunedFor,
  requireVersion,
  SharedCache,
  shapeOf,
  TEXT,
  type UntypedCompile,
  type Wanted,
} from "@groupwise/core/target";
import { deviceTime } from "./device/clock.ts";
import { CL } from "./device/constants.ts";
import { chooseDevice, findDevices, isOnlyGpu, type OpenClDevice } from "./device/device.ts";
import type { Handle } from "./device/ffi.ts";
import { openLibrary } from "./device/library.ts";
import { Line } from "./device/line.ts";
import { Owned, Pool } from "./device/owned.ts";
import { capabilitiesOf, chunksOf, hasSubgroups, subgroupsOf } from "./print/capabilities.ts";
import { type Home, makeArray } from "./runtime/array.ts";
import { Builder, type Compiled } from "./runtime/builder.ts";
import { deviceInfoOf } from "./runtime/earned.ts";
import type { Session } from "./runtime/program.ts";
import { Programs } from "./runtime/programs.ts";
import { OpenClRecorder } from "./runtime/recorder.ts";
import { Arena } from "./runtime/scratch.ts";

export type { LoadedProgram } from "@groupwise/core";
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
  profiling: BOOLEAN,
};

/** An OpenCL device with a context and a queue. */
export interface OpenClRuntime extends Runtime {
  readonly info: OpenClDevice;
  /**
   * Builds an artifact that was emitted earlier.
   * @throws GroupwiseError `device-error` with the build log, `device-limit`, `unsupported`, `bad-usage`, `disposed`
   */
  load<P = unknown>(artifact: Artifact): Promise<LoadedProgram<P>>;
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
  return findDevices(await openLibrary()).map(({ info }) => info);
}

/**
 * Opens a device. Default: the first GPU, or the first device if there is no GPU.
 * @throws GroupwiseError `device-missing`, `device-error`, `foreign-tuning`
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
  const { info, platform, device } = chooseDevice(findDevices(library), options.device);
  const cl = library.for(info.name);
  const pool = new Pool(cl);
  try {
    const properties = new BigUint64Array([CL.CONTEXT_PLATFORM, platform, 0n]);
    const devices = new BigUint64Array([device]);
    const context = pool.add("context", cl.make("clCreateContext", properties, 1, devices, null, null));
    const queueWith = (properties: number): Handle =>
      pool.add("queue", cl.make("clCreateCommandQueue", context, device, properties));
    const queue = queueWith(options.profiling ? CL.QUEUE_PROFILING : 0);
    const transfers = isOnlyGpu(cl, device) ? queueWith(0) : undefined;
    const session: Session = {
      cl,
      info,
      context,
      device,
      queue,
      transfers,
      line: new Line(info.type === "cpu"),
      scratch: new Arena(context),
    };
    const owned = new Owned(`the runtime of ${info.name}`, () => {
      session.scratch.release(cl);
      pool.release();
    });
    return runtimeOf(session, owned, debugging(capabilitiesFor(info, options), options.debug), options);
  } catch (error) {
    pool.release();
    throw error;
  }
}

function capabilitiesFor(info: OpenClDevice, options: OpenClOptions): Capabilities {
  const base = chunked(options.capabilities ?? capabilitiesOf(info), info, options.chunks);
  const found = options.subgroups && hasSubgroups(info) ? { ...base, subgroups: subgroupsOf(info) } : base;
  const native = options.native === false ? { ...found, groupFunctions: [] } : found;
  if (options.subgroups && "unsupported" in native.subgroups)
    throw errorOf("unsupported", { what: "subgroups", reason: native.subgroups.unsupported });
  return options.subgroups === false
    ? lackingSubgroups(native, "disabled by an option of the runtime")
    : native;
}

/** @param asked undefined: as the capabilities are */
function chunked(capabilities: Capabilities, info: OpenClDevice, asked: boolean | undefined): Capabilities {
  const { chunks, ...others } = capabilities;
  if (asked === undefined) return capabilities;
  return asked ? { ...others, chunks: chunks ?? chunksOf(info) } : others;
}

function runtimeOf(
  session: Session,
  owned: Owned,
  capabilities: Capabilities,
  options: OpenClOptions,
): OpenClRuntime {
  const { info } = session;
  const { tuning } = options;
  const device = deviceInfoOf(info);
  if (tuning) requireTunedFor(tuning, device);
  const builder = new Builder(session, owned, capabilities, options);
  const programs = new Programs(session);
  const cache = new SharedCache<Compiled>({ free: ({ program }) => program.owned.dispose() });
  const home: Home = { session, owned, buffers: new Set() };
  return {
    get device() {
      const { inexact } = builder.earned;
      return inexact.length > 0 ? { ...device, inexact } : device;
    },
    info,
    sliceAlignment: info.alignment,
    get capabilities() {
      return builder.capabilities;
    },
    load: (async (artifact: Artifact): Promise<LoadedProgram> => {
      owned.check();
      requireArgument(artifact, ARTIFACT, "the artifact");
      requireVersion(artifact.manifest);
      const program = await builder.load(artifact);
      return programs.hold(program, () => program.owned.dispose());
    }) as OpenClRuntime["load"],
    compile: compilerOf({ builder, owned, programs, cache }, options) as Runtime["compile"],
    array: (type, lengthOrValues) => makeArray(home, builder.capabilities, type, lengthOrValues),
    record: () => {
      owned.check();
      return new OpenClRecorder(home, programs);
    },
    probe: async () => {
      const letGo = owned.use();
      return reportOf(builder.earned, device).finally(letGo);
    },
    ...(options.profiling && {
      deviceTime: (work) => {
        owned.check();
        return deviceTime(session, work);
      },
    }),
    stats: () => cache.stats(),
    dispose: () => {
      programs.dispose();
      cache.close();
      for (const buffer of [...home.buffers]) buffer.dispose();
      owned.dispose();
    },
  };
}

interface Compiling {
  readonly builder: Builder;
  /** The runtime's. */
  readonly owned: Owned;
  readonly programs: Programs;
  readonly cache: SharedCache<Compiled>;
}

/** Executables with the same content share a program. */
function compilerOf(
  { builder, owned, programs, cache }: Compiling,
  { tuning, debug }: OpenClOptions,
): UntypedCompile {
  return async (source, asked) => {
    owned.check();
    const wanted = compileOptionsOf(asked);
    const shape = shapeOf(source);
    const lease = await cache.acquire(contentKey(pipelineOf(source), wanted), () =>
      builder.compile(source, { ...wanted, ...(tuning && { tuning }) }),
    );
    const { plan, program } = lease.value;
    const handle = programs.hold(program, lease.release);
    const { run, manifest } = handle;
    const inspect = inspectorOf(debug, plan, manifest);
    return Object.assign(handle, {
      plan,
      run: async (values: RunValues, runOptions?: RunOptions) => {
        inspect(values, runOptions);
        return shape(await run(values, runOptions), manifest);
      },
    });
  };
}
