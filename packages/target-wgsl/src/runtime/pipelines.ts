/** Shader module, layouts and compute pipelines of an artifact. */
import { type Artifact, errorOf, type Manifest, type Pass } from "@groupwise/core";
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

/** The binding number of an array. */
export function slotOf(manifest: Manifest, name: string): number {
  const slot = manifest.bindings.find((binding) => binding.name === name)?.slot;
  if (slot === undefined)
    throw errorOf("bad-file", { path: manifest.pipeline, reason: `its manifest has no slot for ${name}` });
  return slot;
}

/** @throws GroupwiseError `device-error` with what the compiler says */
export async function makePasses(gpu: Gpu, { manifest, files }: Artifact): Promise<ReadyPass[]> {
  const { device } = gpu;
  const modules = new Map<string, GPUShaderModule>();
  const layouts = await gpu
    .guarded(() => {
      for (const file of new Set(manifest.passes.map((pass) => pass.file))) {
        const code = files.find(({ path }) => path === file)?.text;
        if (code === undefined)
          throw errorOf("missing-file", { path: file, reason: "the artifact does not hold it" });
        modules.set(file, device.createShaderModule({ label: file, code }));
      }
      return manifest.passes.map((pass) => device.createBindGroupLayout(layoutOf(manifest, pass)));
    })
    .catch(async (error: unknown) => {
      await explain(gpu, modules.values());
      throw error;
    });
  const pipelines = await gpu.guarded(() =>
    Promise.all(
      manifest.passes.map((pass, i) =>
        device.createComputePipelineAsync({
          label: pass.entryPoint,
          layout: device.createPipelineLayout({ bindGroupLayouts: [layouts[i] as GPUBindGroupLayout] }),
          compute: { module: modules.get(pass.file) as GPUShaderModule, entryPoint: pass.entryPoint },
        }),
      ),
    ),
  );
  return manifest.passes.map((pass, i) => ({
    pass,
    layout: layouts[i] as GPUBindGroupLayout,
    pipeline: pipelines[i] as GPUComputePipeline,
  }));
}

/** Throws what the compiler says in place of the summary that an error scope gives. */
async function explain(gpu: Gpu, modules: Iterable<GPUShaderModule>): Promise<void> {
  for (const module of modules) {
    const info = await gpu.orLost(module.getCompilationInfo());
    const errors = info.messages.filter(({ type }) => type === "error");
    if (errors.length === 0) continue;
    const reason = errors.map((e) => `${module.label}:${e.lineNum}:${e.linePos}: ${e.message}`).join("; ");
    throw errorOf("device-error", { device: gpu.info.name, reason });
  }
}

function layoutOf(manifest: Manifest, pass: Pass): GPUBindGroupLayoutDescriptor {
  const arrays = pass.bindings.map(({ name }): GPUBindGroupLayoutEntry => {
    const isInput = manifest.bindings.find((binding) => binding.name === name)?.role === "input";
    const type = isInput ? "read-only-storage" : "storage";
    return { binding: slotOf(manifest, name), visibility: COMPUTE, buffer: { type } };
  });
  const params: GPUBindGroupLayoutEntry = {
    binding: PARAMS_SLOT,
    visibility: COMPUTE,
    buffer: { type: "uniform" },
  };
  return { label: pass.entryPoint, entries: [params, ...arrays] };
}
