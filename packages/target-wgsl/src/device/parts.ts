/** Arrays that exceed a device's limits: several bindings and several buffers. */
import type { Binding, Manifest } from "@groupwise/core";
import { ALIGNMENT } from "../print/param-block.ts";
import type { Limits } from "./limits.ts";

/** Bytes of a buffer. */
export interface ByteRange {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly size: number;
}

/** A stretch of an array's bytes. */
interface Cut {
  readonly at: number;
  readonly size: number;
}

/** Some compilers compute byte offsets in signed words. */
const MOST_BYTES = 2 ** 31;

/**
 * Bytes of a part of a split array: the most that can be bound, that fits one buffer, and after which another binding can begin.
 * @param emitted those of a file that was emitted in parts
 */
export function partBytesOf(limits: Limits, emitted: Manifest["flags"][string] = MOST_BYTES): number {
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize, +emitted);
  return Math.floor(most / ALIGNMENT) * ALIGNMENT;
}

/** Some drivers hang on a fill of 2^32 bytes, and WebGPU fills every new buffer with zeros. */
const MOST_IN_BUFFER = 2 ** 32 - 4;

const mostInBuffer = ({ maxBufferSize }: Limits): number => Math.min(maxBufferSize, MOST_IN_BUFFER);

/** Bytes of every buffer except the last, for memory that needs several: a multiple of a part, so that no part spans two buffers. */
export function bufferBytesOf(limits: Limits, part: number = partBytesOf(limits)): number {
  return Math.floor(mostInBuffer(limits) / part) * part;
}

/** The sizes of the buffers that hold a number of bytes. */
export function buffersFor(bytes: number, limits: Limits, part?: number): number[] {
  if (bytes <= mostInBuffer(limits)) return [bytes];
  const each = bufferBytesOf(limits, part);
  return Array.from({ length: Math.ceil(bytes / each) }, (_, i) => Math.min(each, bytes - i * each));
}

/** The bytes of an array in each of its bindings; none for those that the array does not reach. */
export function cutsOf(binding: Binding, bytes: number): Cut[] {
  const { parts = 1, partElements = 0, bytesPerElement } = binding;
  if (parts === 1) return [{ at: 0, size: bytes }];
  const step = partElements * bytesPerElement;
  return Array.from({ length: parts }, (_, i) => ({
    at: i * step,
    size: Math.max(0, Math.min(step, bytes - i * step)),
  }));
}

/** The range that contains a cut, from consecutive ranges; undefined if none contains all of it. */
export function locate(ranges: readonly ByteRange[], { at, size }: Cut): ByteRange | undefined {
  let before = 0;
  for (const range of ranges) {
    if (at >= before && at + size <= before + range.size)
      return { buffer: range.buffer, offset: range.offset + at - before, size };
    before += range.size;
  }
  return undefined;
}
