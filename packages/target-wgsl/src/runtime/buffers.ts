/** A caller's buffers for the arrays of a pipeline. */
import { type Binding, errorOf, type Manifest, type Sides } from "@groupwise/core";
import { bytesOf, type ScratchPlan } from "./memory.ts";
import { lacking, USAGE } from "./usage.ts";

/** A buffer, or a range of one. */
export type BufferRange =
  | GPUBuffer
  | { readonly buffer: GPUBuffer; readonly offset?: number; readonly size?: number };

/** The range that an array takes. */
export interface Bound {
  readonly binding: Binding;
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly size: number;
}

/**
 * Finds a range for every array.
 * @param given by array name
 * @throws GroupwiseError `bad-buffer`, `unknown-input`
 */
export function bindBuffers(
  device: GPUDevice,
  manifest: Manifest,
  sides: Sides,
  given: Readonly<Record<string, BufferRange>>,
  scratch: { readonly buffer: GPUBuffer; readonly plan: ScratchPlan } | undefined,
): Map<string, Bound> {
  const known = manifest.bindings.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw errorOf("unknown-input", { name: unknown, known }, manifest.pipeline);
  const bound = new Map<string, Bound>();
  for (const binding of manifest.bindings) {
    const { name } = binding;
    const size = bytesOf(binding, sides);
    const range = Object.hasOwn(given, name) ? given[name] : undefined;
    const offset = scratch?.plan.offsets.get(name);
    if (range !== undefined) bound.set(name, check(device, manifest, binding, rangeOf(range), size));
    else if (scratch && offset !== undefined)
      bound.set(name, { binding, buffer: scratch.buffer, offset, size });
    else throw bad(manifest, binding, "it is missing");
  }
  checkShared(manifest, [...bound.values()]);
  return bound;
}

const bad = (manifest: Manifest, { name }: Binding, reason: string): Error =>
  errorOf("bad-buffer", { name, reason }, manifest.pipeline);

type Range = { buffer: GPUBuffer; offset: number; size: number };

function rangeOf(given: BufferRange): Range {
  const buffer = "buffer" in given ? given.buffer : given;
  const offset = ("offset" in given ? given.offset : undefined) ?? 0;
  const size = ("buffer" in given ? given.size : undefined) ?? buffer.size - offset;
  return { buffer, offset, size };
}

function check(device: GPUDevice, manifest: Manifest, binding: Binding, range: Range, need: number): Bound {
  const { buffer, offset, size } = range;
  const alignment = device.limits.minStorageBufferOffsetAlignment;
  if (offset % alignment !== 0)
    throw bad(manifest, binding, `its offset ${offset} is no multiple of ${alignment}`);
  if (size < need || offset + need > buffer.size)
    throw bad(
      manifest,
      binding,
      `it has ${Math.max(0, Math.min(size, buffer.size - offset))} bytes and needs ${need}`,
    );
  const wanted = [USAGE.STORAGE, ...(binding.cleared ? [USAGE.COPY_DST] : [])];
  const missing = lacking(buffer.usage, ...wanted);
  if (missing !== undefined) throw bad(manifest, binding, `it was made without the usage ${missing}`);
  return { binding, buffer, offset, size: need };
}

/** WebGPU lets a pass write to a buffer or read it as an input, not both, and never write one place under two names. */
function checkShared(manifest: Manifest, all: readonly Bound[]): void {
  for (const a of all.filter(({ binding }) => binding.role !== "input")) {
    for (const b of all) {
      if (a === b || a.buffer !== b.buffer) continue;
      const overlap = a.offset < b.offset + b.size && b.offset < a.offset + a.size;
      if (b.binding.role === "input")
        throw bad(manifest, a.binding, `the input ${b.binding.name} is in the same buffer`);
      if (overlap) throw bad(manifest, a.binding, `${b.binding.name} has the same range`);
    }
  }
}
