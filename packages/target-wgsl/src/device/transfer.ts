/** Elements between host arrays and buffers, a chunk at a time: no second copy of a long array. */
import type { HostArray } from "@groupwise/core";
import { fromDevice, hostZeros, type Layout, toDevice } from "@groupwise/core/target";
import type { Gpu } from "./device.ts";
import { wholeWords } from "./memory.ts";
import { type ByteRange, partBytesOf } from "./parts.ts";
import { copyTo, type Staged } from "./staging.ts";

/** Bytes of device memory that are in transfer at a time. */
const CHUNK = 2 ** 26;

/** The elements of an array of device memory. */
export type Elements = Layout;

/** Bytes of a chunk: whole elements of any type. */
export const chunkBytes = (gpu: Gpu): number => Math.min(CHUNK, partBytesOf(gpu.limits));

interface Chunk {
  /** Elements. */
  readonly from: number;
  readonly to: number;
  readonly range: ByteRange;
}

const WORD = 4;
const words = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;

/** The chunks of an array that is split into ranges, all but the last of whole chunks. */
function* chunksOf(
  gpu: Gpu,
  { bytesPerElement }: Elements,
  ranges: readonly ByteRange[],
  length: number,
): Generator<Chunk> {
  const most = chunkBytes(gpu) / bytesPerElement;
  let from = 0;
  for (const { buffer, offset, size } of ranges) {
    const end = Math.min(length, from + Math.floor(size / bytesPerElement));
    for (const start = from; from < end; ) {
      const to = Math.min(end, from + most);
      const at = offset + (from - start) * bytesPerElement;
      yield { from, to, range: { buffer, offset: at, size: words((to - from) * bytesPerElement) } };
      from = to;
    }
  }
}

/** A chunk on its way to a buffer. */
export interface Write {
  readonly of: Elements;
  readonly range: ByteRange;
  readonly data: HostArray;
}

/** The chunks of elements that are to be written, which are views of them. */
export function* writesOf(
  gpu: Gpu,
  of: Elements,
  ranges: readonly ByteRange[],
  data: HostArray,
): Generator<Write> {
  for (const { from, to, range } of chunksOf(gpu, of, ranges, data.length))
    yield { of, range, data: data.subarray(from, to) as HostArray };
}

/** Writes a chunk: WebGPU takes a copy before this returns. */
export function write({ device }: Gpu, { of, range, data }: Write): void {
  const chunk = wholeWords(toDevice(of, data));
  device.queue.writeBuffer(range.buffer, range.offset, chunk as Uint32Array<ArrayBuffer>);
}

/**
 * Reads elements into a new array, a chunk at a time.
 * @throws GroupwiseError `device-error` where the host has no memory for it
 */
export async function read(
  gpu: Gpu,
  of: Elements,
  ranges: readonly ByteRange[],
  length: number,
): Promise<HostArray> {
  const host = hostArray(of, length);
  for (const chunk of chunksOf(gpu, of, ranges, length)) await readChunks(gpu, of, [chunk], host);
  return host;
}

/** Bytes that are read together, at one time. */
const AT_ONCE = 2 ** 30;

/**
 * Reads the current elements; later submissions do not change the result. More than 2^30 bytes are read in chunks, of which
 * each has the elements at the time of its read.
 */
export async function readNow(
  gpu: Gpu,
  of: Elements,
  ranges: readonly ByteRange[],
  length: number,
): Promise<HostArray> {
  if (length * of.bytesPerElement > AT_ONCE) return read(gpu, of, ranges, length);
  const host = hostArray(of, length);
  const chunks = [...chunksOf(gpu, of, ranges, length)];
  if (chunks.length > 0) await readChunks(gpu, of, chunks, host);
  return host;
}

/** Reads the current elements of chunks into an array. */
async function readChunks(gpu: Gpu, of: Elements, chunks: readonly Chunk[], host: HostArray): Promise<void> {
  const { device } = gpu;
  await gpu.staging.during(async (take) => {
    const reads = await gpu.guarded(() => {
      const encoder = device.createCommandEncoder({ label: "read" });
      const staged = chunks.map(({ range }) => copyTo(take(range.size), encoder, range));
      device.queue.submit([encoder.finish()]);
      return staged;
    });
    const readAll = chunks.map(({ from, to }, i) =>
      gpu.staging.read(reads[i] as Staged, (bytes) =>
        host.set(fromDevice(of, bytes, to - from) as never, from),
      ),
    );
    await gpu.orLost(Promise.all(readAll));
  });
}

/** @throws GroupwiseError `device-error` where the host has no memory for it */
export const hostArray = ({ type }: Pick<Elements, "type">, length: number): HostArray =>
  hostZeros(type, length, "JavaScript");
