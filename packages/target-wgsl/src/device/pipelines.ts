/** Shader module, layouts and compute pipelines of an artifact. */
import type { Artifact, Binding, Manifest, Pass } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import type { Gpu } from "./device.ts";
import { COMPUTE } from "./usage.ts";

/** A pass that is ready to be recorded. */
export interface ReadyPass {
  readonly pass: Pass;
  readonly layout: GPUBindGroupLayout;
  readonly pipeline: GPUComputePipeline;
}

/** The binding number of the parameters. */
export const PARAMS_SLOT = 0;

/** The binding numbers of an array: of each of its parts, and where these are bound again as vec4s. */
export function slotsOf(manifest: Manifest, name: string): number[] {
  const { slot, rowSlot, parts = 1 } = manifest.bindings.find((binding) => binding.name === name) ?? {};
  if (slot === undefined)
    throw errorOf("bad-file", { path: manifest.pipeline, reason: `its manifest has no slot for ${name}` });
  const own = Array.from({ length: parts }, (_, i) => slot + i);
  return rowSlot === undefined ? own : [...own, ...own.map((_, i) => rowSlot + i)];
}

interface Made {
  readonly modules: ReadonlyMap<string, GPUShaderModule>;
  readonly layouts: readonly GPUBindGroupLayout[];
}

function prepare(
  device: GPUDevice,
  { manifest, files }: Artifact,
  modules: Map<string, GPUShaderModule>,
): Made {
  for (const file of new Set(manifest.passes.map((pass) => pass.file))) {
    const code = files.find(({ path }) => path === file)?.text;
    if (code === undefined)
      throw errorOf("missing-file", { path: file, reason: "the artifact does not contain it" });
    modules.set(file, device.createShaderModule({ label: file, code }));
  }
  const layouts = manifest.passes.map((pass) => device.createBindGroupLayout(layoutOf(manifest, pass)));
  return { modules, layouts };
}

function descriptorOf(device: GPUDevice, pass: Pass, i: number, made: Made): GPUComputePipelineDescriptor {
  return {
    label: pass.entryPoint,
    layout: device.createPipelineLayout({ bindGroupLayouts: [made.layouts[i] as GPUBindGroupLayout] }),
    compute: { module: made.modules.get(pass.file) as GPUShaderModule, entryPoint: pass.entryPoint },
  };
}

const readyPasses = (
  { passes }: Manifest,
  { layouts }: Made,
  pipelines: readonly GPUComputePipeline[],
): ReadyPass[] =>
  passes.map((pass, i) => ({
    pass,
    layout: layouts[i] as GPUBindGroupLayout,
    pipeline: pipelines[i] as GPUComputePipeline,
  }));

/** Kernels of a pipeline that the device takes long to compile. */
export interface CompileProgress {
  /** The name of the pipeline. */
  readonly pipeline: string;
  /** The number of kernels, which are compiled at the same time, and of those that are ready. */
  readonly kernels: number;
  readonly ready: number;
  /** Milliseconds since the compilation began. */
  readonly milliseconds: number;
}

/** Milliseconds after which a caller hears of a compilation. */
const LONG = 2000;

/** Calls back when a compilation has taken long, and then for each kernel that is ready. */
function progressOf(
  { pipeline, passes }: Manifest,
  onCompile: ((progress: CompileProgress) => void) | undefined,
): { readonly ready: () => void; readonly end: () => void } {
  if (!onCompile) return { ready: () => {}, end: () => {} };
  const begun = performance.now();
  let [ready, isLong] = [0, false];
  const tell = (): void =>
    onCompile({ pipeline, kernels: passes.length, ready, milliseconds: performance.now() - begun });
  const timer = setTimeout(() => {
    isLong = true;
    tell();
  }, LONG);
  return {
    ready: () => {
      ready++;
      if (isLong) tell();
    },
    end: () => clearTimeout(timer),
  };
}

/** @throws GroupwiseError `device-error` with the compiler's message */
export async function makePasses(gpu: Gpu, artifact: Artifact): Promise<ReadyPass[]> {
  const { device } = gpu;
  const { manifest } = artifact;
  const modules = new Map<string, GPUShaderModule>();
  const made = await gpu
    .guarded(() => prepare(device, artifact, modules), manifest.pipeline)
    .catch(async (error: unknown) => {
      await explain(gpu, modules.values());
      throw error;
    });
  const progress = progressOf(manifest, gpu.onCompile);
  const compile = async (pass: Pass, i: number): Promise<GPUComputePipeline> => {
    const pipeline = await gpu.orLost(
      device.createComputePipelineAsync(descriptorOf(device, pass, i, made)),
      `${manifest.pipeline}, ${pass.entryPoint}`,
    );
    progress.ready();
    return pipeline;
  };
  const pipelines = await gpu
    .guarded(() => Promise.all(manifest.passes.map(compile)), manifest.pipeline)
    .finally(() => progress.end());
  return readyPasses(manifest, made, pipelines);
}

/** The same without waiting; errors are reported like other errors of the device. */
export function makePassesNow({ device }: Gpu, artifact: Artifact): ReadyPass[] {
  const { manifest } = artifact;
  const made = prepare(device, artifact, new Map());
  const pipelines = manifest.passes.map((pass, i) =>
    device.createComputePipeline(descriptorOf(device, pass, i, made)),
  );
  return readyPasses(manifest, made, pipelines);
}

/** Some engines, such as bun-webgpu 0.1.7, have none: then the summary says what failed. */
async function messagesOf(module: GPUShaderModule): Promise<readonly GPUCompilationMessage[]> {
  try {
    return (await module.getCompilationInfo()).messages;
  } catch {
    return [];
  }
}

/** Throws the compiler's message in place of the summary of an error scope. */
async function explain(gpu: Gpu, modules: Iterable<GPUShaderModule>): Promise<void> {
  for (const module of modules) {
    const errors = (await gpu.orLost(messagesOf(module))).filter(({ type }) => type === "error");
    if (errors.length === 0) continue;
    const reason = errors.map((e) => `${module.label}:${e.lineNum}:${e.linePos}: ${e.message}`).join("; ");
    throw errorOf("device-error", { device: gpu.info.name, reason });
  }
}

function layoutOf(manifest: Manifest, pass: Pass): GPUBindGroupLayoutDescriptor {
  const arrays = pass.bindings.flatMap(({ name }) => {
    const { role } = manifest.bindings.find((binding) => binding.name === name) as Binding;
    const type = role === "input" || role === "table" ? "read-only-storage" : "storage";
    return slotsOf(manifest, name).map(
      (binding): GPUBindGroupLayoutEntry => ({ binding, visibility: COMPUTE, buffer: { type } }),
    );
  });
  const params: GPUBindGroupLayoutEntry = {
    binding: PARAMS_SLOT,
    visibility: COMPUTE,
    buffer: { type: "uniform" },
  };
  return { label: pass.entryPoint, entries: [params, ...arrays] };
}
