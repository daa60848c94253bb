/** CUDA's driver and compiler on the CPU: libraries of their names, by which the runtime and modules of Python run emitted text through g++. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Found, found, missing, runProcess } from "@groupwise/testkit/devices";
import { keptIn, OPTIMISATION, precompiledHeaders } from "./compile.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const run = promisify(execFile);

/** The folder of the libraries, and the environment in which a process finds and uses them. */
export interface Libraries {
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

let made: Promise<Found<Libraries>> | undefined;

async function make(): Promise<Found<Libraries>> {
  const probe = await runProcess("g++", ["--version"]).catch(() => undefined);
  if (probe?.code !== 0) return missing("g++ is not installed");
  const folder = join(keptIn(), `libraries-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const library = async (source: string, name: string): Promise<string> => {
    const file = join(folder, name);
    const kind = ["-std=c++17", "-O1", "-shared", "-fPIC", `-Wl,-soname,${name}`];
    await run("g++", [...kind, join(HERE, source), "-ldl", "-o", file]);
    return file;
  };
  const scheduler = join(folder, "scheduler.o");
  const [driver, compiler, headers] = await Promise.all([
    library("driver.cpp", "libcuda.so.1"),
    library("compiler.cpp", "libnvrtc.so"),
    precompiledHeaders(),
    run("g++", ["-std=c++17", "-O2", "-fPIC", "-c", join(HERE, "scheduler.cpp"), "-o", scheduler]),
  ]);
  const env = {
    LD_LIBRARY_PATH: folder,
    GROUPWISE_LIBRARIES: keptIn(),
    GROUPWISE_CPU_HEADERS: headers,
    GROUPWISE_CPU_SCHEDULER: scheduler,
    GROUPWISE_CPU_OPTIONS: OPTIMISATION,
  };
  return found({ files: [driver, compiler], env });
}

/** Made once for a process. Missing without g++. */
export const librariesOnCpu = (): Promise<Found<Libraries>> => (made ??= make());
