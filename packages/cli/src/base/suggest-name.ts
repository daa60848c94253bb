/** "Did you mean" for names in a document. */
import { GroupwiseError, OP_NAMES, SCALAR_NAMES } from "@groupwise/core";
import { BINARY, FUNCTION_ROWS, UNARY } from "@groupwise/core/target";
import { isGroupwiseError } from "./problem.ts";
import { nearest } from "./suggest.ts";

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "unknown-op": [...OP_NAMES, ...Object.keys(UNARY), ...Object.keys(BINARY), ...Object.keys(FUNCTION_ROWS)],
  "unknown-type": SCALAR_NAMES,
};

/** The value in a JSON text at a path such as `nodes[3].op`. */
function valueAt(document: unknown, path: string): unknown {
  try {
    const root: unknown = typeof document === "string" ? JSON.parse(document) : document;
    return (path.match(/[A-Za-z]+|\d+/g) ?? []).reduce<unknown>(
      (value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key],
      root,
    );
  } catch {
    return undefined;
  }
}

/** The error, with the nearest known name in its hint if there is a similar one. */
export function withSuggestion(error: unknown, document: unknown): unknown {
  if (!isGroupwiseError(error) || !Object.hasOwn(KNOWN, error.code)) return error;
  const got = valueAt(document, error.where);
  const near = typeof got === "string" ? nearest(got, KNOWN[error.code] ?? []) : undefined;
  if (near === undefined) return error;
  const wording = { message: error.what, hint: `did you mean ${JSON.stringify(near)}? ${error.hint}` };
  return new GroupwiseError(error.code, wording, error.where, error);
}
