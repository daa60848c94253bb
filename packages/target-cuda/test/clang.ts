/** Emitted files in a folder, and what compilers say of them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emit, type PipelineSource } from "@groupwise/core";
import { eachTextOnce, runProcess, scratchDirectory } from "@groupwise/testkit/devices";
import { hostInCpp } from "../src/host.ts";
import { cuda } from "../src/index.ts";

/** Headers of this package, in the place of those of CUDA and HIP. */
export const HEADERS: string = fileURLToPath(new URL("headers", import.meta.url));
/** What emitted files are free of warnings under. */
export const STRICT: readonly string[] = [
  ...["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-nocudainc", "-nocudalib"],
  `-I${HEADERS}`,
];
/** The compiler looks for the toolkit of the machine, which it does not need here. */
export const CUDA: readonly string[] = [
  ...["-x", "cuda", "-Wno-unknown-cuda-version", "--cuda-gpu-arch=sm_80", "-include", "cuda_runtime.h"],
];
export const HIP: readonly string[] = ["-x", "hip", "--offload-arch=gfx90a", "-D__HIP_PLATFORM_AMD__"];

/** The folder of the files. */
export const folder: string = scratchDirectory();

/** A file, and the text on which a compiler's answer depends. */
export interface Written {
  readonly name: string;
  readonly code: string;
}

/** Every file of these, in one folder; those that compilers read. */
export function written(sources: readonly PipelineSource[]): readonly Written[] {
  // Test files of one process share this module, and the first that ends removes the folder.
  mkdirSync(folder, { recursive: true });
  return sources.flatMap((source) => {
    const artifact = emit(source, cuda);
    const kernels = artifact.files[0]?.text ?? "";
    const files = [...artifact.files, ...hostInCpp(artifact)];
    for (const { path, text } of files) writeFileSync(join(folder, path), text);
    return files
      .filter(({ path }) => path.endsWith(".cu"))
      .map(({ path, text }) => ({ name: path, code: text + kernels }));
  });
}

/** What a compiler prints of files that it has not taken before. */
export async function warningsOf(
  program: string,
  version: string,
  args: readonly string[],
  files: readonly Written[],
): Promise<string> {
  const reports = await eachTextOnce([program, version, ...args], files, async (fresh) => {
    const { code, stdout, stderr } = await runProcess(program, [...args, ...fresh.map(({ name }) => name)], {
      cwd: folder,
    });
    const message = code === 0 ? stderr : `${program} ended with ${code}\n${stdout}${stderr}`;
    const diagnostics = message ? [{ severity: "error" as const, line: 0, column: 0, message }] : [];
    return fresh.map(({ name }) => ({ name, ok: !message, diagnostics }));
  });
  return reports.find(({ ok }) => !ok)?.diagnostics[0]?.message ?? "";
}
