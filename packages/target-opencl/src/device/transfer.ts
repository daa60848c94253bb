/** Between memory of the host and buffers. */
import type { HostArray } from "@groupwise/core";
import { arraySpec, type InMemory, type Layout, toDevice } from "@groupwise/core/target";
import { QUIRKS } from "../print/quirks.ts";
import { CL } from "./constants.ts";
import type { Handle, OpenCl } from "./ffi.ts";
import type { Pool } from "./owned.ts";

/** A range of a buffer. */
export interface Range {
  readonly buffer: Handle;
  /** The first byte. */
  readonly offset: number;
}

/** Bytes of the pattern: an H200 (driver 580.159) fills with patterns of 1, 4 and 16 bytes at 0.4, 1.4 and 2.4 TB/s. */
const WIDEST = 16;
const ZEROS = new Uint8Array(WIDEST);

/** Zeros in a range of a buffer, which is no part of another. It begins at a multiple of the device's alignment. */
export function clear(
  cl: OpenCl,
  queue: Handle,
  { buffer, offset }: Range,
  bytes: number,
  longest: number = QUIRKS.longFill.value,
): void {
  const fill = (target: Handle, first: number, length: number): void => {
    const rest = length % WIDEST;
    for (const [width, at, count] of [
      [WIDEST, first, length - rest],
      [1, first + length - rest, rest],
    ] as const)
      if (count > 0) cl.call("clEnqueueFillBuffer", queue, target, ZEROS, width, at, count, 0, null, null);
  };
  if (bytes === 0) return;
  if (offset + bytes <= longest) {
    fill(buffer, offset, bytes);
    return;
  }
  for (let done = 0; done < bytes; done += longest) {
    const length = Math.min(longest, bytes - done);
    const part = partOf(cl, buffer, offset + done, length);
    try {
      fill(part, 0, length);
    } finally {
      // It lives on until it is filled.
      cl.status("clReleaseMemObject", part);
    }
  }
}

/** A part of a buffer for kernels; its first byte is at a multiple of the device's alignment. */
export function partOf(cl: OpenCl, buffer: Handle, offset: number, bytes: number): Handle {
  const region = new BigUint64Array([BigInt(offset), BigInt(bytes)]);
  return cl.make("clCreateSubBuffer", buffer, CL.MEM_READ_WRITE, CL.BUFFER_CREATE_TYPE_REGION, region);
}

/** A buffer whose first bytes are `data`, which the host may change when this returns; other bytes are undefined. It waits for no commands. */
export function makeBuffer(
  cl: OpenCl,
  { context, transfers }: Pick<Queues, "context" | "transfers">,
  bytes: number,
  data: HostArray | null,
): Handle {
  if (data === null) return cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE, bytes, null);
  if (transfers === undefined)
    return cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, bytes, data);
  const made = cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE, bytes, null);
  try {
    cl.call("clEnqueueWriteBuffer", transfers, made, CL.TRUE, 0, data.byteLength, data, 0, null, null);
    return made;
  } catch (error) {
    cl.status("clReleaseMemObject", made);
    throw error;
  }
}

/** Waits for earlier commands, because the caller may change or move the array when this returns. */
export function write(cl: OpenCl, queue: Handle, to: Range, form: InMemory, values: HostArray): void {
  if (values.length === 0) return;
  const data = toDevice(form, values);
  const { buffer, offset } = to;
  cl.call("clEnqueueWriteBuffer", queue, buffer, CL.TRUE, offset, data.byteLength, data, 0, null, null);
}

/** Does not wait: the driver takes a copy at once, and the device moves it when its turn comes. */
export function writeLater(cl: OpenCl, queues: Queues, to: Range, form: InMemory, values: HostArray): void {
  if (values.length === 0) return;
  const data = toDevice(form, values);
  const bytes = data.byteLength;
  const copy = makeBuffer(cl, queues, bytes, data);
  try {
    cl.call("clEnqueueCopyBuffer", queues.queue, copy, to.buffer, 0, to.offset, bytes, 0, null, null);
  } finally {
    // It lives on until the copy is done.
    cl.status("clReleaseMemObject", copy);
  }
}

/** Elements on their way to memory of this process. */
export interface Reading {
  /** The host's array, once the queue is done. Called once. */
  values(): HostArray;
}

/** The queues of a device. */
export interface Queues {
  readonly context: Handle;
  readonly queue: Handle;
  /** For memory that no unfinished command of `queue` uses: it waits for none of them. Undefined for devices whose transfers do not stop the host. */
  readonly transfers: Handle | undefined;
}

type Elements = Pick<Layout, "type" | "bytesPerElement">;

/** Elements from the first byte of a range on. */
export interface Span {
  readonly from: Range;
  readonly elements: Elements;
  readonly count: number;
}

/** Whether that many bytes are copied aside. */
export const isShort = (bytes: number): boolean => bytes <= QUIRKS.waitingRead.value;

/** Requests a range's elements and does not wait, except for drivers of the quirk `waitingRead` while the queue is busy. */
export function startReading(cl: OpenCl, queue: Handle, span: Span): Reading {
  const bytes = enqueueRead(cl, queue, CL.FALSE, span);
  return { values: () => hostArray(span.elements, bytes) };
}

/** Reads a range that nothing changes until `values` is called. */
export function readLater(cl: OpenCl, { queue, transfers }: Queues, span: Span): Reading {
  if (transfers === undefined) return startReading(cl, queue, span);
  return { values: () => hostArray(span.elements, enqueueRead(cl, transfers, CL.TRUE, span)) };
}

/** Reads the elements that a range has now; later commands may change them. @param pool retains the copy */
export function readAside(cl: OpenCl, queues: Queues, pool: Pool, span: Span): Reading {
  const { from, elements, count } = span;
  // OpenCL has no empty buffers.
  if (queues.transfers === undefined || count === 0) return startReading(cl, queues.queue, span);
  const { buffer, offset } = from;
  const bytes = count * elements.bytesPerElement;
  const copy = pool.add("buffer", cl.make("clCreateBuffer", queues.context, CL.MEM_READ_WRITE, bytes, null));
  cl.call("clEnqueueCopyBuffer", queues.queue, buffer, copy, offset, 0, bytes, 0, null, null);
  return readLater(cl, queues, { from: { buffer: copy, offset: 0 }, elements, count });
}

/** @returns where the elements are written; it does not move, and must be held until they are */
function enqueueRead(
  cl: OpenCl,
  queue: Handle,
  waits: number,
  { from: { buffer, offset }, elements: { bytesPerElement }, count }: Span,
): ArrayBuffer {
  const to = new ArrayBuffer(count * bytesPerElement);
  if (count > 0)
    cl.call("clEnqueueReadBuffer", queue, buffer, waits, offset, to.byteLength, to, 0, null, null);
  return to;
}

function hostArray({ type }: Elements, bytes: ArrayBuffer): HostArray {
  const array = arraySpec(type).array as unknown as new (memory: ArrayBuffer) => HostArray;
  return type === "bool" ? new Uint8Array(new Uint32Array(bytes)) : new array(bytes);
}
