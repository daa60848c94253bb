/**
 * What `groupwise emit` writes, as text, for tools that emit while they build.
 * @module
 */

import { type Artifact, emit } from "@groupwise/core";
import {
  ANY,
  FUNCTION,
  optionsOf,
  requireArgument,
  required,
  TEXT,
  type Wanted,
} from "@groupwise/core/target";
import { type TargetName, toolsOf } from "./base/targets.ts";
import { commandFor, type DeviceFlags, deviceOptionsOf } from "./commands/emit-flags.ts";
import { loadPipeline } from "./commands/pipeline-file.ts";

export type { TargetName } from "./base/targets.ts";
export type { DeviceFlags } from "./commands/emit-flags.ts";

/** Options of {@link emitFile}. */
export interface EmitFileOptions extends DeviceFlags {
  /** The folder to which paths are relative, also those in the emitted text and in errors. */
  readonly cwd: string;
  /** The export that is the pipeline; by default the default export, or the only pipeline that the module exports. */
  readonly export?: string;
  /** Is called with the full path of each file that is read, packages aside, and before any error. */
  readonly onSource?: (file: string) => void;
}

/** `emit` checks what flags say. */
const OPTIONS: { readonly [K in keyof Required<EmitFileOptions>]: Wanted } = {
  ...{ cwd: required(TEXT), export: TEXT, onSource: FUNCTION },
  ...{ native: ANY, subgroups: ANY, lookBack: ANY, cores: ANY, f16: ANY, f64: ANY, subnormals: ANY },
};

/**
 * Emits the pipeline of a file. A module is run, a JSON document is only read. With `onSource` each call runs the module anew, unless Node has kept it:
 * CommonJS (`.cjs`), and JavaScript with `await` outside of functions.
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`, and what a pipeline and its lowering throw
 * @example
 * ```ts
 * import { mkdtempSync, writeFileSync } from "node:fs";
 * import { emitFile } from "@groupwise/cli/emit";
 * import { f32, pipeline } from "@groupwise/dsl";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const cwd = mkdtempSync("/tmp/sums-");
 * writeFileSync(`${cwd}/sums.json`, JSON.stringify(sums));
 * const { files } = await emitFile("sums.json", "js", { cwd });
 * console.log(files.map(({ path }) => path)); // ["sums.mjs", "sums.d.mts", "sums.mjs.json"]
 * ```
 */
export async function emitFile(
  path: string,
  target: TargetName,
  options: EmitFileOptions,
): Promise<Artifact> {
  requireArgument(path, TEXT, "the path of emitFile");
  const { target: own } = toolsOf(target);
  const given = optionsOf(options, OPTIONS, "the options of emitFile") as unknown as EmitFileOptions;
  const { cwd, export: name, onSource, ...flags } = given;
  const { pipeline } = await loadPipeline(path, cwd, name, onSource);
  const command = commandFor(path, cwd, target, { ...flags, ...(name !== undefined && { export: name }) });
  return emit(pipeline, own, { ...deviceOptionsOf(flags), command });
}
