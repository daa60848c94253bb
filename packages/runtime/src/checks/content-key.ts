/** The cache key of compiled pipelines. */
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { CompileOptions } from "../api/runtime.ts";

/** Source locations affect only errors. */
const PLACE = "at";

/** Texts of documents that cannot change, such as those of the DSL. */
const texts = new WeakMap<Pipeline, string>();

const isFixed = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFixed));

function textOf(pipeline: Pipeline): string {
  const known = texts.get(pipeline);
  if (known !== undefined) return known;
  const text = JSON.stringify(sorted(pipeline, PLACE));
  if (isFixed(pipeline)) texts.set(pipeline, text);
  return text;
}

/**
 * The content of a document and its compile options, as a text: equal if compiling would return the same. The
 * order of properties and the source locations are ignored.
 */
export function contentKey(pipeline: Pipeline, options: CompileOptions = {}): string {
  const text = textOf(pipeline);
  return Object.keys(options).length === 0 ? text : JSON.stringify(sorted(options)) + text;
}

/** @param ignored the name of properties that are left out; names in options are those of inputs and outputs too */
function sorted(value: unknown, ignored?: string): unknown {
  if (Array.isArray(value)) return value.map((one) => sorted(one, ignored));
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).filter((name) => name !== ignored);
  // As pairs, because JSON lists names that are whole numbers first.
  return {
    of: names.sort().map((name) => [name, sorted((value as Record<string, unknown>)[name], ignored)]),
  };
}
