/**
 * Runs emitted WGSL on a GPUDevice, the caller's own: in a browser, or in Node.
 * @module
 */

import type {
  Artifact,
  Capabilities,
  CompileOptions,
  PipelineSource,
  ProbeReport,
  Runtime,
  SmallOption,
  Tuning,
  WaitFor,
} from "@groupwise/core";
import type { InPlace, NoNames, SharedNames } from "@groupwise/core/target";
import {
  ARTIFACT,
  BOOLEAN,
  compileOptionsOf,
  contentKey,
  debugging,
  errorOf,
  FUNCTION,
  having,
  kindOf,
  lackingSubgroups,
  marks,
  OBJECT,
  oneOf,
  optionsOf,
  PROBED,
  pipelineOf,
  reportOf,
  requireArgument,
  requireArguments,
  requireVersion,
  SharedCache,
  shapeOf,
  TEXT,
  type UntypedCompile,
  type Wanted,
  withHalfConversions,
} from "@groupwise/core/target";
import { deviceTime } from "./device/clock.ts";
import { Gpu } from "./device/device.ts";
import type { Limits } from "./device/limits.ts";
import type { CompileProgress } from "./device/pipelines.ts";
import { wgsl } from "./index.ts";
import { PROBE_REQUIREMENT } from "./print/half-conversions.ts";
import { Arrays } from "./runtime/array.ts";
import { keptOn } from "./runtime/bindings.ts";
import { Builder } from "./runtime/builder.ts";
import { earnedOn, untested } from "./runtime/earned.ts";
import { Hardware } from "./runtime/hardware.ts";
import { GpuProgram, type WgslProgram } from "./runtime/program.ts";
import { type HeldExecutable, type RecorderHost, WgslRecorder } from "./runtime/recorder.ts";
import { type CompiledKernels, SharedExecutable, type WgslExecutable } from "./runtime/shared.ts";

export type { Limits } from "./device/limits.ts";
export type { CompileProgress } from "./device/pipelines.ts";
export type { BufferRange, BufferRanges } from "./runtime/buffers.ts";
export type { BufferCount } from "./runtime/counts.ts";
export type { Recording } from "./runtime/encode.ts";
export type { WgslProgram } from "./runtime/program.ts";
export type { RecordOptions } from "./runtime/record-options.ts";

export type { WgslExecutable } from "./runtime/shared.ts";

/** Options of a runtime on a GPUDevice. */
export interface WebGpuOptions {
  /** The name of the device; default: its adapter's description. */
  readonly name?: string;
  /** Capabilities for lowering, instead of those from the device's limits. */
  readonly capabilities?: Capabilities;
  /**
   * Whether kernels shuffle within subgroups. Default: if the device passes the test of its subgroups.
   * With `true`, a device that fails the test is an error.
   */
  readonly subgroups?: boolean;
  /**
   * False: halves that are held in f32 are never converted by the device's own operations. Default: they are if the device passes the test
   * of its conversions, which runs once, for the first pipeline with halves.
   */
  readonly halfConversions?: boolean;
  /**
   * True: kernels report accesses outside of arrays and reads of what nothing wrote (`bad-access`), in steps of recorders too, and `run` first
   * checks by the reference that no two items write one slot (`scatter-conflict`). Both take far longer than the run. Default: false.
   */
  readonly debug?: boolean;
  /**
   * Sizes of tiles that were measured on a device of the same hardware, as `parseTuning` of `@groupwise/core/tuning` reads them;
   * a tuning of other hardware is an error.
   */
  readonly tuning?: Tuning;
  /**
   * Which kernels `compile` waits for, unless its own option says so. On an NVIDIA H100 a scan is ready after 0.3 s instead of 0.6, and its
   * first runs take up to twice as long. Default: `"quickest"`, or `"fastest"` if `capabilities` are given.
   */
  readonly waitFor?: WaitFor;
  /**
   * Called when the kernels of a pipeline have been compiled for two seconds, and then for each that is ready: on a CPU a first run may
   * take a minute. `compile` and first runs wait meanwhile.
   */
  readonly onCompile?: (progress: CompileProgress) => void;
  /**
   * What an earlier `probe()` of this device showed, which is not asked again. A report of other hardware, another driver or another version of
   * groupwise is left aside, as is one of an adapter without a name.
   */
  readonly probed?: ProbeReport;
  /**
   * `smallRuns(jsRuntime())` of `@groupwise/core`: runs so small that the device would take longer to answer are made by JavaScript, with
   * the same bits (`Executable.small`). They keep the event loop, as a rule for 8 ms at most. Steps of recorders stay on the device, as do pipelines
   * with fast functions, an open order or a state. Default: none.
   */
  readonly small?: SmallOption;
  /** Smaller limits than the device's, for tests: longer arrays are split into parts. */
  readonly limits?: Partial<Limits>;
}

