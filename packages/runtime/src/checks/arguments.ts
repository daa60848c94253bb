/** What callers pass to runtimes. */

import {
  BOOLEAN,
  badArgument,
  FUNCTION,
  having,
  LIST,
  OBJECT,
  oneOf,
  optionsOf,
  recordOf,
  requireArgument,
  shaped,
  TEXT,
  type Wanted,
  whole,
} from "@groupwise/ir/base/arguments.js";
import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import { kindOf } from "@groupwise/ir/base/kind.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import type { CompileOptions } from "../api/runtime.ts";
import type { Artifact } from "../api/target.ts";

export { optionsOf, recordOf } from "@groupwise/ir/base/arguments.js";

/** A runtime. */
export const RUNTIME: Wanted = /*@__PURE__*/ having("a runtime", "compile", "array", "record");
/** A runtime of one device, or of the host. */
export const ONE_RUNTIME: Wanted = /*@__PURE__*/ shaped("a runtime of one device", {
  compile: FUNCTION,
  array: FUNCTION,
  record: FUNCTION,
  capabilities: OBJECT,
});
/** Emitted files with their manifest. */
export const ARTIFACT: Wanted = /*@__PURE__*/ shaped("the result of `emit`", {
  files: LIST,
  manifest: /*@__PURE__*/ shaped("a manifest", { bindings: LIST, passes: LIST }),
});
/** The same for a target. @param name of the target */
export const artifactOf = (name: string): Wanted => ({
  want: `the result of \`emit\` for the target ${name}`,
  is: (value) => ARTIFACT.is(value) && (value as Artifact).manifest.target === name,
});
/** A recorder of a runtime. */
export const RECORDER: Wanted = /*@__PURE__*/ having("the result of `runtime.record()`", "run", "submit");

const COMPILE_OPTIONS: { readonly [K in keyof Required<CompileOptions>]: Wanted } = {
  inPlace: OBJECT,
  carrying: OBJECT,
  items: /*@__PURE__*/ whole(0),
  tiles: OBJECT,
  waitFor: /*@__PURE__*/ oneOf("quickest", "fastest"),
  subnormals: /*@__PURE__*/ oneOf("flush"),
  keep: BOOLEAN,
  small: BOOLEAN,
};

/**
 * The options of compile.
 * @throws GroupwiseError `bad-argument`, `bad-usage`
 */
export function compileOptionsOf(value: unknown): CompileOptions {
  if (value === undefined) return {};
  const given = optionsOf(value, COMPILE_OPTIONS, "the options of compile");
  const { inPlace, tiles } = given;
  if (given.carrying !== undefined && tiles !== undefined)
    throw badArgument("the option tiles", "absent where a state is carried", kindOf(tiles), "");
  return {
    ...given,
    ...(tiles !== undefined && { tiles: tilesOption(tiles) }),
    ...(inPlace !== undefined && { inPlace: namesOption("the option inPlace", inPlace) }),
  } as CompileOptions;
}

/** Names of inputs by the names of outputs. */
function namesOption(what: string, value: unknown): Readonly<Record<string, unknown>> {
  const names = recordOf(value, what);
  for (const [output, input] of Object.entries(names))
    requireArgument(input, NAME, `${what} of ${JSON.stringify(output.slice(0, 64))}`);
  return names;
}

const NAME: Wanted = { want: "the name of an input", is: TEXT.is };

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
    return badArgument("the executable of a step", "the result of `compile`", kindOf(value), "");
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
