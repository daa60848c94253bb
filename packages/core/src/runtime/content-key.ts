/** By what compiled pipelines are told apart. */
import type { Pipeline } from "../ir/node.ts";
import type { CompileOptions } from "../runtime.ts";

/** Where a node stands in its author's source changes errors only. */
const PLACE = "at";

/**
 * The content of a document and of what it is compiled with, as a text: equal where a compiler would do the same.
 * The order of properties and the nodes' places make no difference.
 */
export function contentKey(pipeline: Pipeline, options: CompileOptions = {}): string {
  return JSON.stringify([sorted(pipeline), sorted(options)]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).filter((name) => name !== PLACE);
  // As pairs: JSON would list names that are whole numbers first, whatever the order.
  return { of: names.sort().map((name) => [name, sorted((value as Record<string, unknown>)[name])]) };
}
