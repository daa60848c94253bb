/** Errors of pipeline files that do not parse or that throw: they name the line and its callers. */
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";

/** A line of a stack, or of a parser's message, that ends in a file, a line and a column. */
const FRAME = /((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+):\d+\)?\s*$/;

/** Maximum number of frames that an error shows. */
const SHOWN = 5;

/** The folder of the builder, whose frames are not shown. */
const BUILDER = dirname(fileURLToPath(import.meta.resolve("@groupwise/dsl")));

/** The module loader: frames from here on belong to the command. */
const LOADER = /[\\/]jiti[\\/]/;

/** The author's lines in a stack, innermost first: `sums.ts:12`. */
function placesIn(stack: string, cwd: string): string[] {
  const lines = stack.split("\n");
  const end = lines.findIndex((text) => LOADER.test(text));
  return lines.slice(0, end < 0 ? lines.length : end).flatMap((text) => {
    const [, found = "", line] = FRAME.exec(text) ?? [];
    if (line === undefined) return [];
    const file = found.startsWith("file://") ? fileURLToPath(found) : found;
    const shown = relative(cwd, file);
    return file.startsWith(BUILDER) || /(^|[\\/])node_modules[\\/]/.test(shown) ? [] : [`${shown}:${line}`];
  });
}

/** The error for a module that ended with an error. @param path as the user wrote it */
export function moduleError(path: string, cwd: string, error: unknown): GroupwiseError {
  const isError = error instanceof Error;
  const [first = ""] = isError ? error.message.split("\n") : [String(error)];
  const places = [...new Set(isError ? placesIn(error.stack ?? error.message, cwd) : [])];
  const [where = path, ...callers] = places.slice(0, SHOWN);
  const called = callers.length > 0 ? `; it was called at ${callers.join(", then at ")}` : "";
  const reason = `running it failed: ${isError && error.name !== "Error" ? `${error.name}: ` : ""}${first.trim()}`;
  const hint = `correct ${where}${called}: a module is a program, which is run to get its pipeline`;
  return errorOf("bad-file", { path, reason, hint }, where, error);
}
