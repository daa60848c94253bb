/**
 * Runs pipelines through gpu.js, an optional peer dependency.
 * @module
 */

import {
  type Artifact,
  type CompileOptions,
  type Executable,
  evaluate,
  type HostArray,
  type LoadedProgram,
  type Manifest,
  type PipelineSource,
  plan,
  type RunOptions,
  type RunOutputs,
  type Runtime,
  type RunValues,
  type Scalar,
} from "@groupwise/core";
import {
  ANY,
  checkedSides,
  compileOptionsOf,
  contentKey,
  errorOf,
  FUNCTION,
  finishRun,
  HostDevice,
  type HostDeviceArray,
  type HostProgram,
  having,
  inputsOf,
  LIST,
  OWN_SCRATCH,
  Owned,
  oneOf,
  optionsOf,
  pipelineOf,
  prepareRun,
  requireArguments,
  requireVersion,
  type ShapeResults,
  SharedCache,
  shaped,
  shapeOf,
  tablesOf,
  type UntypedCompile,
  valueTypeOf,
} from "@groupwise/core/target";
import { moduleOf } from "../runtime/evaluate.ts";
import { gpujs } from "./index.ts";

// The interface of gpu.js that a runtime needs.
// As far as they are used here; gpu.js is loaded only when a runtime is made.
interface GpuKernel {
  (...args: unknown[]): Float32Array;
  setOutput(size: readonly number[]): GpuKernel;
  destroy(): void;
  readonly kernel?: { moduleCacheLimit?: number; constructor: { mode?: string } };
}
interface GpuJs {
  createKernel(source: (...args: unknown[]) => unknown, settings: object): GpuKernel;
  destroy(): Promise<unknown>;
}

const MODULE = shaped("an emitted module", { passes: LIST });
const GPU = having("the GPU of gpu.js", "createKernel", "destroy");

const evaluated = (artifact: Artifact): Promise<GpuJsModule> => moduleOf<GpuJsModule>(artifact, ["passes"]);

async function openGpu(mode: GpuJsMode): Promise<GpuJs> {
  try {
    const module = (await import("gpu.js")) as unknown as { GPU: new (settings: object) => GpuJs };
    return new module.GPU({ mode });
  } catch (cause) {
    const reason = `${(cause as Error).message.split("\n")[0]}; npm install gpu.js`;
    throw errorOf("device-missing", { what: `gpu.js (${mode})`, reason }, "", cause);
  }
}

/** The modes of gpu.js that round every operation to f32. Its WebGPU mode assumes that there are no NaNs and infinities. */
export type GpuJsMode = "cpu" | "webasm";

/** One row of an emitted module's table. */
export interface GpuJsPass {
  /** The function that gpu.js compiles. */
  readonly kernel: (...args: unknown[]) => unknown;
  readonly output: string;
  /** Output cells for n items, or for a range of these sides. */
  readonly cells: (...sides: number[]) => number;
  readonly arrays: readonly string[];
  readonly integers: readonly string[];
  readonly floats: readonly string[];
}
/** The exports of an emitted module that a runtime needs. */
export interface GpuJsModule {
  readonly passes: readonly GpuJsPass[];
}
/** Options of a runtime on gpu.js. */
export interface GpuJsOptions {
  /** `webasm` by default. */
  readonly mode?: GpuJsMode;
  /** Imports an emitted module; by default its text is evaluated, as `jsRuntime` does. */
  readonly importModule?: (artifact: Artifact) => Promise<GpuJsModule>;
}

/**
 * gpu.js in this process.
 * @throws GroupwiseError `device-missing` if gpu.js is not installed
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { gpuJsRuntime } from "@groupwise/target-js/gpu-js/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await (await gpuJsRuntime({ mode: "cpu" })).compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export async function gpuJsRuntime(options?: GpuJsOptions): Promise<Runtime> {
  const schema = { mode: oneOf("cpu", "webasm"), importModule: FUNCTION };
  const { mode = "webasm", importModule = evaluated } = optionsOf(
    options,
    schema,
    "the options of gpuJsRuntime",
  ) as GpuJsOptions;
  const gpu = await openGpu(mode);
  const host = new HostDevice(`gpu.js ${mode}`);
  const compiled = new SharedCache<Compiled>({ free: (one) => one.dispose() });
  const compile = async (source: PipelineSource, wanted: CompileOptions): Promise<Compiled> => {
    const lowered = plan(source, gpujs, wanted);
    const artifact = gpujs.print(lowered, {});
    const module = await importModule(artifact);
    return { plan: lowered, ...load(artifact.manifest, module, gpu) };
  };
  return {
    device: { target: gpujs.name, name: `gpu.js ${mode}`, driver: "gpu.js 2" },
    capabilities: gpujs.capabilities,
    sliceAlignment: 1,
    array: (type, lengthOrValues) => host.array(type, lengthOrValues),
    record: () => host.record(),
    compile: (async (source, asked) => {
      host.check();
      const { keep, ...wanted } = compileOptionsOf(asked);
      const shape = shapeOf(source);
      const key = contentKey(pipelineOf(source), wanted);
      const { value, release } = await compiled.acquire(key, () => compile(source, wanted), keep);
      return host.add(...runnable(value, host, release, shape));
    }) as UntypedCompile as Runtime["compile"],
    stats: () => compiled.stats(),
    dispose: () => {
      host.dispose();
      compiled.close();
      void gpu.destroy();
    },
  };
}

/** The cached state of a pipeline. */
type Compiled = Pick<Executable, "plan"> & LoadedProgram;

