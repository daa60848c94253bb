/** Compilers of C, and emitted files that they are given. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Artifact, type EmitOptions, emit, type PipelineSource, type Runtime } from "@groupwise/core";
import { isFullRun } from "@groupwise/testkit/conformance";
import {
  scratchDirectory as emptyFolder,
  type Found,
  found,
  missing,
  runProcess,
} from "@groupwise/testkit/devices";
import { keep, keptPath } from "../src/device/library.ts";
import { hostInC } from "../src/host.ts";
import { c } from "../src/index.ts";
import { type CRuntimeOptions, cRuntime } from "../src/runtime.ts";

export { emptyFolder };

/** Where compiled libraries and programs stay. */
const KEPT = process.env.GROUPWISE_LIBRARIES;

/** A runtime whose libraries stay for the next run of the tests. Outside of full runs a compiler optimises only where a test names it. */
export const keepingRuntime = (options: CRuntimeOptions = {}): Promise<Runtime> =>
  cRuntime({ options: [isFullRun() ? "-O2" : "-O0"], ...options, cache: KEPT ?? emptyFolder() });

/** What emitted files are free of warnings under. */
export const STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"] as const;
export const COMPILERS = ["gcc", "clang"] as const;

const VERSIONS = new Map<string, ReturnType<typeof runProcess>>();
/** What a program says of its version, which it is asked once. */
function versionOf(name: string): ReturnType<typeof runProcess> {
  const known = VERSIONS.get(name) ?? runProcess(name, ["--version"]);
  VERSIONS.set(name, known);
  return known;
}

/** A program that answers to `--version`: its name. */
export async function findProgram(name: string): Promise<Found<string>> {
  const result = await versionOf(name).catch(() => undefined);
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

/**
 * The path of a program, which stays for the next run of the tests: it is compiled once for the same files.
 * @throws Error with what the compiler prints, warnings too
 */
export async function keptProgram(
  compiler: string,
  args: readonly string[],
  folder: string,
): Promise<string> {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const { stdout: version } = await versionOf(compiler);
  const path = keptPath(KEPT ?? emptyFolder(), ["program", version, ...args, ...texts]);
  if (existsSync(path)) return path;
  const problems = await compiled(compiler, [...args, "-o", "program"], folder);
  if (problems !== "") throw new Error(problems);
  await keep(join(folder, "program"), path);
  return path;
}
