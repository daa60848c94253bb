/** NumPy's .npy files. Files that are read may have several dimensions, in C's order. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { badFile } from "../base/problem.ts";
import { readBinary, toLittleEndian } from "./binary.ts";
import { type NpyHeader, readHeader, writeHeader } from "./npy-header.ts";

/** NumPy's name of each element type. */
const DTYPES: Readonly<Record<ArrayType, string>> = {
  i32: "<i4",
  u32: "<u4",
  i64: "<i8",
  u64: "<u8",
  f16: "<f2",
  f32: "<f4",
  f64: "<f8",
  bool: "|b1",
  i8: "|i1",
  u8: "|u1",
  i16: "<i2",
  u16: "<u2",
  // NumPy has no bf16. It is stored as its 16 bits, which `view` reinterprets as a package's type.
  bf16: "<u2",
};

/** Other accepted names: a byte has no byte order, and packages save bf16 as two bytes without a type. */
const OTHERS: Readonly<Record<string, string>> = {
  "<b1": "|b1",
  ">b1": "|b1",
  "<i1": "|i1",
  ">i1": "|i1",
  "<u1": "|u1",
  ">u1": "|u1",
};
function dtypeOf(given: string, type: ArrayType): string {
  // The byte order of the machine, for which NumPy itself writes < or >.
  const descr = given.replace(/^=/, "<");
  return type === "bf16" && /^[<|]V2$/.test(descr) ? DTYPES.bf16 : (OTHERS[descr] ?? descr);
}

/** The elements in row-major order. @throws GroupwiseError `bad-file` if the file is damaged, truncated, or of another dtype or order */
export function readNpy(bytes: Uint8Array<ArrayBuffer>, type: ArrayType, path: string): HostArray {
  const { start } = npyHead(bytes, type, path, bytes.length);
  return readBinary(bytes.subarray(start), type, path);
}

/** Maximum number of bytes of a header. */
export const LONGEST_HEAD: number = 2 ** 14;

/**
 * The header of a file.
 * @param bytes the first of the file
 * @param size all bytes of the file; undefined if it is a pipe, whose length is not known
 * @throws GroupwiseError as `readNpy`
 */
export function npyHead(
  bytes: Uint8Array<ArrayBuffer>,
  type: ArrayType,
  path: string,
  size: number | undefined,
): NpyHeader {
  const head = headerOf(bytes, path);
  const { descr, shape, start, isFortran } = head;
  const dtype = dtypeOf(descr, type);
  if (dtype !== DTYPES[type]) {
    throw badFile(
      path,
      `its dtype is ${dtype}, but the input needs ${DTYPES[type]} (${type}): convert it, for example with NumPy's astype`,
    );
  }
  if (shape.length === 0) throw badFile(path, "its shape is (), but an input is an array: use reshape(-1)");
  // One dimension has the same layout in Fortran's order and in C's.
  if (isFortran && shape.length > 1)
    throw badFile(
      path,
      `its shape is (${shape.join(", ")}) in Fortran's order: save numpy.ascontiguousarray(array) of it`,
    );
  if (size !== undefined) requireElements(path, type, size - start, lengthOf(head));
  return head;
}

/** Number of elements. */
export const lengthOf = ({ shape }: NpyHeader): number => shape.reduce((a, b) => a * b, 1);

/** @param bytes all that follow the header @throws GroupwiseError `bad-file` unless they are as many elements as the header states */
export function requireElements(path: string, type: ArrayType, bytes: number, length: number): void {
  const { hostBytes } = arraySpec(type);
  const there = bytes / hostBytes;
  if (there === length) return;
  const found = Number.isInteger(there) ? `${there}` : `${bytes} bytes of ${hostBytes} each`;
  throw badFile(path, `its header states ${length} elements, but it contains ${found}`);
}

/** The bytes before the elements of a file with one dimension. */
export const npyStart = (type: ArrayType, length: number): Uint8Array => writeHeader(DTYPES[type], length);

function headerOf(bytes: Uint8Array<ArrayBuffer>, path: string): NpyHeader {
  try {
    return readHeader(bytes);
  } catch (error) {
    throw badFile(path, `it is not a readable .npy file: ${(error as Error).message}`, error);
  }
}

/** The bytes of an .npy file with one dimension. */
export function writeNpy(type: ArrayType, array: HostArray): Uint8Array {
  if (array.length * arraySpec(type).hostBytes !== array.byteLength)
    throw new TypeError(`not an array of ${type}`);
  const header = writeHeader(DTYPES[type], array.length);
  const bytes = new Uint8Array(header.length + array.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), header.length);
  toLittleEndian(bytes.subarray(header.length), arraySpec(type).hostBytes);
  return bytes;
}
