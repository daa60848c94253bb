/**
 * Runs emitted WGSL on a GPUDevice, the caller's own: in a browser, or in Node.
 * @module
 */
import type {
  Artifact,
  Capabilities,
  CompileOptions,
  Executable,
  HostArrays,
  PipelineSource,
  Runtime,
  Tuning,
} from "@groupwise/core";
import type { InPlace, NoNames, SharedNames } from "@groupwise/core/target";
import {
  compileOptionsOf,
  contentKey,
  errorOf,
  kindOf,
  lackingSubgroups,
  layoutOf,
  newArray,
  pipelineOf,
  planTried,
  requireTunedFor,
  SharedCache,
  shapeOf,
  splitPlan,
  type UntypedCompile,
} from "@groupwise/core/target";
import { capabilitiesOf } from "./capabilities.ts";
import { deviceTime } from "./device/clock.ts";
import { Gpu } from "./device/device.ts";
import type { Limits } from "./device/limits.ts";
import type { ReadyPass } from "./device/pipelines.ts";
import { subgroupObstacle } from "./device/subgroups.ts";
import { wgsl } from "./index.ts";
import { Memory, WgslArray } from "./runtime/array.ts";
import { areAlike, type Compiling, type LoadOptions, type Splitter } from "./runtime/forms.ts";
import { Program, type WgslProgram } from "./runtime/program.ts";
import { type Held, type RecorderHost, WgslRecorder } from "./runtime/recorder.ts";
import { type Compiled, Shared, type WgslExecutable } from "./runtime/shared.ts";

export type { Limits } from "./device/limits.ts";
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
   * True: `run` first checks by the reference that no two items write one slot (`scatter-conflict`), which
   * takes far longer than the run. Steps of recorders are not checked. Default: false.
   */
  readonly debug?: boolean;
  /**
   * Sizes of tiles that were measured on a device of the same hardware, as `parseTuning` of `@groupwise/core/tuning` reads them;
   * a tuning of other hardware is an error.
   */
  readonly tuning?: Tuning;
  /**
   * True: a pipeline with scans in one pass (`look-back`) is also compiled in several passes, which takes compilers a fraction of the
   * time; `compile` resolves when one of the forms is compiled, and runs use the several passes until the other is. Results
   * have the same bits, but early runs take longer than later ones (`WgslProgram.whenCompiled`). Default: false.
   */
  readonly early?: boolean;
  /** Smaller limits than the device's, for tests: longer arrays are split into parts. */
  readonly limits?: Partial<Limits>;
}

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

const EARLY = { unsupported: "this form is compiled sooner, and runs until the other is compiled" } as const;

type Planned = Awaited<ReturnType<typeof planTried>>;

/** The early form, if it is another and can be exchanged. */
async function earlyOf(
  sooner: Promise<Planned> | undefined,
  { plan, artifact }: Planned,
  compiling: ReadonlyMap<Artifact, Promise<readonly ReadyPass[]>>,
): Promise<Compiling | undefined> {
  const found = await sooner;
  const passes = found && compiling.get(found.artifact);
  if (!passes || found.plan.strategy === plan.strategy) return undefined;
  const { manifest } = found.artifact;
  return areAlike(manifest, artifact.manifest) ? { manifest, passes } : undefined;
}

/**
 * A runtime on the caller's device.
 * @throws GroupwiseError `bad-argument` if it is not a device, `unsupported` if subgroups are requested and the device has none,
 * `foreign-tuning`
 */
