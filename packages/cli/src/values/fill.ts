/** Reads parts of a file. */
import type { FileHandle } from "node:fs/promises";
import { badFile } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";

/** Bytes of one read: the system does not read 2 GiB at once. */
const PIECE = 2 ** 30;

/** Fills bytes from a position of a file. @throws GroupwiseError `bad-file` */
export async function fill(file: FileHandle, bytes: Uint8Array, at: number, path: string): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const read = await file
      .read(bytes, done, Math.min(bytes.length - done, PIECE), at + done)
      .catch((error) => {
        throw badFile(path, `it cannot be read: ${reasonOf(error)}`, error);
      });
    if (read.bytesRead === 0) throw badFile(path, "it was truncated while it was read");
    done += read.bytesRead;
  }
}
