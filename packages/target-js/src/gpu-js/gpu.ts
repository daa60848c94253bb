/** The interface of gpu.js that a runtime needs. */
import type { Artifact } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { moduleOf } from "../runtime/evaluate.ts";
import type { GpuJsMode, GpuJsModule } from "./runtime.ts";

// As far as they are used here; gpu.js is loaded only when a runtime is made.
export interface GpuKernel {
  (...args: unknown[]): Float32Array;
  setOutput(size: readonly number[]): GpuKernel;
  destroy(): void;
  readonly kernel?: { moduleCacheLimit?: number; constructor: { mode?: string } };
}
export interface GpuJs {
  createKernel(source: (...args: unknown[]) => unknown, settings: object): GpuKernel;
  destroy(): Promise<unknown>;
}

export const evaluated = (artifact: Artifact): Promise<GpuJsModule> =>
  moduleOf<GpuJsModule>(artifact, ["passes"]);

export async function openGpu(mode: GpuJsMode): Promise<GpuJs> {
  try {
    const module = (await import("gpu.js")) as unknown as { GPU: new (settings: object) => GpuJs };
    return new module.GPU({ mode });
  } catch (cause) {
    const reason = `${(cause as Error).message.split("\n")[0]}; npm install gpu.js`;
    throw errorOf("device-missing", { what: `gpu.js (${mode})`, reason }, "", cause);
  }
}