export function webgpuRuntime(device: GPUDevice, options: WebGpuOptions = {}): WebGpuRuntime {
  checkDevice(device);
  const gpu = new Gpu(device, options.name, options.limits);
  const { tuning } = options;
  if (tuning) requireTunedFor(tuning, gpu.info);
  let capabilities = options.capabilities ?? capabilitiesOf(device);
  if (options.subgroups === false)
    capabilities = lackingSubgroups(capabilities, "disabled by an option of the runtime");
  if (options.subgroups && "unsupported" in capabilities.subgroups)
    throw errorOf("unsupported", { what: "subgroups", reason: capabilities.subgroups.unsupported });
  const programs = new Set<Program>();
  const held = new WeakMap<Executable, Held>();
  const memories = new Set<Memory>();
  let disposed = false;
  const check = (): void => {
    if (disposed) throw errorOf("disposed", { what: "the runtime" });
    gpu.assertThere();
  };
  const start = async (artifact: Artifact, how?: LoadOptions): Promise<Program> => {
    check();
    const program = await Program.load(gpu, artifact, how);
    programs.add(program);
    return program;
  };
  const cache = new SharedCache<Compiled>(({ program }) => {
    program.dispose();
    programs.delete(program);
  });
  const build = async (source: PipelineSource, wanted: CompileOptions): Promise<Compiled> => {
    const compiling = new Map<Artifact, Promise<readonly ReadyPass[]>>();
    // The passes compile while subgroups are tested. Loading a program reports what is wrong with subgroups, if they are asked for.
    const obstacleOf = async (artifact: Artifact): Promise<string | undefined> => {
      const tested = options.subgroups ? undefined : subgroupObstacle(gpu, artifact.manifest);
      compiling.set(artifact, Program.compile(gpu, artifact));
      return tested;
    };
    const plans = (known: Capabilities) =>
      planTried(source, wgsl, known, obstacleOf, { ...wanted, ...(tuning && { tuning }) });
    // The early form compiles while the other is lowered.
    const sooner = options.early ? plans({ ...capabilities, lookBack: EARLY }) : undefined;
    sooner?.catch(() => {});
    const made = await plans(capabilities);
    capabilities = made.capabilities;
    const { plan, artifact } = made;
    const early = await earlyOf(sooner, made, compiling);
    const splitter: Splitter = (split) => wgsl.print(splitPlan(plan, split), {});
    const program = await start(artifact, { splitter, passes: compiling.get(artifact), early });
    return { plan, program };
  };
  const host: RecorderHost = { gpu, check, find: (executable) => held.get(executable) };
  return {
    device: gpu.info,
    get capabilities() {
      return capabilities;
    },
    sliceAlignment: gpu.limits.minStorageBufferOffsetAlignment,
    load: ((artifact) => start(artifact)) as WebGpuRuntime["load"],
    compile: (async (source, asked) => {
      check();
      const wanted = compileOptionsOf(asked);
      const shape = shapeOf(source);
      const lease = await cache.acquire(contentKey(pipelineOf(source), wanted), () => build(source, wanted));
      const executable = new Shared(lease, shape, options.debug);
      held.set(executable, executable);
      return executable;
    }) as UntypedCompile as WebGpuRuntime["compile"],
    array(type, lengthOrValues) {
      check();
      const { length, values } = newArray(type, lengthOrValues);
      const memory = new Memory(gpu, layoutOf(type, capabilities), length);
      memories.add(memory);
      memory.whenGone(() => memories.delete(memory));
      const array = new WgslArray(type, memory);
      if (values) array.write(values as HostArrays[typeof type]);
      return array;
    },
    record() {
      check();
      return new WgslRecorder(host);
    },
    ...(device.features?.has("timestamp-query") && {
      deviceTime: (work: () => Promise<void>) => {
        check();
        return deviceTime(gpu, work);
      },
    }),
    dispose() {
      disposed = true;
      for (const program of programs) program.dispose();
      programs.clear();
      for (const memory of memories) memory.dispose();
      gpu.close();
    },
  };
}

/**
 * Loads files that were emitted earlier, without the code that lowers or emits.
 * @param artifact the manifest, and the files that its passes name
 * @throws GroupwiseError `device-limit`, `device-error`, `device-lost`, `missing-file`
 */
export function load<P = unknown>(
  device: GPUDevice,
  artifact: Artifact,
  name?: string,
): Promise<WgslProgram<P>> {
  return Program.load(new Gpu(device, name), artifact) as Promise<WgslProgram> as Promise<WgslProgram<P>>;
}
