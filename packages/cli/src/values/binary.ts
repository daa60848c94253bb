/** Raw binary: the elements one after another, little-endian. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { badFile } from "../base/problem.ts";

/** Whether the machine is big-endian, as s390x is: its typed arrays need the bytes swapped. */
const IS_BIG_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1;

/** The elements; a view of the bytes if they are aligned to the size of an element. @throws GroupwiseError `bad-file` */
export function readBinary(bytes: Uint8Array, type: ArrayType, path: string): HostArray {
  const { hostBytes, array } = arraySpec(type);
  if (bytes.length % hostBytes !== 0) {
    throw badFile(
      path,
      `its ${bytes.length} bytes are not a whole number of ${type} elements (${hostBytes} bytes each)`,
    );
  }
  const other = type === "bool" ? notBool(bytes) : -1;
  if (other >= 0) {
    throw badFile(path, `a bool is a byte that is 0 or 1, but element ${other} is ${bytes[other]}`);
  }
  const aligned = bytes.byteOffset % hostBytes === 0 ? bytes : bytes.slice();
  toLittleEndian(aligned, hostBytes);
  const view = array as unknown as new (buffer: ArrayBufferLike, at: number, length: number) => HostArray;
  return new view(aligned.buffer, aligned.byteOffset, aligned.length / hostBytes);
}

/** Converts elements between the machine's byte order and that of files, in place. */
export function toLittleEndian(bytes: Uint8Array, width: number): void {
  if (!IS_BIG_ENDIAN) return;
  for (let i = 0; i < bytes.length; i += width) bytes.subarray(i, i + width).reverse();
}

/** The index of the first byte that is no bool, or -1. A loop is several times as fast as `findIndex`. */
function notBool(bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) > 1) return i;
  return -1;
}
