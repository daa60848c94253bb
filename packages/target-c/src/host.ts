/**
 * Files that make emitted C usable in projects: a program that demonstrates it, a CMake package, and a module of Python.
 * @module
 */

import type { Artifact, SourceFile } from "@groupwise/core";
import { artifactOf, optional, requireArguments, TEXT } from "@groupwise/core/target";
import { printPackage } from "./files/host/cmake.ts";
import { printMain } from "./files/host/main.ts";
import { printPython } from "./files/host/python.ts";
import { fileOf } from "./print/names.ts";

const EMITTED = /*@__PURE__*/ artifactOf("c");

/**
 * `gw_<name>_main.c`, a program that runs the pipeline on sample data and prints the results, and
 * `gw_<name>Config.cmake`, a CMake package with the library, for an artifact of the C target. Deterministic; `command`
 * is printed in comments.
 * @example
 * ```ts
 * import { emit } from "@groupwise/core";
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { c } from "@groupwise/target-c";
 * import { hostInC } from "@groupwise/target-c/host";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const files = hostInC(emit(sums, c));
 * console.log(files.length > 0); // true
 * ```
 */
export function hostInC(
  artifact: Artifact,
  command: string = `${artifact?.manifest?.command} --host c`,
): SourceFile[] {
  requireArguments(arguments, "hostInC", { artifact: EMITTED, command: optional(TEXT) });
  const { manifest } = artifact;
  const file = fileOf(manifest.pipeline);
  return [
    { path: `${file}_main.c`, text: printMain(manifest, command) },
    { path: `${file}Config.cmake`, text: printPackage(manifest, command) },
  ];
}

/**
 * `<name>.py`, a module of Python with type hints that compiles the emitted file at its first run and calls it by ctypes, for an artifact of
 * the C target. It needs NumPy. Deterministic; `command` is printed in a comment.
 * @example
 * ```ts
 * import { emit } from "@groupwise/core";
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { c } from "@groupwise/target-c";
 * import { hostInPython } from "@groupwise/target-c/host";
 *
 * const sums = pipeline("running-sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const files = hostInPython(emit(sums, c));
 * console.log(files.map(({ path }) => path)); // ["running_sums.py"]
 * ```
 */
export function hostInPython(
  artifact: Artifact,
  command: string = `${artifact?.manifest?.command} --host python`,
): SourceFile[] {
  requireArguments(arguments, "hostInPython", { artifact: EMITTED, command: optional(TEXT) });
  return [printPython(artifact.manifest, artifact.files, command)];
}
