/** Raw binary: the elements one after another, little-endian. */
import { type HostArray, SCALARS, type Scalar } from "@groupwise/core";
import { badFile } from "../problem.ts";

/** @throws GroupwiseError `bad-file` */
export function readBinary(bytes: Uint8Array<ArrayBuffer>, type: Scalar, path: string): HostArray {
  const { hostBytes, array } = SCALARS[type];
  if (bytes.length % hostBytes !== 0) {
    throw badFile(path, `its ${bytes.length} bytes are no whole number of ${type} (${hostBytes} bytes each)`);
  }
  if (type === "bool" && bytes.some((byte) => byte > 1)) {
    throw badFile(path, "a bool is a byte that is 0 or 1, and there are others");
  }
  // The typed arrays of a big-endian machine would read it wrongly; Node runs on one such, s390x.
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) reverse(bytes, hostBytes);
  return new (array as unknown as new (buffer: ArrayBuffer) => HostArray)(bytes.buffer);
}

function reverse(bytes: Uint8Array, width: number): void {
  for (let i = 0; i < bytes.length; i += width) bytes.subarray(i, i + width).reverse();
}
