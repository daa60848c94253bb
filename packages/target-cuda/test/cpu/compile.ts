/** Compiles texts of HIP for the CPU by g++, with the headers beside this file. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { SourceFile } from "@groupwise/core";
import { isFullRun } from "@groupwise/testkit/conformance";
import { scratchDirectory } from "@groupwise/testkit/devices";

/** The folder of the headers. */
const HEADERS = dirname(fileURLToPath(import.meta.url));
const run = promisify(execFile);

/** Those of HIP, as far as they decide about floats. */
const OPTIONS = ["-std=c++17", "-ffp-contract=off", "-frounding-math", "-fno-strict-aliasing", "-fPIC", "-w"];
/** Only full runs optimise. */
export const OPTIMISATION = isFullRun() ? "-O1" : "-O0";
const HIP = ["-D__HIP__", "-D__HIP_PLATFORM_AMD__", "-x", "c++"];

let kept: string | undefined;
/** Where libraries stay, for this run of the tests at least. */
export const keptIn = (): string => (kept ??= process.env.GROUPWISE_LIBRARIES ?? scratchDirectory());

let precompiled: Promise<string> | undefined;

/** Reading the headers takes g++ twice as long as the kernels: they are precompiled for each size of waves. */
async function precompile(): Promise<string> {
  const folder = scratchDirectory();
  const header = join(folder, "hip/hip_runtime.h");
  mkdirSync(`${header}.gch`, { recursive: true });
  writeFileSync(header, `#include "${join(HEADERS, "hip/hip_runtime.h")}"\n#include <utility>\n`);
  const args = [...OPTIONS, OPTIMISATION, "-D__HIP__", "-x", "c++-header", header];
  await Promise.all(
    [[], ["-DGROUPWISE_WAVE=64"]].map((more, i) =>
      run("g++", [...args, ...more, "-o", `${header}.gch/${i}`]),
    ),
  );
  return folder;
}

/** The folder of precompiled headers, made once for a process. */
export const precompiledHeaders = (): Promise<string> => (precompiled ??= precompile());

/** The path of what g++ makes of the first file, which is made once. */
async function made(files: readonly SourceFile[], args: readonly string[], end: string): Promise<string> {
  const { stdout: version } = await run("g++", ["--version"]);
  const headers = ["scheduler.cpp", "hip/hip_runtime.h"].map((name) =>
    readFileSync(join(HEADERS, name), "utf8"),
  );
  const parts = JSON.stringify([version, OPTIONS, args, files, headers]);
  const path = join(keptIn(), `cuda-${createHash("sha256").update(parts).digest("hex")}${end}`);
  if (existsSync(path)) return path;
  const folder = scratchDirectory();
  for (const { path: name, text } of files) writeFileSync(join(folder, name), text);
  const main = files.slice(0, 1).map((file) => file.path);
  await run("g++", [...OPTIONS, `-I${HEADERS}`, ...args, ...main, "-o", "made"], { cwd: folder });
  const fresh = `${path}.${randomUUID()}`;
  writeFileSync(fresh, readFileSync(join(folder, "made")));
  renameSync(fresh, path);
  return path;
}

/** The path of a library of the first file, which may include the others. @throws Error with what the compiler printed */
export async function libraryOf(files: readonly SourceFile[], options: readonly string[]): Promise<string> {
  const scheduler = await made([], ["-O2", "-c", join(HEADERS, "scheduler.cpp")], ".o");
  return made(files, [OPTIMISATION, "-shared", scheduler, ...options, ...HIP], ".so");
}
