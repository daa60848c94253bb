/** Between memory of the host and buffers. */
import type { HostArray } from "@groupwise/core";
import { arraySpec, type InMemory, type Layout, toDevice } from "@groupwise/core/target";
import { QUIRKS } from "../base/quirks.ts";
import { CL } from "./constants.ts";
import type { Handle, OpenCl } from "./ffi.ts";

/** A range of a buffer. */
export interface Range {
  readonly buffer: Handle;
  /** The first byte. */
  readonly offset: number;
}

/** Zeros in a range of a buffer, which is no part of another. It begins at a multiple of the device's alignment. */
export function clear(
  cl: OpenCl,
  queue: Handle,
  { buffer, offset }: Range,
  bytes: number,
  longest: number = QUIRKS.longFill.value,
): void {
  const fill = (target: Handle, first: number, length: number): void => {
    const zero = new Uint8Array(1);
    cl.call("clEnqueueFillBuffer", queue, target, zero, zero.byteLength, first, length, 0, null, null);
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

/** Waits for earlier commands, because the caller may change or move the array when this returns. */
export function write(cl: OpenCl, queue: Handle, to: Range, form: InMemory, values: HostArray): void {
  if (values.length === 0) return;
  const data = toDevice(form, values);
  const { buffer, offset } = to;
  cl.call("clEnqueueWriteBuffer", queue, buffer, CL.TRUE, offset, data.byteLength, data, 0, null, null);
}

/** Does not wait: the driver takes a copy at once, and the device moves it when its turn comes. */
export function writeLater(
  cl: OpenCl,
  { context, queue }: { readonly context: Handle; readonly queue: Handle },
  to: Range,
  form: InMemory,
  values: HostArray,
): void {
  if (values.length === 0) return;
  const data = toDevice(form, values);
  const bytes = data.byteLength;
  const flags = CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR;
  const copy = cl.make("clCreateBuffer", context, flags, bytes, data);
  try {
    cl.call("clEnqueueCopyBuffer", queue, copy, to.buffer, 0, to.offset, bytes, 0, null, null);
  } finally {
    // It lives on until the copy is done.
    cl.status("clReleaseMemObject", copy);
  }
}

/** A pending write of the device to memory of this process. */
export interface Reading {
  /** The device writes here; it must be held until the queue is done. A buffer of its own does not move. */
  readonly bytes: ArrayBuffer;
  /** The host's array, once the queue is done. */
  values(): HostArray;
}

/** Requests a range's elements and does not wait. */
export function startReading(
  cl: OpenCl,
  queue: Handle,
  from: Range,
  { type, bytesPerElement }: Pick<Layout, "type" | "bytesPerElement">,
  elements: number,
): Reading {
  const array = arraySpec(type).array as unknown as new (memory: ArrayBuffer) => HostArray;
  const bytes = new ArrayBuffer(elements * bytesPerElement);
  if (elements > 0) {
    const { buffer, offset } = from;
    cl.call("clEnqueueReadBuffer", queue, buffer, CL.FALSE, offset, bytes.byteLength, bytes, 0, null, null);
  }
  return {
    bytes,
    values: () => {
      if (type !== "bool") return new array(bytes);
      const bools = new Uint8Array(elements);
      bools.set(new Uint32Array(bytes));
      return bools;
    },
  };
}
