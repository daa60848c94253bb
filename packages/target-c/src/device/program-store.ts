/** What compilers made, kept beyond the process: a folder, or a pair of functions of the caller. */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorOf, type Wanted } from "@groupwise/core/target";

/** Bytes by key. A key is of letters and digits, and has all that the bytes depend on. */
export interface ProgramStore {
  /** The bytes that were kept under a key; undefined if there are none. */
  get(key: string): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  set(key: string, bytes: Uint8Array): void | Promise<void>;
}

/** Where compiled programs are kept: the path of a folder, or functions. */
export type ProgramCache = string | ProgramStore;

export const PROGRAM_CACHE: Wanted = {
  want: "the path of a folder, or an object with the functions get and set",
  is: (value) => {
    if (typeof value === "string") return value !== "";
    const { get, set } = (value ?? {}) as Partial<ProgramStore>;
    return typeof get === "function" && typeof set === "function";
  },
};

const OTHERS_WRITE = 0o022;

/**
 * A folder with a file for each key, made if it is not there. Whoever writes to it decides what this process runs.
 * @throws GroupwiseError `bad-file` if it cannot be made, or if others may write to it
 */
function folderStore(path: string): ProgramStore {
  const refuse = (reason: string, cause?: unknown): Error => {
    const hint = "pass a folder that only the user of this process can write to";
    return errorOf("bad-file", { path, reason, hint }, "cache", cause);
  };
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refuse((error as Error).message, error);
  }
  const { uid, mode } = statSync(path);
  const isOwn = process.getuid === undefined || uid === process.getuid();
  if (process.platform !== "win32" && !(isOwn && (mode & OTHERS_WRITE) === 0))
    throw refuse("other users can write to it, and what is in it is run");
  const fileOf = (key: string): string => join(path, `${key}.bin`);
  return {
    get: (key) => readFile(fileOf(key)).catch(() => undefined),
    set: async (key, bytes) => {
      const made = join(path, `${key}.${randomUUID()}.part`);
      try {
        await writeFile(made, bytes, { mode: 0o600 });
        // A reader finds all of it or nothing.
        await rename(made, fileOf(key));
      } catch {
        // A full disk is no reason not to run what is compiled.
        await rm(made, { force: true });
      }
    },
  };
}

const DIGEST_BYTES = 32;
const digestOf = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Programs of one device that outlive the process. */
export class KeptCode {
  private readonly store: ProgramStore;
  private readonly device: readonly string[];

  /**
   * @param device all that names the device and its driver, with their versions
   * @throws GroupwiseError `bad-file`
   */
  constructor(programs: ProgramCache, device: readonly string[]) {
    this.store = typeof programs === "string" ? folderStore(programs) : programs;
    this.device = device;
  }

  /** @param parts what the code is made from, such as the text and the options */
  private keyOf(parts: readonly string[]): string {
    return digestOf(JSON.stringify([this.device, parts])).toString("hex");
  }

  /** The code of an earlier process; undefined if there is none, or if a byte of it differs from what was kept. */
  async get(parts: readonly string[]): Promise<Uint8Array | undefined> {
    const key = this.keyOf(parts);
    const bytes = await this.store.get(key);
    if (!(bytes instanceof Uint8Array)) return undefined;
    const code = bytes.slice(DIGEST_BYTES);
    return digestOf(key, code).equals(bytes.subarray(0, DIGEST_BYTES)) ? code : undefined;
  }

  async set(parts: readonly string[], code: Uint8Array): Promise<void> {
    const key = this.keyOf(parts);
    await this.store.set(key, Buffer.concat([digestOf(key, code), code]));
  }
}
