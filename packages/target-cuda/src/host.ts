/**
 * Files that make emitted CUDA C++ usable in projects: a function for C++ with a CMake package, and a module of Python.
 * @module
 */
import type { Artifact, SourceFile } from "@groupwise/core";
import { artifactOf, optional, requireArguments, TEXT } from "@groupwise/core/target";
import { printPackage } from "./files/cmake.ts";
import { printHeader } from "./files/header.ts";
import { fileOf } from "./files/names.ts";
import { printPython } from "./files/python.ts";
import { printSource } from "./files/source.ts";

const EMITTED = /*@__PURE__*/ artifactOf("cuda");

/**
 * `gw_<name>.hpp` and `gw_<name>.cu`, a function on arrays of the device that is called as those of CUB, and `gw_<name>Config.cmake`, a CMake package
 * with it, for an artifact of the CUDA target. Deterministic; `command` is printed in comments.
 * @example
 * ```ts
 * import { emit } from "@groupwise/core";
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { cuda } from "@groupwise/target-cuda";
 * import { hostInCpp } from "@groupwise/target-cuda/host";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const files = hostInCpp(emit(sums, cuda));
 * console.log(files.map(({ path }) => path)); // ["gw_sums.hpp", "gw_sums.cu", "gw_sumsConfig.cmake"]
 * ```
 */
export function hostInCpp(
  artifact: Artifact,
  command: string = `${artifact?.manifest?.command} --host cpp`,
): SourceFile[] {
  requireArguments(arguments, "hostInCpp", { artifact: EMITTED, command: optional(TEXT) });
  const { manifest, files } = artifact;
  const kernels = files.find(({ path }) => path.endsWith(".cu")) as SourceFile;
  const file = fileOf(manifest);
  return [
    { path: `${file}.hpp`, text: printHeader(manifest, command) },
    { path: `${file}.cu`, text: printSource(manifest, command, kernels) },
    { path: `${file}Config.cmake`, text: printPackage(manifest, command) },
  ];
}

/**
 * `<name>.py`, a module of Python with type hints that compiles the emitted file by NVRTC and runs it on arrays of a GPU, for an artifact of
 * the CUDA target. It needs NumPy. Deterministic; `command` is printed in a comment.
 * @example
 * ```ts
 * import { emit } from "@groupwise/core";
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { cuda } from "@groupwise/target-cuda";
 * import { hostInPython } from "@groupwise/target-cuda/host";
 *
 * const sums = pipeline("running-sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const files = hostInPython(emit(sums, cuda));
 * console.log(files.map(({ path }) => path)); // ["running_sums.py"]
 * ```
 */
export function hostInPython(
  artifact: Artifact,
  command: string = `${artifact?.manifest?.command} --host python`,
): SourceFile[] {
  requireArguments(arguments, "hostInPython", { artifact: EMITTED, command: optional(TEXT) });
  return [printPython(artifact.manifest, command)];
}
