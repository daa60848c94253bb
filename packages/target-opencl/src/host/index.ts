/** What makes an emitted program usable from C without anything of this project. */
import type { Artifact, SourceFile } from "@groupwise/core";
import { printHeader } from "./c-header.ts";
import { printHost } from "./c-host.ts";

/**
 * `<name>.h` with the manifest's constants and `<name>_host.c`, a small host, for an artifact of the OpenCL
 * target. Deterministic; `command` stands in comments.
 */
export function hostInC(
  { manifest }: Artifact,
  command: string = `${manifest.command} --host c`,
): SourceFile[] {
  const { pipeline } = manifest;
  const header = `${pipeline}.h`;
  return [
    { path: header, text: printHeader(manifest, `${pipeline}.cl`, command) },
    { path: `${pipeline}_host.c`, text: printHost(manifest, header, command) },
  ];
}
