/** Arrays in shared memory. */

import type { ArrayType, HostArray } from "@groupwise/core";
import { type ArrayMemory, arraySpec, errorOf } from "@groupwise/core/target";
import { DEVICE } from "../program.ts";

/** Zeros in shared memory. @throws GroupwiseError `device-error` */
export function sharedZeros(type: ArrayType, length: number): HostArray {
  const { array } = arraySpec(type);
  return shared(array as never, length);
}

interface Class {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: SharedArrayBuffer): HostArray;
}

function shared(Made: Class, length: number): HostArray {
  try {
    return new Made(new SharedArrayBuffer(length * Made.BYTES_PER_ELEMENT));
  } catch (cause) {
    const reason = `${length} elements do not fit in shared memory`;
    throw errorOf("device-error", { device: DEVICE, reason }, "", cause);
  }
}

/** Inputs are copied into shared memory, and outputs out of it. */
export const SHARED: ArrayMemory = {
  zeros: sharedZeros,
  copy: (array) => {
    const made = shared(array.constructor as never, array.length);
    made.set(array as never);
    return made;
  },
  give: (array) => array.slice() as HostArray,
};