const OPTIONS: { readonly [K in keyof Required<WebGpuOptions>]: Wanted } = {
  name: TEXT,
  capabilities: OBJECT,
  subgroups: BOOLEAN,
  halfConversions: BOOLEAN,
  debug: BOOLEAN,
  tuning: OBJECT,
  waitFor: oneOf("quickest", "fastest"),
  onCompile: FUNCTION,
  probed: PROBED,
  small: having("the result of `smallRuns`", "begin"),
  limits: OBJECT,
};

/** A GPUDevice that is ready to compile pipelines. The device belongs to the caller: it is never destroyed here. */
export interface WebGpuRuntime extends Runtime {
  /**
   * @throws GroupwiseError what `emit` throws, `device-limit` if a limit of the device is exceeded,
   * `device-error` with its compiler's message, `device-lost`, `disposed`
   */
  compile<P extends PipelineSource, const A extends Readonly<Record<string, string>> = NoNames>(
    source: P,
    options?: CompileOptions<InPlace<P, A>>,
  ): Promise<WgslExecutable<P, SharedNames<A>>>;
  /** Loads files that were emitted earlier: `load<typeof sums>(artifact)` has the pipeline's types. */
  load<P = unknown>(artifact: Artifact): Promise<WgslProgram<P>>;
}

/** @throws GroupwiseError `bad-argument` if it is not a device: most often a promise or the adapter */
function checkDevice(device: unknown): void {
  const { queue, limits } = (device ?? {}) as { readonly queue?: unknown; readonly limits?: unknown };
  if (typeof queue === "object" && typeof limits === "object") return;
  const want = "a GPUDevice, as `await adapter.requestDevice()` gives it";
  throw errorOf("bad-argument", { what: "the device", want, got: kindOf(device) });
}

/** @throws GroupwiseError `unsupported` if subgroups are requested and the device has none */
function capabilitiesFor(device: GPUDevice, options: WebGpuOptions): Capabilities {
  const { subgroups, halfConversions, capabilities } = options;
  const given = capabilities ?? untested(device);
  const known = halfConversions === false ? withHalfConversions(given, undefined) : given;
  if (subgroups && "unsupported" in known.subgroups)
    throw errorOf("unsupported", { what: "subgroups", reason: known.subgroups.unsupported });
  return subgroups === false ? lackingSubgroups(known, "disabled by an option of the runtime") : known;
}

