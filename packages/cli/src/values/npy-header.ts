/** The header of an .npy file, read as strictly as NumPy reads it. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */

import { itemOf, type NpyItem } from "./npy-fields.ts";

/** The contents of a header. */
export interface NpyHeader {
  /** As in the file, byte order included: `<f4`; that of a structure is `|V` and its bytes. */
  readonly descr: string;
  /** The layout of the items of a structured file. */
  readonly item?: NpyItem;
  readonly shape: readonly number[];
  /** True if elements that differ only in the first index are adjacent. */
  readonly isFortran: boolean;
  /** Where the data begin, in bytes. */
  readonly start: number;
}

/** NumPy's own limit, in bytes. */
const LONGEST = 10_000;
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** By major version: bytes of the length, and the encoding. */
const VERSIONS: Readonly<Record<number, readonly [lengthBytes: 2 | 4, encoding: string]>> = {
  1: [2, "latin1"],
  2: [4, "latin1"],
  3: [4, "utf-8"],
};

/** Python 2 wrote long integers with an L. */
const INTEGER = String.raw`(?:0|[1-9]\d*)L?`;
/** A tuple of one integer needs a comma. */
const TUPLE = String.raw`\(\s*(?:${INTEGER}\s*,\s*(?:${INTEGER}\s*(?:,\s*${INTEGER}\s*)*(?:,\s*)?)?)?\)`;
/** The values of each key, in Python's syntax. */
const VALUES: Readonly<Record<string, string>> = {
  descr: String.raw`'[^'\\\n]*'|"[^"\\\n]*"`,
  fortran_order: "True|False",
  shape: TUPLE,
};
const ENTRY = Object.entries(VALUES)
  .map(([key, value]) => String.raw`(?:'${key}'|"${key}")\s*:\s*(?:${value})`)
  .join("|");
const DICTIONARY = new RegExp(String.raw`^[ \t]*\{\s*(?:${ENTRY})(?:\s*,\s*(?:${ENTRY})){2}\s*,?\s*\}\s*$`);

/** @throws Error whose message follows "it is not a readable .npy file" */
export function readHeader(bytes: Uint8Array<ArrayBuffer>): NpyHeader {
  if (bytes.length < 12) throw new Error("it is too short for a header");
  if (MAGIC.some((byte, i) => bytes[i] !== byte))
    throw new Error("it does not begin with the .npy signature");
  const [major = 0, minor] = bytes.subarray(6, 8);
  const version = VERSIONS[major];
  if (!version || minor !== 0) throw new Error(`the format has no version ${major}.${minor}`);
  const [lengthBytes, encoding] = version;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = lengthBytes === 2 ? view.getUint16(8, true) : view.getUint32(8, true);
  const start = 8 + lengthBytes + length;
  if (start > bytes.length) throw new Error("its header is truncated");
  if (length > LONGEST) throw new Error(`its header has ${length} bytes; NumPy accepts at most ${LONGEST}`);
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(8 + lengthBytes, start));
  return { ...dictionary(text), start };
}

/** The list of fields of a structured file. */
const LIST = /(?<=(?:'descr'|"descr")\s*:\s*)\[.*\]/;

function dictionary(text: string): Omit<NpyHeader, "start"> {
  const list = LIST.exec(text)?.[0];
  if (list === undefined) return plainDictionary(text);
  const item = itemOf(list);
  return { ...plainDictionary(text.replace(list, () => `'|V${item.bytes}'`)), item };
}

function plainDictionary(text: string): Omit<NpyHeader, "start"> {
  const valuesOf = (key: string): string[] =>
    [...text.matchAll(new RegExp(String.raw`(['"])${key}\1\s*:\s*(${VALUES[key]})`, "g"))].map(
      (match) => match[2] as string,
    );
  const [descr, fortran, shape] = Object.keys(VALUES).map(valuesOf);
  if (!DICTIONARY.test(text) || descr?.length !== 1 || fortran?.length !== 1 || shape?.length !== 1) {
    throw new Error("its header is not a dictionary of descr, fortran_order and shape");
  }
  const sides = shape[0]?.match(/\d+/g) ?? [];
  return {
    descr: (descr[0] as string).slice(1, -1),
    shape: sides.map(Number),
    isFortran: fortran[0] === "True",
  };
}

/** The bytes before the data of a new file with one dimension: version 1, padded to a multiple of 64 as NumPy does. */
export function writeHeader(descr: string, length: number): Uint8Array {
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${length},), }`;
  const size = Math.ceil((10 + text.length + 1) / 64) * 64;
  const bytes = new TextEncoder().encode(`${"\0".repeat(10)}${text.padEnd(size - 11)}\n`);
  bytes.set([...MAGIC, 1, 0]);
  new DataView(bytes.buffer).setUint16(8, size - 10, true);
  return bytes;
}
