/** The program text of an artifact. */
import type { Artifact, Manifest } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { opencl } from "../print/target.ts";

/** @throws GroupwiseError `bad-usage` */
export function textOf({ manifest, files }: Artifact): string {
  const path = fileOf(manifest);
  const file = files.find((candidate) => candidate.path === path);
  if (file) return file.text;
  throw errorOf("bad-usage", {
    reason: `the artifact of ${manifest.pipeline} has no file ${path ?? "with kernels"}`,
    hint: "pass an artifact that the target opencl emitted, with all of its files",
  });
}

const fileOf = (manifest: Manifest): string | undefined =>
  manifest.target === opencl.name ? (manifest.passes[0]?.file ?? `${manifest.pipeline}.cl`) : undefined;
