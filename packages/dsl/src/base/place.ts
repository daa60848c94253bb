interface V8Error {
  stackTraceLimit?: number;
  captureStackTrace?(holder: object, above: unknown): void;
}

// file.ts:4:22 at the end of a stack line, after a path, a URL or a drive letter.
const PLACE = /([^/\\():@<>]+?)(?:\?[^/\\():]*)?:(\d+):(\d+)\)?\s*$/m;

/**
 * The source location of the author's call of a function: `file:line:column`. It has only the file's base name, so that a
 * pipeline is the same document on every machine. Undefined if the engine does not provide it.
 * @param above the function that the author called; frames inside it are ignored
 */
export function callerOf(above: unknown): string | undefined {
  const engine = Error as V8Error;
  if (typeof engine.captureStackTrace !== "function") return undefined;
  const limit = engine.stackTraceLimit;
  try {
    // One frame costs a few microseconds; the default of ten costs several times as much.
    engine.stackTraceLimit = 1;
    const holder: { stack?: unknown } = {};
    engine.captureStackTrace(holder, above);
    return placeIn(holder.stack);
  } catch {
    return undefined; // stacks switched off or frozen
  } finally {
    if (limit !== undefined) Reflect.set(engine, "stackTraceLimit", limit);
  }
}

/** The source location in the first frame of a stack. */
export function placeIn(stack: unknown): string | undefined {
  const found = typeof stack === "string" ? PLACE.exec(stack) : null;
  if (!found) return undefined;
  const [, file = "", line, column] = found;
  return `${readable(file)}:${line}:${column}`;
}

function readable(file: string): string {
  let name = file;
  try {
    name = decodeURIComponent(file);
  } catch {
    // not a URL: unchanged
  }
  return name
    .trim()
    .replace(/[^\p{L}\p{N}._+ -]/gu, "_")
    .slice(-128);
}