/**
 * A runtime on the caller's device.
 * @throws GroupwiseError `bad-argument` if it is not a device, `unsupported` if subgroups are requested and the device has none,
 * `foreign-tuning`; for a device whose adapter has no name, `compile` throws that
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
 * import { nodeDevice } from "@groupwise/target-wgsl/node";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await webgpuRuntime(await nodeDevice()).compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export function webgpuRuntime(device: GPUDevice, given?: WebGpuOptions): WebGpuRuntime {
  const options = optionsOf(given, OPTIONS, "the options of webgpuRuntime") as WebGpuOptions;
  checkDevice(device);
  const gpu = new Gpu(device, options);
  const { tuning, waitFor = options.capabilities ? "fastest" : "quickest" } = options;
  // Before anything else asks the device.
  earnedOn(gpu, options.probed);
  const hardware = new Hardware(gpu, tuning);
  const capabilities = debugging(capabilitiesFor(device, options), options.debug);
  const small = options.small?.begin();
  const used = new Set<{ dispose(): void }>();
  const [held, arrays] = [marks<HeldExecutable>(), new Arrays(gpu)];
  let disposed = false;
  const check = (): void => {
    if (disposed) throw errorOf("disposed", { what: "the runtime" });
    gpu.assertThere();
  };
  const cache = new SharedCache<CompiledKernels>({
    free: (compiled) => {
      compiled.dispose();
      used.delete(compiled);
    },
  });
  const builder = new Builder(wgsl, gpu, capabilities, { ...options, small });
  const host: RecorderHost = { gpu, check, find: (executable) => held.get(executable) };
  return {
    get device() {
      return hardware.info;
    },
    get capabilities() {
      return builder.capabilities;
    },
    sliceAlignment: gpu.limits.minStorageBufferOffsetAlignment,
    load: (async (artifact) => {
      check();
      requireArgument(artifact, ARTIFACT, "the artifact");
      requireVersion(artifact.manifest);
      const program = await new GpuProgram(gpu, artifact, earnedOn(gpu)).compile();
      used.add(program);
      return program;
    }) as WebGpuRuntime["load"],
    compile: (async (source, asked) => {
      check();
      const { keep, ...own } = compileOptionsOf(asked);
      const wanted = { waitFor, ...own };
      const shape = shapeOf(source);
      const make = async (): Promise<CompiledKernels> => {
        await hardware.identify();
        const compiled = await builder.build(source, wanted);
        used.add(compiled);
        if (disposed) compiled.dispose();
        check();
        return compiled;
      };
      const lease = await cache.acquire(contentKey(pipelineOf(source), own), make, keep);
      const executable = new SharedExecutable(lease, shape, options.debug);
      held.set(executable, executable);
      return executable;
    }) as UntypedCompile as WebGpuRuntime["compile"],
    array(type, lengthOrValues) {
      requireArguments(arguments, "array", ["type", "lengthOrValues"]);
      check();
      return arrays.make(builder.capabilities, type, lengthOrValues);
    },
    record() {
      requireArguments(arguments, "record", []);
      check();
      return new WgslRecorder(host);
    },
    ...(device.features?.has("timestamp-query") && {
      deviceTime: (work: () => Promise<void>) => {
        check();
        return deviceTime(gpu, work);
      },
    }),
    ...reportsOf(gpu, hardware, check),
    stats: () => ({ ...cache.stats(), ...(small && { small: small.runs }) }),
    dispose() {
      disposed = true;
      cache.close();
      for (const one of used) one.dispose();
      used.clear();
      arrays.dispose();
      keptOn(gpu).clear();
      gpu.close();
    },
  };
}

const reportsOf = (
  gpu: Gpu,
  hardware: Hardware,
  check: () => void,
): Required<Pick<Runtime, "probe" | "probed">> => ({
  probe: async () => {
    check();
    await hardware.identify();
    return reportOf(hardware.info, await earnedOn(gpu).report());
  },
  probed: async () => reportOf(hardware.info, await earnedOn(gpu).known()),
});

/**
 * Loads files that were emitted earlier without a device, without the code that lowers, emits or probes.
 * @param artifact the manifest, and the files that its passes name
 * @throws GroupwiseError `device-limit`, `device-error`, `device-lost`, `missing-file`, `bad-version`, `unsupported` for files that rely on a
 * probe of a device
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emit } from "@groupwise/core";
 * import { wgsl } from "@groupwise/target-wgsl";
 * import { load } from "@groupwise/target-wgsl/runtime";
 * import { nodeDevice } from "@groupwise/target-wgsl/node";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await load<typeof sums>(await nodeDevice(), emit(sums, wgsl));
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export async function load<P = unknown>(
  device: GPUDevice,
  artifact: Artifact,
  name?: string,
): Promise<WgslProgram<P>> {
  checkDevice(device);
  requireArgument(artifact, ARTIFACT, "the artifact");
  requireVersion(artifact.manifest);
  const { pipeline, requires } = artifact.manifest;
  if (requires.includes(PROBE_REQUIREMENT))
    throw errorOf("unsupported", { what: "the file", reason: UNPROBED }, pipeline);
  return (await new GpuProgram(
    new Gpu(device, { name }),
    artifact,
  ).compile()) as WgslProgram as WgslProgram<P>;
}

/** A probe lowers and prints. */
const UNPROBED =
  "it relies on a probe of the device: load it by webgpuRuntime(device).load, or emit it without `capabilities`";
