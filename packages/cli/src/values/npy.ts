/** NumPy's .npy files. Files that are read may have several dimensions, in C's order. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { badFile, badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
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

/**
 * The elements in row-major order.
 * @param field of a structured file
 * @throws GroupwiseError `bad-file` if the file is damaged, truncated, or of another dtype or order; `bad-usage` for no such field
 */
export function readNpy(
  bytes: Uint8Array<ArrayBuffer>,
  type: ArrayType,
  path: string,
  field?: string,
): HostArray {
  const { start, stride, offset } = npyHead(bytes, { type, path, field }, bytes.length);
  return readBinary(fieldsIn(bytes.subarray(start), type, { stride, offset }), type, path);
}

/** The element that is asked for. */
interface NpyElement {
  readonly type: ArrayType;
  readonly path: string;
  /** Of a structured file. */
  readonly field?: string | undefined;
}

/** Where the elements of an input are: one in every `stride` bytes, `offset` bytes after the first of them. */
export interface NpyLayout {
  readonly stride: number;
  readonly offset: number;
}

/** The elements of one field one after another; the bytes themselves if nothing is between its elements. */
export function fieldsIn<T extends Uint8Array>(
  bytes: T,
  type: ArrayType,
  { stride, offset }: NpyLayout,
): T | Uint8Array<ArrayBuffer> {
  const { hostBytes } = arraySpec(type);
  if (stride === hostBytes) return bytes;
  const elements = new Uint8Array((bytes.length / stride) * hostBytes);
  for (let to = 0, from = offset; to < elements.length; from += stride)
    for (let i = 0; i < hostBytes; i++) elements[to++] = bytes[from + i] as number;
  return elements;
}

/** Maximum number of bytes of a header. */
export const LONGEST_HEAD: number = 2 ** 14;

/** A header, and where the elements are. */
export type NpyHead = NpyHeader & NpyLayout;

/**
 * The header of a file.
 * @param bytes the first of the file
 * @param size all bytes of the file; undefined if it is a pipe, whose length is not known
 * @throws GroupwiseError as `readNpy`
 */
export function npyHead(
  bytes: Uint8Array<ArrayBuffer>,
  element: NpyElement,
  size: number | undefined,
): NpyHead {
  const { type, path } = element;
  const head = headerOf(bytes, path);
  const { shape, start, isFortran } = head;
  const { descr, offset } = fieldOf(head, element);
  const dtype = dtypeOf(descr, type);
  if (dtype !== DTYPES[type]) {
    throw badFile(
      path,
      `its dtype is ${dtype}, but the input needs ${DTYPES[type]} (${type}): convert it, for example with NumPy's astype`,
    );
  }
  // One dimension has the same layout in Fortran's order and in C's.
  if (isFortran && shape.length > 1)
    throw badFile(
      path,
      `its shape is (${shape.join(", ")}) in Fortran's order: save numpy.ascontiguousarray(array) of it`,
    );
  const stride = head.item?.bytes ?? arraySpec(type).hostBytes;
  if (size !== undefined) requireElements(path, stride, size - start, lengthOf(head));
  return { ...head, stride, offset };
}

/** The type and place of the elements that are asked for. @throws GroupwiseError `bad-file`, `bad-usage` */
function fieldOf({ descr, item }: NpyHeader, { path, field }: NpyElement): { descr: string; offset: number } {
  if (!item) {
    if (field === undefined) return { descr, offset: 0 };
    throw badUsage("an .npy file contains its type", `write ${path} alone`, path);
  }
  const names = item.fields.map(({ name }) => name);
  if (field === undefined)
    throw badFile(
      path,
      `it is structured, with the fields ${names.join(", ")}`,
      undefined,
      `write ${path}:${names[0]}`,
    );
  const found = item.fields.find(({ name }) => name === field);
  if (!found) throw badUsage(`${path} has no field ${JSON.stringify(field)}`, oneOf(field, names), path);
  if (found.descr !== undefined) return { descr: found.descr, offset: found.offset };
  throw badFile(
    path,
    `its field ${field} is a structure or an array: save numpy.ascontiguousarray(array["${field}"])`,
  );
}

/** Number of elements. */
export const lengthOf = ({ shape }: NpyHeader): number => shape.reduce((a, b) => a * b, 1);

/** @param bytes all that follow the header @throws GroupwiseError `bad-file` unless they are as many items as the header states */
export function requireElements(path: string, itemBytes: number, bytes: number, length: number): void {
  const there = bytes / itemBytes;
  if (there === length) return;
  const found = Number.isInteger(there) ? `${there}` : `${bytes} bytes of ${itemBytes} each`;
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
