/**
 * Runs emitted WGSL on a GPUDevice, the caller's own: in a browser, or in Node.
 * @module
 */
import {
  type Artifact,
  type Capabilities,
  type Executable,
  errorOf,
  type PipelineSource,
  plan,
  type Runtime,
} from "@groupwise/core";
import { capabilitiesOf } from "./capabilities.ts";
import { wgsl } from "./index.ts";
import { Gpu } from "./runtime/device.ts";
import { Program, type WgslProgram } from "./runtime/program.ts";

export type { BufferRange } from "./runtime/buffers.ts";
export type { Recording } from "./runtime/encode.ts";
export type { RecordOptions, WgslProgram } from "./runtime/program.ts";

/** How a runtime on a GPUDevice is made. */
export interface WebGpuOptions {
  /** What to call the device; its adapter's description where absent. */
  readonly name?: string;
  /** What lowerings may rely on, instead of what the device's limits tell. */
  readonly capabilities?: Capabilities;
}

/** A pipeline lowered and compiled for one device. */
export interface WgslExecutable extends WgslProgram, Executable {}

/** A GPUDevice that is ready to compile pipelines. The device stays the caller's: nothing destroys it. */
export interface WebGpuRuntime extends Runtime {
  /**
   * @throws GroupwiseError what `emit` throws, `device-limit` for what the device does not allow,
   * `device-error` for what its compiler says, `device-lost`, `disposed`
   */
  compile(source: PipelineSource): Promise<WgslExecutable>;
  /** Makes files ready that were emitted earlier. */
  load(artifact: Artifact): Promise<WgslProgram>;
}

/** A runtime on the caller's device. */
export function webgpuRuntime(device: GPUDevice, options: WebGpuOptions = {}): WebGpuRuntime {
  const gpu = new Gpu(device, options.name);
  const capabilities = options.capabilities ?? capabilitiesOf(device);
  const programs = new Set<Program>();
  let disposed = false;
  const start = async (artifact: Artifact): Promise<Program> => {
    if (disposed) throw errorOf("disposed", { what: "the runtime" });
    const program = await Program.load(gpu, artifact);
    programs.add(program);
    return program;
  };
  return {
    device: gpu.info,
    capabilities,
    load: start,
    async compile(source) {
      const lowered = plan(source, wgsl, { capabilities });
      const program = await start(wgsl.print(lowered, {}));
      return Object.assign(program, { plan: lowered });
    },
    dispose() {
      disposed = true;
      for (const program of programs) program.dispose();
      programs.clear();
    },
  };
}

/**
 * Makes files ready that were emitted earlier, without anything that lowers or emits.
 * @param artifact the manifest, and the files that its passes name
 * @throws GroupwiseError `device-limit`, `device-error`, `device-lost`, `missing-file`
 */
export function load(device: GPUDevice, artifact: Artifact, name?: string): Promise<WgslProgram> {
  return Program.load(new Gpu(device, name), artifact);
}
