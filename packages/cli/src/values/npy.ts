/** NumPy's .npy files, one dimension. */
import { type HostArray, SCALARS, type Scalar } from "@groupwise/core";
import { type DType, dump, type NpyArray, parse } from "npyjs";
import { badFile } from "../problem.ts";

/** What NumPy calls each element type. */
const DTYPES: Readonly<Record<Scalar, DType>> = {
  i32: "i4",
  u32: "u4",
  i64: "i8",
  u64: "u8",
  f16: "f2",
  f32: "f4",
  f64: "f8",
  bool: "b1",
};

/** @throws GroupwiseError `bad-file`: damaged, of another dtype, byte order or number of dimensions, or cut short */
export function readNpy(bytes: Uint8Array<ArrayBuffer>, type: Scalar, path: string): HostArray {
  const { data, shape, dtype } = parseNpy(bytes, path);
  if (dtype !== DTYPES[type]) {
    throw badFile(
      path,
      `its dtype is ${dtype}, and the input wants ${DTYPES[type]} (${type}): convert it, for example with NumPy's astype`,
    );
  }
  // One dimension lies the same in Fortran's order and in C's.
  if (shape.length !== 1) {
    throw badFile(path, `its shape is (${shape.join(", ")}), and an input has one dimension: reshape(-1) it`);
  }
  const values = data as unknown as ArrayLike<number> & { length: number };
  if (values.length !== shape[0]) {
    throw badFile(path, `its header promises ${shape[0]} elements, and there are ${values.length}`);
  }
  return type === "bool" ? Uint8Array.from(values, Number) : (data as HostArray);
}

function parseNpy(bytes: Uint8Array<ArrayBuffer>, path: string): NpyArray {
  try {
    // The type of a float16's bits is ours; bools come as a plain list.
    return parse(aligned(bytes), { convertFloat16: false });
  } catch (error) {
    throw badFile(path, `it is no .npy file that can be read: ${(error as Error).message}`, error);
  }
}

/** The file with its data at a multiple of 8: old files have headers of any length, typed arrays want that. */
function aligned(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const view = new DataView(bytes.buffer);
  if (bytes.length < 12) throw new Error("it is too short for a header");
  const first = bytes[6] === 1 ? 10 : 12;
  const start = first + (first === 10 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (start > bytes.length) throw new Error("its header is cut short");
  const missing = (8 - (start % 8)) % 8;
  if (missing === 0 || first === 12) return bytes.buffer;
  // Spaces are allowed at the end of the header.
  const wide = new Uint8Array(bytes.length + missing);
  wide.set(bytes.subarray(0, start));
  wide.fill(0x20, start, start + missing);
  wide.set(bytes.subarray(start), start + missing);
  new DataView(wide.buffer).setUint16(8, start - first + missing, true);
  return wide.buffer;
}

/** The bytes of an .npy file with one dimension. */
export function writeNpy(type: Scalar, array: HostArray): Uint8Array {
  if (array.length * SCALARS[type].hostBytes !== array.byteLength)
    throw new TypeError(`not an array of ${type}`);
  return new Uint8Array(dump(array, [array.length], { dtype: DTYPES[type] }));
}
