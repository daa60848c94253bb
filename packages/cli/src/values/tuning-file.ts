/** Tuning files as arguments. */
import { GroupwiseError, type Tuning } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { parseTuning } from "@groupwise/core/tuning";
import { readBytes } from "../base/files.ts";
import { badUsage, isGroupwiseError } from "../base/problem.ts";

/**
 * The tuning of a file, by target: it applies to devices of its target, and others keep their sizes.
 * @param targets those that are emitted or run on, of which one must be the tuning's
 * @throws GroupwiseError `missing-file`, `bad-tuning`, `bad-version`, `foreign-tuning`
 */
export function readTuning(
  path: string | undefined,
  targets: readonly string[],
  cwd: string,
): (target: string) => { readonly tuning?: Tuning } {
  if (path === undefined) return () => ({});
  const tuning = parsedFile(path, cwd);
  const { target: tuned } = tuning.device;
  if (!targets.includes(tuned)) throw errorOf("foreign-tuning", { tuned, got: targets.join(", ") }, path);
  return (target) => (target === tuned ? { tuning } : {});
}

function parsedFile(path: string, cwd: string): Tuning {
  const text = new TextDecoder().decode(readBytes(path, cwd));
  try {
    return parseTuning(text);
  } catch (error) {
    if (!isGroupwiseError(error)) throw error;
    const { code, what: message, hint, where } = error;
    throw new GroupwiseError(code, { message, hint }, `${path}: ${where}`, error);
  }
}

/** Chunks and ranks of MPI keep the sizes of the target. @throws GroupwiseError `bad-usage` */
export function refuseTuning(path: string | undefined, option: string): void {
  if (path === undefined) return;
  throw badUsage(`${option} computes chunks, which keep the default sizes of tiles`, "omit --tuning");
}
