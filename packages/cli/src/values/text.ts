/** The characters of a text. */
import { isUtf8 } from "node:buffer";
import type { GroupwiseError } from "@groupwise/core";
import { badFile } from "../base/problem.ts";

/** Bytes that are decoded at once, because a file may be longer than an engine's longest string. */
const PIECE = 2 ** 20;

/** The error for bytes that are not text. */
export const notUtf8 = (path: string, cause?: unknown): GroupwiseError =>
  badFile(path, "its bytes are not UTF-8 text", cause, "save it as UTF-8");

/** Unicode code points, one u32 each, without a byte order mark. @throws GroupwiseError `bad-file` */
export function codePoints(bytes: Uint8Array, path: string): Uint32Array {
  if (!isUtf8(bytes)) throw notUtf8(path);
  const points = new Uint32Array(countPoints(bytes));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let count = 0;
  for (let from = 0; from < bytes.length; from += PIECE) {
    const text = decoder.decode(bytes.subarray(from, from + PIECE), { stream: true });
    for (let i = 0; i < text.length; i++) {
      const point = text.codePointAt(i) as number;
      if (point > 0xffff) i++;
      points[count++] = point;
    }
  }
  return points;
}

/** The bytes of a text in UTF-8, without a byte order mark. @throws GroupwiseError `bad-file` */
export function textBytes(bytes: Uint8Array, path: string): Uint8Array {
  if (!isUtf8(bytes)) throw notUtf8(path);
  return bytes.subarray(hasMark(bytes) ? 3 : 0);
}

const hasMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

function countPoints(bytes: Uint8Array): number {
  let count = hasMark(bytes) ? -1 : 0;
  for (let i = 0; i < bytes.length; i++) if (((bytes[i] as number) & 0xc0) !== 0x80) count++;
  return count;
}

/** All of a text as one string. @throws GroupwiseError `bad-file` */
export function textOf(bytes: Uint8Array, path: string): string {
  if (!isUtf8(bytes)) throw notUtf8(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const limit = "pipeline documents are much shorter: check the path";
    throw badFile(path, `its ${bytes.length} bytes exceed the length of a string`, error, limit);
  }
}
