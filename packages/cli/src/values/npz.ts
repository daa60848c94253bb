/** Arrays of NumPy's .npz archives. */
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { ArrayType, HostArray } from "@groupwise/core";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { badFile, badUsage, isGroupwiseError } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { unreadable } from "./gzip.ts";
import { readNpy } from "./npy.ts";

const EXTENSION = ".npy";

/** An array of an archive that is open. Its stream closes the archive. */
interface Member {
  readonly entry: Entry;
  readonly stream: Readable;
}

/**
 * Opens an array.
 * @param name as in Python, without `.npy`; undefined for the only one
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`
 */
export async function openMember(path: string, cwd: string, name: string | undefined): Promise<Member> {
  let archive: ZipFile | undefined;
  try {
    archive = await openPromise(resolve(cwd, path), { lazyEntries: true, autoClose: false });
    const entries = new Map<string, Entry>();
    for await (const entry of archive.eachEntry())
      if (entry.fileName.endsWith(EXTENSION)) entries.set(entry.fileName.slice(0, -EXTENSION.length), entry);
    const entry = entryOf(path, entries, name);
    const stream = await archive.openReadStreamPromise(entry);
    const open = archive;
    stream.once("close", () => open.close());
    return { entry, stream };
  } catch (error) {
    archive?.close();
    throw isGroupwiseError(error) ? error : damaged(path, error);
  }
}

function entryOf(path: string, entries: ReadonlyMap<string, Entry>, name: string | undefined): Entry {
  const names = [...entries.keys()];
  const found = entries.get(name ?? (names.length === 1 ? (names[0] as string) : ""));
  if (found) return found;
  const what =
    name === undefined
      ? `${path} has ${names.length} arrays`
      : `${path} has no array ${JSON.stringify(name)}`;
  throw badUsage(what, `write ${path}:NAME; ${oneOf(name ?? "", names)}`, path);
}

/** @throws GroupwiseError as `openMember` and `readNpy` */
export async function readNpz(
  path: string,
  cwd: string,
  name: string | undefined,
  type: ArrayType,
): Promise<HostArray> {
  const { entry, stream } = await openMember(path, cwd, name);
  const bytes = new Uint8Array(entry.uncompressedSize);
  let length = 0;
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      bytes.set(piece, length);
      length += piece.length;
    }
  } catch (error) {
    throw damaged(path, error);
  }
  if (crc32(bytes) !== entry.crc32)
    throw damaged(path, new Error(`the checksum of ${entry.fileName} differs`));
  return readNpy(bytes, type, path);
}

function damaged(path: string, error: unknown): Error {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return unreadable(path, error);
  return badFile(path, `it is not a readable .npz archive: ${message}`, error);
}
