/** Files that are compressed with gzip. */
import type { Readable } from "node:stream";
import { createGunzip, gunzipSync } from "node:zlib";
import type { GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { badFile } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";

/** The contents of a compressed stream, in pieces. */
export function gunzipped(file: Readable, chunkSize: number): Readable {
  const plain = createGunzip({ chunkSize });
  file.on("error", (error) => plain.destroy(error));
  plain.on("close", () => file.destroy());
  return file.pipe(plain);
}

/** The contents of a compressed file. @throws GroupwiseError `bad-file` */
export function gunzip(bytes: Uint8Array, path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(gunzipSync(bytes));
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The error for a file that is missing, or whose compression is damaged. */
export function unreadable(path: string, error: unknown): GroupwiseError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^(Z|ERR)_/.test(code ?? ""))
    return badFile(
      path,
      `it is not compressed as gzip does: ${message}`,
      error,
      "compress it again, or pass the file without compression",
    );
  return errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
}
