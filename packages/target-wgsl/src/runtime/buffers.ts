/** A caller's buffers for the arrays of a pipeline. */
import type { Binding, Manifest } from "@groupwise/core";
import type { Sides } from "@groupwise/core/target";
import { errorOf } from "@groupwise/core/target";
import type { Limits } from "../device/limits.ts";
import { bytesOf, type GpuScratchPlan } from "../device/memory.ts";
import { type ByteRange, cutsOf, locate } from "../device/parts.ts";
import { lacking, USAGE } from "../device/usage.ts";

/** A buffer, or a range of one. */
export type BufferRange =
  | GPUBuffer
  | { readonly buffer: GPUBuffer; readonly offset?: number; readonly size?: number };

/** The memory of an array: a range, or several consecutive ranges for an array that is longer than a buffer. */
export type BufferRanges = BufferRange | readonly BufferRange[];

/** The ranges of an array, one for each of its bindings. */
export interface Bound {
  readonly binding: Binding;
  readonly ranges: readonly ByteRange[];
}

/** The scratch memory of a run. */
export interface Scratch {
  readonly buffers: readonly ByteRange[];
  readonly plan: GpuScratchPlan;
}

/** The arrays of a run, and the scratch that it may use. */
export interface BuffersToBind {
  readonly manifest: Manifest;
  readonly sides: Sides;
  /** By array name. */
  readonly given: Readonly<Record<string, BufferRanges>>;
  readonly scratch: Scratch;
}

/**
 * Finds ranges for every array.
 * @param spare returns a range for a binding that the array does not reach
 * @throws GroupwiseError `bad-buffer`, `unknown-input`
 */
export function bindBuffers(
  limits: Limits,
  { manifest, sides, given, scratch }: BuffersToBind,
  spare: () => ByteRange,
): Map<string, Bound> {
  const known = manifest.bindings.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw errorOf("unknown-input", { name: unknown, known }, manifest.pipeline);
  const bound = new Map<string, Bound>();
  for (const binding of manifest.bindings) {
    const { name } = binding;
    const cuts = cutsOf(binding, bytesOf(binding, sides));
    const found = Object.hasOwn(given, name) ? given[name] : undefined;
    const offsets = scratch.plan.offsets.get(name);
    const bad = (reason: string): Error => errorOf("bad-buffer", { name, reason }, manifest.pipeline);
    if (found === undefined && !offsets) throw bad("it is missing");
    const all = found === undefined ? scratch.buffers : rangesOf(found);
    if (found !== undefined) check(limits, binding, all, bytesOf(binding, sides), bad);
    const ranges = cuts.map((cut, i) => {
      if (cut.size === 0) return spare();
      const range = locate(all, offsets ? { at: offsets[i] as number, size: cut.size } : cut);
      if (range) return range;
      throw bad(`bytes ${cut.at} to ${cut.at + cut.size} form one binding but are in two buffers`);
    });
    bound.set(name, { binding, ranges });
  }
  checkShared(manifest, [...bound.values()]);
  return bound;
}

/** Arrays that no pass writes. */
export const isGiven = ({ role }: Binding): boolean => role === "input" || role === "table";

/**
 * Elements of each table that is given.
 * @param lengths by name, where the buffers hold more
 * @throws GroupwiseError `bad-buffer`
 */
export function tableLengths(
  manifest: Manifest,
  given: Readonly<Record<string, BufferRanges>>,
  lengths: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const tables = manifest.bindings.filter(({ role, name }) => role === "table" && Object.hasOwn(given, name));
  return Object.fromEntries(
    tables.map(({ name, bytesPerElement }) => {
      const bytes = rangesOf(given[name] as BufferRanges).reduce((sum, { size }) => sum + size, 0);
      const room = Math.floor(bytes / bytesPerElement);
      const length = lengths[name] ?? room;
      if (Number.isSafeInteger(length) && length >= 0 && length <= room) return [name, length];
      const reason = `it has space for ${room} elements, but ${length} are specified`;
      throw errorOf("bad-buffer", { name, reason }, manifest.pipeline);
    }),
  );
}

/** The ranges of an array or of scratch. */
export function rangesOf(given: BufferRanges): readonly ByteRange[] {
  return (Array.isArray(given) ? (given as readonly BufferRange[]) : [given as BufferRange]).map(rangeOf);
}

function rangeOf(given: BufferRange): ByteRange {
  const buffer = "buffer" in given ? given.buffer : given;
  const offset = ("offset" in given ? given.offset : undefined) ?? 0;
  const size = ("buffer" in given ? given.size : undefined) ?? buffer.size - offset;
  return { buffer, offset, size };
}

function check(
  { minStorageBufferOffsetAlignment: alignment }: Limits,
  binding: Binding,
  ranges: readonly ByteRange[],
  need: number,
  bad: (reason: string) => Error,
): void {
  let bytes = 0;
  for (const { buffer, offset, size } of ranges) {
    if (offset % alignment !== 0) throw bad(`its offset ${offset} is not a multiple of ${alignment}`);
    const wanted = [USAGE.STORAGE, ...(binding.cleared ? [USAGE.COPY_DST] : [])];
    const missing = lacking(buffer.usage, ...wanted);
    if (missing !== undefined) throw bad(`it was created without the usage ${missing}`);
    const there = Math.max(0, Math.min(size, buffer.size - offset));
    bytes += there;
    if (there < size) break;
  }
  if (bytes < need) throw bad(`it has ${bytes} bytes but needs ${need}`);
}

/** In WebGPU a pass may either write to a buffer or read it as an input, and may not write to one range under two names. */
function checkShared({ pipeline }: Manifest, all: readonly Bound[]): void {
  const flat = all.flatMap(({ binding, ranges }) => ranges.map((range) => ({ binding, ...range })));
  for (const a of flat.filter(({ binding }) => !isGiven(binding))) {
    for (const b of flat) {
      if (a.binding === b.binding || a.buffer !== b.buffer) continue;
      const bad = (reason: string): Error =>
        errorOf("bad-buffer", { name: a.binding.name, reason }, pipeline);
      const overlap = a.offset < b.offset + b.size && b.offset < a.offset + a.size;
      if (isGiven(b.binding)) throw bad(`the ${b.binding.role} ${b.binding.name} is in the same buffer`);
      if (overlap) throw bad(`${b.binding.name} has the same range`);
    }
  }
}
