/** Reads objects of callers once, so that the checked value is the used value. */

import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import { textOf } from "@groupwise/ir/base/quote.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import { kindOf, typedArrayName } from "../api/host-view.ts";
import type { CompileOptions } from "../api/runtime.ts";

const bad = (what: string, want: string, got: string, where: string, cause?: unknown): GroupwiseError =>
  errorOf("bad-argument", { what, want, got }, where, cause);

/** Reads an object; an exception becomes the cause of the error. */
function readFrom<T>(value: unknown, what: string, want: string, where: string, read: (of: object) => T): T {
  const isObject = typeof value === "object" && value !== null && typedArrayName(value) === undefined;
  if (!isObject) throw bad(what, want, kindOf(value), where);
  let isList: boolean;
  try {
    isList = Array.isArray(value);
    if (!isList) return read(value);
  } catch (cause) {
    throw bad(what, want, "an object that cannot be read", where, cause);
  }
  throw bad(what, want, "a list", where);
}

/**
 * The properties of an object, each read once.
 * @param what the object, for errors
 * @param where the pipeline, for errors
 * @throws GroupwiseError `bad-argument`
 */
export function recordOf(
  value: unknown,
  what: string,
  where: string = "",
): Readonly<Record<string, unknown>> {
  return readFrom(value, what, "an object with one property for each name", where, (of) => ({ ...of }));
}

/**
 * Options by name, each read once; undefined ones are omitted.
 * @throws GroupwiseError `bad-argument`
 */
export function optionsOf<K extends string>(
  value: unknown,
  names: readonly K[],
  what: string,
  where: string = "",
): { readonly [N in K]?: unknown } {
  if (value === undefined) return {};
  return readFrom(value, what, `an object, with ${names.join(", ")}`, where, (of) => {
    const all = names.map((name): [K, unknown] => [name, (of as Record<K, unknown>)[name]]);
    return Object.fromEntries(all.filter(([, option]) => option !== undefined)) as { [N in K]?: unknown };
  });
}

/**
 * The options of compile.
 * @throws GroupwiseError `bad-argument`
 */
export function compileOptionsOf(value: unknown): CompileOptions {
  const known = ["inPlace", "carrying", "items", "tiles", "waitFor", "subnormals"] as const;
  const { inPlace, carrying, items, tiles, waitFor, subnormals } = optionsOf(
    value,
    known,
    "the options of compile",
  );
  if (items !== undefined && !(Number.isSafeInteger(items) && (items as number) >= 0))
    throw bad("the option items", "a whole number", kindOf(items), "");
  if (waitFor !== undefined && waitFor !== "quickest" && waitFor !== "fastest")
    throw bad("the option waitFor", '"quickest" or "fastest"', textOf(waitFor), "");
  if (subnormals !== undefined && subnormals !== "flush")
    throw bad("the option subnormals", '"flush"', textOf(subnormals), "");
  const given = {
    ...(subnormals !== undefined && { subnormals }),
    ...(carrying !== undefined && { carrying }),
    ...(items !== undefined && { items }),
    ...(tiles !== undefined && { tiles: tilesOption(tiles) }),
    ...(waitFor !== undefined && { waitFor }),
  } as CompileOptions;
  if (carrying !== undefined && tiles !== undefined)
    throw bad("the option tiles", "absent where a state is carried", kindOf(tiles), "");
  if (inPlace === undefined) return given;
  const what = "the option inPlace";
  const names = recordOf(inPlace, what);
  for (const [output, input] of Object.entries(names)) {
    if (typeof input !== "string")
      throw bad(
        `${what} of ${JSON.stringify(output.slice(0, 64))}`,
        "the name of an input",
        kindOf(input),
        "",
      );
  }
  return { ...given, inPlace: names as CompileOptions["inPlace"] & object };
}

/** The sizes, each read once; `withTiles` checks their values. */
function tilesOption(value: unknown): Tiles {
  const groups = optionsOf(value, ["tile", "lookBack"], "the option tiles");
  const read = Object.entries(groups).map(([name, sizes]) => [
    name,
    recordOf(sizes, `the option tiles.${name}`),
  ]);
  return Object.fromEntries(read) as Tiles;
}

/** The error for a value that is not an executable of the recorder's runtime. */
export function foreignExecutable(value: unknown): GroupwiseError {
  const isPromise = kindOf(value).startsWith("a promise");
  if (typeof value !== "object" || value === null || isPromise)
    return bad("the executable of a step", "the result of `compile`", kindOf(value), "");
  let name: unknown;
  try {
    name = (value as { manifest?: { pipeline?: unknown } }).manifest?.pipeline;
  } catch {
    // Then it has no name.
  }
  return errorOf("foreign-device", {
    what: typeof name === "string" ? `the pipeline ${name}` : "the executable",
  });
}
