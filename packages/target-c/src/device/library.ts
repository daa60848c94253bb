/** Builds emitted files into a shared library, and opens it. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Artifact, GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import type { Koffi } from "./native.ts";
import { CALL, shimOf } from "./shim.ts";

// A folder of compiled libraries, under a hash of everything that they depend on.
/** The path of a library. @param parts its texts, and the compiler with its options */
export function keptPath(folder: string, parts: readonly string[]): string {
  // The meaning of `-march=native` differs between processors.
  const machine = [process.platform, process.arch, cpus()[0]?.model];
  const hash = createHash("sha256").update(JSON.stringify([...machine, ...parts]));
  return join(folder, hash.digest("hex"));
}

/**
 * Stores a library. Other processes find it only when it is complete.
 * @throws GroupwiseError `device-error`
 */
export async function keep(library: string, path: string): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await copyFile(library, fresh);
    await rename(fresh, path);
  } catch (cause) {
    const reason = `its libraries cannot be kept in ${dirname(path)}: ${(cause as Error).message}`;
    throw errorOf("device-error", { device: "C", reason }, "", cause);
  }
}

/** A pipeline's loops, ready to be called. */
export interface LoadedLibrary {
  /** Calls the function, waits, and returns its status. @param arrays in its order @param scalars as `argumentsOf` packs them */
  call(arrays: readonly ArrayBufferView[], scalars: Uint8Array): number;
  close(): void;
}

/** A C compiler, and its options besides the language and the kind of output. */
export interface Compiler {
  readonly command: string;
  readonly options: readonly string[];
  /** Its version line. */
  readonly version: string;
  /** The folder where libraries are stored; undefined if they are not. */
  readonly cache: string | undefined;
}

/** The output of a program, stdout first. Rejects if the program fails. */
function output(command: string, args: readonly string[], cwd?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args], { cwd }, (error, stdout, stderr) => {
      if (error) reject(Object.assign(error, { printed: stderr.trim() || error.message }));
      else resolve(stdout);
    });
  });
}
const printedBy = (error: unknown): string => String((error as { printed?: string }).printed).slice(0, 2000);

/**
 * The version line of a compiler.
 * @throws GroupwiseError `device-missing`
 */
export async function versionOf(command: string): Promise<string> {
  try {
    return (await output(command, ["--version"])).split("\n")[0] ?? "";
  } catch (cause) {
    const reason = `the C compiler ${command} cannot be started; install one, on Debian with: apt install gcc`;
    throw errorOf("device-missing", { what: "C", reason }, "", cause);
  }
}

const KIND = ["-std=c11", "-ffp-contract=off", "-fPIC", "-shared"];

/** Compilers whose OpenMP this process has used. Its threads wait in OpenMP's library, so one library that uses it stays loaded. */
const withThreads = new Set<string>();

function open(koffi: Koffi, path: string, command: string, isParallel: boolean): LoadedLibrary {
  const library = koffi.load(path);
  const close = (): void => {
    if (!isParallel || withThreads.has(command)) library.unload();
    else withThreads.add(command);
  };
  return { call: library.func(CALL, "int", ["void **", "void *"]) as LoadedLibrary["call"], close };
}

/** A stored library, or undefined if there is none that can be loaded. */
function openKept(
  path: string | undefined,
  load: (path: string) => LoadedLibrary,
): LoadedLibrary | undefined {
  if (path === undefined || !existsSync(path)) return undefined;
  try {
    return load(path);
  } catch {
    return undefined;
  }
}

/**
 * Compiles an artifact into a library of this process, or loads the stored one.
 * @throws GroupwiseError `device-error` with the compiler's output
 */
export async function openLibrary(
  artifact: Artifact,
  compiler: Compiler,
  koffi: Koffi,
): Promise<LoadedLibrary> {
  const { files, manifest } = artifact;
  const { command, options, version, cache } = compiler;
  const sources = files.filter(({ path }) => /\.[ch]$/.test(path));
  const all = [...sources, { path: "groupwise_call.c", text: shimOf(manifest) }];
  const isParallel = manifest.flags.parallel !== undefined;
  const kind = isParallel ? [...KIND, "-fopenmp"] : KIND;
  const parts = [command, version, ...kind, ...options, ...all.flatMap(({ path, text }) => [path, text])];
  const path = cache === undefined ? undefined : keptPath(cache, parts);
  const load = (from: string): LoadedLibrary => open(koffi, from, command, isParallel);
  const kept = openKept(path, load);
  if (kept) return kept;
  const directory = await mkdtemp(join(tmpdir(), "groupwise-c-"));
  try {
    await Promise.all(all.map(({ path, text }) => writeFile(join(directory, path), text)));
    const inputs = all.map(({ path }) => path).filter((path) => path.endsWith(".c"));
    await output(command, [...kind, ...options, ...inputs, "-o", "library"], directory);
    const made = join(directory, "library");
    if (path !== undefined) await keep(made, path);
    return load(made);
  } catch (cause) {
    if (cause instanceof GroupwiseError) throw cause;
    const reason = `it cannot be compiled: ${printedBy(cause)}`;
    throw errorOf("device-error", { device: command, reason }, manifest.pipeline, cause);
  } finally {
    // What is loaded stays mapped.
    await rm(directory, { recursive: true, force: true });
  }
}
