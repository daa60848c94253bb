/** Makes an emitted program usable from C and Python without groupwise. */

import type { Artifact, Manifest, SourceFile } from "@groupwise/core";
import { artifactOf, optional, requireArguments, TEXT } from "@groupwise/core/target";
import { printHeader } from "./c-header.ts";
import { printHost } from "./c-host.ts";
import { printPython } from "./python.ts";

/** Headers that C, its library or MPI's programs include by these names, so that they could find the emitted one instead. */
const SYSTEM_HEADERS: ReadonlySet<string> = new Set(
  (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg stdbool stddef stdint " +
    "stdio stdlib string tgmath time wchar wctype alloca availability endian features mpi pthread sched strings unistd xlocale"
  ).split(" "),
);

const EMITTED = /*@__PURE__*/ artifactOf("opencl");

/**
 * `<name>.h` with the manifest's constants and `<name>_host.c`, a small host, for an artifact of the OpenCL
 * target. Deterministic; `command` is printed in comments. The header of a pipeline `string` is `string_.h`.
 * @example
 * ```ts
 * import { emit } from "@groupwise/core";
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { opencl } from "@groupwise/target-opencl";
 * import { hostInC } from "@groupwise/target-opencl/header";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const files = hostInC(emit(sums, opencl));
 * console.log(files.length > 0); // true
 * ```
 */
export function hostInC(
  artifact: Artifact,
  command: string = `${artifact?.manifest?.command} --host c`,
): SourceFile[] {
  requireArguments(arguments, "hostInC", { artifact: EMITTED, command: optional(TEXT) });
  const { manifest } = artifact;
  const { pipeline } = manifest;
  const header = headerOf(manifest);
  return [
    { path: header, text: printHeader(manifest, `${pipeline}.cl`, command) },
    { path: `${pipeline}_host.c`, text: printHost(manifest, header, command) },
  ];
}

/** The name of a header with the manifest's constants. It is no system header's: no pipeline's name ends in an underscore. */
export const headerOf = ({ pipeline }: Manifest): string =>
  SYSTEM_HEADERS.has(pipeline.toLowerCase()) ? `${pipeline}_.h` : `${pipeline}.h`;

/**
 * `<name>.py`, a module of Python with type hints that runs the emitted file by pyopencl, for an artifact of the OpenCL target. It needs pyopencl and
 * NumPy. Deterministic; `command` is printed in a comment.
 * @example
 * ```ts
 * import { emit } from "@groupwise/core";
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { opencl } from "@groupwise/target-opencl";
 * import { hostInPython } from "@groupwise/target-opencl/header";
 *
 * const sums = pipeline("running-sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const files = hostInPython(emit(sums, opencl));
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
