/** A pool of device memory: it keeps what was released, because the driver takes long to give memory. */
import type { Handle } from "@groupwise/core/queue";
import type { Cuda } from "./ffi.ts";

/** Bytes that stay with the pool while nothing uses them. */
const KEPT = 2 ** 28;
/** Of CUmemPoolProps in cuda.h: pinned memory of a device. */
const [PINNED, ON_DEVICE] = [1, 1];
const PROPERTIES_BYTES = 88;
const RELEASE_THRESHOLD = 4;

/** @param device its ordinal. The context is current. */
export function makePool(cuda: Cuda, device: number): Handle {
  const properties = new ArrayBuffer(PROPERTIES_BYTES);
  // The kind of memory, no handles, and where it is.
  new Int32Array(properties).set([PINNED, 0, ON_DEVICE, device]);
  const pool = cuda.make("cuMemPoolCreate", properties);
  cuda.call("cuMemPoolSetAttribute", pool, RELEASE_THRESHOLD, new BigUint64Array([BigInt(KEPT)]));
  return pool;
}
