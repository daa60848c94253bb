/** The commands of one run. */
import { errorOf, evaluate, type Manifest, type Prepared } from "@groupwise/core";
import { type Bound, type BufferRange, bindBuffers } from "./buffers.ts";
import type { Gpu } from "./device.ts";
import { checkItems, gridOf } from "./limits.ts";
import { type ScratchPlan, scratchPlan } from "./memory.ts";
import { paramsBuffer } from "./params.ts";
import { PARAMS_SLOT, type ReadyPass, slotOf } from "./pipelines.ts";
import { lacking, USAGE } from "./usage.ts";

/** What is ready to be recorded. */
export interface Ready {
  readonly gpu: Gpu;
  readonly manifest: Manifest;
  readonly passes: readonly ReadyPass[];
}

/** What a recording made for itself. */
export interface Recording {
  /** Frees it. Call it once the encoder's commands are submitted; nothing waits for it. */
  dispose(): void;
}

/** Checks everything, then records: zeros where they are needed, and the passes. */
export function encode(
  ready: Ready,
  encoder: GPUCommandEncoder,
  prepared: Prepared,
  given: Readonly<Record<string, BufferRange>>,
  scratch: GPUBuffer | undefined,
): Recording {
  const { manifest } = ready;
  const { device } = ready.gpu;
  const { globalSize } = prepared;
  checkItems(manifest, device.limits, globalSize);
  const plan = scratchPlan(manifest, globalSize, (name) => Object.hasOwn(given, name));
  const own: GPUBuffer[] = [];
  const dispose = (): void => {
    for (const buffer of own) buffer.destroy();
  };
  try {
    const buffer = scratch ?? makeScratch(device, manifest, plan);
    if (scratch) checkScratch(manifest, scratch, plan.bytes);
    else if (buffer) own.push(buffer);
    const bound = bindBuffers(device, manifest, globalSize, given, buffer && { buffer, plan });
    const params = paramsBuffer(device, prepared.params);
    own.push(params);
    for (const { binding, buffer: target, offset, size } of bound.values())
      if (binding.cleared) encoder.clearBuffer(target, offset, size);
    const pass = encoder.beginComputePass({ label: manifest.pipeline });
    for (const one of ready.passes)
      dispatch(ready, pass, one, evaluate(one.pass.groups, globalSize), bound, params);
    pass.end();
  } catch (error) {
    dispose();
    throw error;
  }
  return { dispose };
}

function dispatch(
  { gpu: { device }, manifest }: Ready,
  encoder: GPUComputePassEncoder,
  { pass, layout, pipeline }: ReadyPass,
  groups: number,
  bound: ReadonlyMap<string, Bound>,
  params: GPUBuffer,
): void {
  if (groups === 0) return;
  const arrays = pass.bindings.map(({ name }): GPUBindGroupEntry => {
    const { buffer, offset, size } = bound.get(name) as Bound;
    return { binding: slotOf(manifest, name), resource: { buffer, offset, size } };
  });
  const entries = [{ binding: PARAMS_SLOT, resource: { buffer: params } }, ...arrays];
  encoder.setPipeline(pipeline);
  encoder.setBindGroup(0, device.createBindGroup({ label: pass.entryPoint, layout, entries }));
  encoder.dispatchWorkgroups(...gridOf(groups, device.limits.maxComputeWorkgroupsPerDimension));
}

function makeScratch(
  device: GPUDevice,
  { pipeline }: Manifest,
  { bytes }: ScratchPlan,
): GPUBuffer | undefined {
  if (bytes === 0) return undefined;
  const { maxBufferSize } = device.limits;
  if (bytes > maxBufferSize) {
    const details = { what: "bytes in one buffer (maxBufferSize)", need: bytes, limit: maxBufferSize };
    throw errorOf("device-limit", details, `scratch of pipeline ${pipeline}`);
  }
  return device.createBuffer({ label: "scratch", size: bytes, usage: USAGE.STORAGE | USAGE.COPY_DST });
}

function checkScratch({ pipeline }: Manifest, scratch: GPUBuffer, need: number): void {
  const missing = lacking(scratch.usage, USAGE.STORAGE, USAGE.COPY_DST);
  const bad = (reason: string): Error => errorOf("bad-buffer", { name: "scratch", reason }, pipeline);
  if (missing !== undefined) throw bad(`it was made without the usage ${missing}`);
  if (scratch.size < need) throw bad(`it has ${scratch.size} bytes and needs ${need}`);
}
