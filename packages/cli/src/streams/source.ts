/** Files of inputs that are read in chunks: .npy of one dimension, and raw elements. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf } from "@groupwise/core/target";
import { badFile, badUsage } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";
import { readBinary } from "../values/binary.ts";
import { splitSuffix } from "../values/input.ts";
import { LONGEST_HEAD, npyHead } from "../values/npy.ts";

/** A file of elements that is open. */
export class Source {
  /** Number of elements. */
  readonly length: number;
  private readonly file: number;
  private readonly start: number;
  private readonly type: ArrayType;
  private readonly path: string;

  /** @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage` */
  constructor(spec: string, type: ArrayType, cwd: string) {
    const { path, suffix } = splitSuffix(spec);
    const isNpy = extname(path).toLowerCase() === ".npy";
    if (isNpy ? suffix !== undefined : suffix !== type)
      throw badUsage(
        `${spec} cannot be read in chunks`,
        `pass an .npy file, or raw elements as FILE:${type}`,
      );
    this.type = type;
    this.path = path;
    this.file = open(path, cwd);
    const { size } = fstatSync(this.file);
    const width = arraySpec(type).hostBytes;
    this.start = isNpy ? npyHead(this.bytes(0, Math.min(size, LONGEST_HEAD)), type, path, size).start : 0;
    this.length = (size - this.start) / width;
    if (!Number.isInteger(this.length))
      throw badFile(
        path,
        `its ${size} bytes are not a whole number of ${type} elements (${width} bytes each)`,
      );
  }

  /** The elements from the first index to before the second. @throws GroupwiseError `bad-file` */
  read(from: number, to: number): HostArray {
    const { hostBytes } = arraySpec(this.type);
    const bytes = this.bytes(this.start + from * hostBytes, (to - from) * hostBytes);
    return readBinary(bytes, this.type, this.path);
  }

  close(): void {
    closeSync(this.file);
  }

  private bytes(at: number, count: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(count);
    for (let done = 0; done < count; ) {
      const read = readSync(this.file, bytes, done, Math.min(count - done, 2 ** 30), at + done);
      if (read === 0) throw badFile(this.path, "it was truncated while it was read");
      done += read;
    }
    return bytes;
  }
}

function open(path: string, cwd: string): number {
  try {
    return openSync(resolve(cwd, path), "r");
  } catch (error) {
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  }
}
