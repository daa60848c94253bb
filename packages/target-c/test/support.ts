/** Compilers of C, and emitted files that they are given. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Artifact, type EmitOptions, emit, type PipelineSource } from "@groupwise/core";
import { type Found, found, missing, runProcess } from "@groupwise/testkit/devices";
import { afterAll } from "vitest";
import { hostInC } from "../src/host.ts";
import { c } from "../src/index.ts";

/** What emitted files are free of warnings under. */
export const STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"] as const;
export const COMPILERS = ["gcc", "clang"] as const;

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** An empty folder, gone after the tests. */
export function emptyFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), "groupwise-c-test-"));
  made.push(directory);
  return directory;
}

/** A program that answers to `--version`: its name. */
export async function findProgram(name: string): Promise<Found<string>> {
  const result = await runProcess(name, ["--version"]).catch(() => undefined);
  return result?.code === 0 ? found(name) : missing(`${name} is not installed`);
}

/** An artifact with its program and package, in a folder of its own. */
export function written(
  source: PipelineSource,
  options: EmitOptions = {},
): Artifact & { readonly folder: string; readonly base: string } {
  const folder = emptyFolder();
  const artifact = emit(source, c, options);
  for (const { path, text } of [...artifact.files, ...hostInC(artifact)])
    writeFileSync(join(folder, path), text);
  return { ...artifact, folder, base: `gw_${artifact.manifest.pipeline}` };
}

/** What a compiler prints; empty where it is satisfied. */
export async function compiled(compiler: string, args: readonly string[], folder: string): Promise<string> {
  const { code, stdout, stderr } = await runProcess(compiler, args, { cwd: folder });
  return code === 0 ? stderr : `${compiler} ended with ${code}\n${stdout}${stderr}`;
}
