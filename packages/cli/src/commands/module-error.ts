/** A pipeline file that does not parse or that throws: the error tells the line and the calls that led there. */
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";

/** A line of a stack, or of a parser's message, that ends in a file, a line and a column. */
const FRAME = /((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+):\d+\)?\s*$/;

/** Frames that an author reads at most. */
const SHOWN = 5;

/** The folder of the builder, whose frames tell an author nothing. */
const BUILDER = dirname(fileURLToPath(import.meta.resolve("@groupwise/dsl")));

/** What runs modules; what called it is the command. */
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
