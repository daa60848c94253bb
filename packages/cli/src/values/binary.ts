/** Raw binary: the elements one after another, little-endian. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { badFile } from "../base/problem.ts";

/** Typed arrays of such a machine would read it wrongly; Node runs on one, s390x. */
const IS_BIG_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1;

/** The elements, in place where they lie at a multiple of their size. @throws GroupwiseError `bad-file` */
export function readBinary(bytes: Uint8Array<ArrayBuffer>, type: ArrayType, path: string): HostArray {
  const { hostBytes, array } = arraySpec(type);
  if (bytes.length % hostBytes !== 0) {
    throw badFile(
      path,
      `its ${bytes.length} bytes are not a whole number of ${type} elements (${hostBytes} bytes each)`,
    );
  }
  const other = type === "bool" ? bytes.findIndex((byte) => byte > 1) : -1;
  if (other >= 0) {
    throw badFile(path, `a bool is a byte that is 0 or 1, but element ${other} is ${bytes[other]}`);
  }
  const aligned = bytes.byteOffset % hostBytes === 0 ? bytes : bytes.slice();
  toLittleEndian(aligned, hostBytes);
  const view = array as unknown as new (buffer: ArrayBuffer, at: number, length: number) => HostArray;
  return new view(aligned.buffer, aligned.byteOffset, aligned.length / hostBytes);
}

/** Turns elements from the machine's byte order to that of files, or back, in place. */
export function toLittleEndian(bytes: Uint8Array, width: number): void {
  if (!IS_BIG_ENDIAN) return;
  for (let i = 0; i < bytes.length; i += width) bytes.subarray(i, i + width).reverse();
}
