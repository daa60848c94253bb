/** The commands of one run. */
import { errorOf, evaluate, type Manifest, type Prepared } from "@groupwise/core";
import { type Bound, type BufferRanges, bindBuffers } from "./buffers.ts";
import type { Gpu } from "./device.ts";
import { checkItems, gridOf } from "./limits.ts";
import { scratchPlan } from "./memory.ts";
import { paramsBuffer } from "./params.ts";
import { buffersFor, type Range } from "./parts.ts";
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

/** Bytes of a spare range, for a binding that its array does not reach. */
const SPARE = 256;

/** Checks everything, then records: zeros where they are needed, and the passes. */
export function encode(
  ready: Ready,
  encoder: GPUCommandEncoder,
  prepared: Prepared,
  given: Readonly<Record<string, BufferRanges>>,
  scratch: GPUBuffer | readonly GPUBuffer[] | undefined,
): Recording {
  const { manifest } = ready;
  const { device, limits } = ready.gpu;
  const { globalSize } = prepared;
  checkItems(manifest, limits, globalSize, false);
  const plan = scratchPlan(manifest, globalSize, limits, (name) => Object.hasOwn(given, name));
  const own: GPUBuffer[] = [];
  const make = (label: string, size: number, usage: number): GPUBuffer => {
    const buffer = device.createBuffer({ label, size, usage });
    own.push(buffer);
    return buffer;
  };
  const dispose = (): void => {
    for (const buffer of own) buffer.destroy();
  };
  const spare = (): Range => ({ buffer: make("spare", SPARE, USAGE.STORAGE), offset: 0, size: SPARE });
  try {
    if (scratch) checkScratch(manifest, [scratch].flat(), plan.bytes);
    const sizes = plan.bytes === 0 || scratch ? [] : buffersFor(plan.bytes, limits);
    const made = sizes.map((size) => make("scratch", size, USAGE.STORAGE | USAGE.COPY_DST));
    const buffers = (scratch ? [scratch].flat() : made).map(
      (buffer): Range => ({ buffer, offset: 0, size: buffer.size }),
    );
    const bound = bindBuffers(limits, manifest, globalSize, given, { buffers, plan }, spare);
    const params = paramsBuffer(device, prepared.params);
    own.push(params);
    for (const { binding, ranges } of bound.values()) {
      if (!binding.cleared) continue;
      for (const { buffer, offset, size } of ranges)
        if (buffer.usage & USAGE.COPY_DST) encoder.clearBuffer(buffer, offset, size);
    }
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
  { gpu: { device, limits }, manifest }: Ready,
  encoder: GPUComputePassEncoder,
  { pass, layout, pipeline }: ReadyPass,
  groups: number,
  bound: ReadonlyMap<string, Bound>,
  params: GPUBuffer,
): void {
  if (groups === 0) return;
  const arrays = pass.bindings.flatMap(({ name }) =>
    (bound.get(name) as Bound).ranges.map(
      ({ buffer, offset, size }, i): GPUBindGroupEntry => ({
        binding: slotOf(manifest, name) + i,
        resource: { buffer, offset, size },
      }),
    ),
  );
  const entries = [{ binding: PARAMS_SLOT, resource: { buffer: params } }, ...arrays];
  encoder.setPipeline(pipeline);
  encoder.setBindGroup(0, device.createBindGroup({ label: pass.entryPoint, layout, entries }));
  encoder.dispatchWorkgroups(...gridOf(groups, limits.maxComputeWorkgroupsPerDimension));
}

function checkScratch({ pipeline }: Manifest, scratch: readonly GPUBuffer[], need: number): void {
  const bad = (reason: string): Error => errorOf("bad-buffer", { name: "scratch", reason }, pipeline);
  for (const { usage } of scratch) {
    const missing = lacking(usage, USAGE.STORAGE, USAGE.COPY_DST);
    if (missing !== undefined) throw bad(`it was made without the usage ${missing}`);
  }
  const bytes = scratch.reduce((sum, { size }) => sum + size, 0);
  if (bytes < need) throw bad(`it has ${bytes} bytes and needs ${need}`);
}
