/** Makes an emitted program usable from C without groupwise. */
import type { Artifact, Manifest, SourceFile } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { printHeader } from "./c-header.ts";
import { printHost } from "./c-host.ts";
import { macroOf } from "./c-names.ts";

/** Headers that C or its library includes by these names, so that it could find the emitted one instead. */
const SYSTEM_HEADERS: ReadonlySet<string> = new Set(
  (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg stdbool stddef stdint " +
    "stdio stdlib string tgmath time wchar wctype alloca endian features strings unistd"
  ).split(" "),
);

/**
 * `<name>.h` with the manifest's constants and `<name>_host.c`, a small host, for an artifact of the OpenCL
 * target. Deterministic; `command` is printed in comments.
 * @throws GroupwiseError `reserved-name` for a pipeline whose header would have the name of a system header
 */
export function hostInC(
  { manifest }: Artifact,
  command: string = `${manifest.command} --host c`,
): SourceFile[] {
  const { pipeline } = manifest;
  const header = headerOf(manifest);
  return [
    { path: header, text: printHeader(manifest, `${pipeline}.cl`, command) },
    { path: `${pipeline}_host.c`, text: printHost(manifest, header, command) },
  ];
}

/**
 * The name of a header with the manifest's constants.
 * @throws GroupwiseError `reserved-name`
 */
export function headerOf(manifest: Manifest): string {
  const { pipeline } = manifest;
  const word = pipeline.toLowerCase();
  if (SYSTEM_HEADERS.has(word))
    throw errorOf("reserved-name", { name: pipeline, target: `C, which has a <${word}.h>` }, "name");
  // Its CL_PROGRAM_BUILD_OPTIONS is OpenCL's.
  if (macroOf(manifest) === "CL_PROGRAM")
    throw errorOf("reserved-name", { name: pipeline, target: "OpenCL's headers" }, "name");
  return `${pipeline}.h`;
}
