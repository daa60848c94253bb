/** Ranks of MPI with an OpenCL device each: the programs that tests build. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PipelineSource } from "@groupwise/core";
import { type Found, findOpenCl, found, runProcess, scratchDirectory } from "@groupwise/testkit/devices";
import { findMpi, type LIBRARIES, type Mpi } from "@groupwise/testkit/mpi";
import { expect } from "vitest";
import { emitMpi } from "../src/mpi.ts";

/** A library of MPI, and the environment of PoCL. */
export interface WithDevice {
  readonly mpi: Mpi;
  readonly env: Readonly<Record<string, string>>;
}

export const onPocl = (library: (typeof LIBRARIES)[number]) => async (): Promise<Found<WithDevice>> => {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  const mpi = await findMpi(library);
  return mpi.found ? found({ mpi: mpi.value, env: platform.value.env }) : mpi;
};

const STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"];

/** Writes the emitted files and compiles them. @param least items of the shortest piece of the device */
export async function build(
  { compiler }: Mpi,
  pipelines: readonly PipelineSource[],
  { main, least }: { readonly main?: string; readonly least: number },
): Promise<string> {
  const folder = scratchDirectory();
  const files = pipelines.flatMap((source) => emitMpi(source).files);
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
  if (main !== undefined) writeFileSync(join(folder, "ranks.c"), main);
  const own = files.map(({ path }) => path).filter((path) => path.endsWith(".c"));
  const sources = main === undefined ? own : [...own.filter((path) => !path.endsWith("_main.c")), "ranks.c"];
  const args = [...STRICT, `-DGW_DEVICE_LEAST=${least}`, ...sources, "-o", "ranks", "-lOpenCL"];
  const { code, stderr } = await runProcess(compiler, args, { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
  return folder;
}
