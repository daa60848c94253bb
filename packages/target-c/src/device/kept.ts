/** A folder of compiled libraries, under a hash of everything that they depend on. */
import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, rename } from "node:fs/promises";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { errorOf } from "@groupwise/core/target";

/** The path of a library. @param parts its texts, and the compiler with its options */
export function keptPath(folder: string, parts: readonly string[]): string {
  // The meaning of `-march=native` differs between processors.
  const machine = [process.platform, process.arch, cpus()[0]?.model];
  const hash = createHash("sha256").update(JSON.stringify([...machine, ...parts]));
  return join(folder, hash.digest("hex"));
}

/**
 * Stores a library. Other processes find it only when it is complete.
 * @throws GroupwiseError `device-error`
 */
export async function keep(library: string, path: string): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await copyFile(library, fresh);
    await rename(fresh, path);
  } catch (cause) {
    const reason = `its libraries cannot be kept in ${dirname(path)}: ${(cause as Error).message}`;
    throw errorOf("device-error", { device: "C", reason }, "", cause);
  }
}