/** One user's executable, and what its recorders run. */
function runnable(
  { plan: lowered, manifest, run }: Compiled,
  host: HostDevice,
  release: () => void,
  shape: ShapeResults,
): [Executable, HostProgram] {
  const owned = new Owned(manifest.pipeline, release);
  const executable: Executable = {
    plan: lowered,
    manifest,
    scratchBytes: (sides) => {
      checkedSides(manifest, sides);
      return 0; // gpu.js makes its own
    },
    run: async (values, options) => {
      host.check();
      const letGo = owned.use();
      try {
        return shape(await run(values, options), manifest);
      } finally {
        letGo();
      }
    },
    dispose: () => owned.dispose(),
  };
  const step: HostProgram["run"] = async ({ arrays, values }, launch) => {
    const tables = tablesOf(manifest).map((binding) => ({ name: binding.name, binding }));
    const inputs = [...inputsOf(manifest), ...tables].map(({ name, binding }) => {
      const array = arrays.get(binding.name) as HostDeviceArray;
      return [name, array.values.slice(0, evaluate(binding.elements, launch))];
    });
    const { globalSize, globalOffset } = launch;
    const outputs = await run({ ...values, ...Object.fromEntries(inputs) }, { globalSize, globalOffset });
    for (const [name, array] of Object.entries(outputs)) arrays.get(name)?.values.set(array as never);
  };
  return [executable, { manifest, owned, run: step, scratchBytes: () => 0 }];
}

function build(gpu: GpuJs, pass: GpuJsPass): GpuKernel {
  const types = (names: readonly string[], type: string): [string, string][] =>
    names.map((name) => [name, type]);
  const kernel = gpu.createKernel(pass.kernel, {
    output: [1],
    // In the order of the arguments, because gpu.js ignores the names.
    argumentTypes: Object.fromEntries([
      ...types(pass.arrays, "Array"),
      ...types(pass.integers, "Integer"),
      ...types(pass.floats, "Float"),
    ]),
    dynamicOutput: true,
    dynamicArguments: true,
    precision: "single",
  });
  // It assembles anew for every combination of sizes, and by default keeps eight.
  if (kernel.kernel) kernel.kernel.moduleCacheLimit = 64;
  return kernel;
}

/**
 * Wraps an imported module as an executable with checked values: `load<typeof sums>(…)` has its types.
 * @example
 * ```ts
 * import { emit } from "@groupwise/core";
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { gpujs } from "@groupwise/target-js/gpu-js";
 * import { load } from "@groupwise/target-js/gpu-js/runtime";
 * import { GPU } from "gpu.js";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { manifest, files } = emit(sums, gpujs);
 * const module = await import(`data:text/javascript,${encodeURIComponent(files[0]?.text ?? "")}`);
 * const gpu = new GPU({ mode: "cpu" }) as unknown as Parameters<typeof load>[2];
 * const program = load<typeof sums>(manifest, module, gpu);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * ```
 */
export function load<P = unknown>(manifest: Manifest, module: GpuJsModule, gpu: GpuJs): LoadedProgram<P> {
  requireArguments(arguments, "load", { manifest: ANY, module: MODULE, gpu: GPU });
  requireVersion(manifest);
  const kernels = new Map<GpuJsPass, GpuKernel>();
  let isOpen = true;
  const run = async (values: RunValues, options?: RunOptions): Promise<RunOutputs> => {
    if (!isOpen) throw errorOf("disposed", { what: manifest.pipeline });
    const prepared = prepareRun(manifest, values, options);
    const { globalSize, inputs, params } = prepared;
    const arrays = new Map<string, Float32Array>([...inputs].map(([name, array]) => [name, taken(array)]));
    const scalars = new Map(params.map(({ name, value }) => [name, Number(value)]));
    for (const pass of module.passes) {
      const cells = pass.cells(...globalSize);
      if (cells > manifest.maxItems) {
        const details = { what: "elements in one pass", need: cells, limit: manifest.maxItems };
        throw errorOf("device-limit", details, `kernel ${pass.kernel.name}`);
      }
      if (cells === 0) {
        arrays.set(pass.output, new Float32Array(1));
        continue;
      }
      const kernel = kernels.get(pass) ?? build(gpu, pass);
      kernels.set(pass, kernel);
      const given = [
        ...pass.arrays.map((name) => arrays.get(name)),
        ...[...pass.integers, ...pass.floats].map((name) => scalars.get(name)),
      ];
      arrays.set(pass.output, await kernel.setOutput([cells])(...given));
    }
    const raw = manifest.bindings
      .filter((binding) => binding.role === "output")
      .map(({ name, type, elements }): [string, HostArray] => [
        name,
        toHost(valueTypeOf(type), arrays.get(name) as Float32Array, evaluate(elements, prepared)),
      ]);
    return finishRun(manifest, new Map(raw), []);
  };
  const loaded: LoadedProgram = {
    manifest,
    run,
    ...OWN_SCRATCH,
    dispose: () => {
      isOpen = false;
      for (const kernel of kernels.values()) kernel.destroy();
      kernels.clear();
    },
  };
  return loaded as LoadedProgram<P>;
}

// A copy, because passes are awaited; gpu.js refuses empty arrays.
function taken(array: HostArray): Float32Array {
  if (array.length === 0) return new Float32Array(1);
  return array instanceof Float32Array
    ? array.slice()
    : Float32Array.from(array as Uint8Array, (x) => (x ? 1 : 0));
}

function toHost(type: Scalar, cells: Float32Array, elements: number): HostArray {
  const exact = cells.subarray(0, elements);
  return type === "bool" ? Uint8Array.from(exact) : exact;
}
