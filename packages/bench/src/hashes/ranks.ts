/** Ranks of MPI: hashes of their results, for every pipeline, length and chunk in one job. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Artifact } from "@groupwise/core";
import { emitMpi as emitC } from "@groupwise/target-c/mpi";
import { emitMpi as emitOpenCl } from "@groupwise/target-opencl/mpi";
import { type Found, findOpenCl, found, missing, runProcess } from "@groupwise/testkit/devices";
import {
  bytesOfRun,
  type Cut,
  findMpi,
  type LIBRARIES,
  layoutOf,
  type Mpi,
  ranksMain,
  wordsOf,
} from "@groupwise/testkit/mpi";
import type { Hashed } from "./pipelines.ts";

/** Smallest piece that the device runs, so that chunks of 1000 items have some. */
const LEAST = 512;

interface Way {
  readonly emit: (pipeline: Hashed["ir"]) => Artifact;
  readonly hasDevice: boolean;
  readonly args: readonly string[];
  environment(): Found<Readonly<Record<string, string>>>;
}

export const WAYS: Readonly<Record<string, Way>> = {
  c: { emit: (ir) => emitC(ir), hasDevice: false, args: [], environment: () => found({}) },
  opencl: {
    emit: (ir) => emitOpenCl(ir),
    hasDevice: true,
    args: [`-DGW_DEVICE_LEAST=${LEAST}`, "-lOpenCL"],
    environment: () => {
      const pocl = findOpenCl("pocl");
      return pocl.found ? found(pocl.value.env as Readonly<Record<string, string>>) : pocl;
    },
  },
};

/** A program of ranks, compiled for a library. */
export interface Program {
  readonly target: string;
  readonly mpi: Mpi;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Compiles the program of a target. Libraries with the same compiler share it. */
export async function programOf(
  target: string,
  library: (typeof LIBRARIES)[number],
  pipelines: readonly Hashed[],
  root: string,
): Promise<Found<Program>> {
  const { emit, hasDevice, args, environment } = WAYS[target] as Way;
  const [mpi, env] = [await findMpi(library), environment()];
  if (!mpi.found) return mpi;
  if (!env.found) return env;
  const folder = join(root, `${target}-${mpi.value.compiler}`);
  const program = { target, mpi: mpi.value, folder, env: env.value };
  if (mkdirSync(folder, { recursive: true }) === undefined) return found(program);
  const files = pipelines.flatMap(({ ir }) => emit(ir).files);
  const main = ranksMain(
    pipelines.map(({ ir }) => layoutOf(ir)),
    hasDevice,
  );
  for (const { path, text } of [...files, { path: "ranks.c", text: main }])
    writeFileSync(join(folder, path), text);
  const sources = files.map(({ path }) => path).filter((path) => /(?<!_main)\.c$/.test(path));
  const flags = ["-std=c11", "-O2", "-ffp-contract=off"];
  const line = [...flags, ...sources, "ranks.c", "-o", "ranks", ...args];
  const { code, stderr } = await runProcess(mpi.value.compiler, line, { cwd: folder });
  return code === 0 ? found(program) : missing(`${mpi.value.compiler}: ${stderr.slice(0, 2000)}`);
}

/** The hash of each cut. @throws Error if the job fails */
export async function hashesOf(
  { mpi, folder, env }: Program,
  ranks: number,
  pipelines: readonly Hashed[],
  cuts: readonly Cut[],
): Promise<readonly string[]> {
  const { code, stderr } = await mpi.run(ranks, "./ranks", wordsOf("out", cuts), folder, env);
  if (code !== 0)
    throw new Error(`${mpi.name}, ${ranks} ranks, ended with ${code}: ${stderr.slice(0, 2000)}`);
  const all = readFileSync(join(folder, "out"));
  let at = 0;
  return cuts.map(({ pipeline, n }) => {
    const bytes = bytesOfRun(layoutOf((pipelines[pipeline] as Hashed).ir), n);
    at += bytes;
    return createHash("sha256")
      .update(all.subarray(at - bytes, at))
      .digest("hex");
  });
}
