/** Emitted code for ranks of MPI, and the programs that tests build of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PipelineSource } from "@groupwise/core";
import { isFullRun } from "@groupwise/testkit/conformance";
import type { Mpi } from "@groupwise/testkit/mpi";
import { expect } from "vitest";
import { emitMpi } from "../src/mpi.ts";
import { compiled, emptyFolder, STRICT } from "./support.ts";

export interface Written {
  readonly folder: string;
  /** The files of C. */
  readonly sources: readonly string[];
}

/** The emitted files of pipelines. */
export function filesOf(...pipelines: readonly PipelineSource[]): Written {
  const folder = emptyFolder();
  const files = pipelines.flatMap((source) => emitMpi(source).files);
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
  return { folder, sources: files.map(({ path }) => path).filter((path) => path.endsWith(".c")) };
}

/** Compiles the emitted functions with a program of ours, `ranks`. */
export async function build(
  { compiler }: Mpi,
  pipelines: readonly PipelineSource[],
  main: string,
): Promise<string> {
  const { folder, sources } = filesOf(...pipelines);
  writeFileSync(join(folder, "ranks.c"), main);
  const functions = sources.filter((path) => !path.endsWith("_main.c"));
  const options = [...STRICT, isFullRun() ? "-O2" : "-O0", "-ffp-contract=off"];
  expect(await compiled(compiler, [...options, ...functions, "ranks.c", "-o", "ranks"], folder)).toBe("");
  return folder;
}

/** Compiles the emitted program, `program`, by the library's own command. */
export async function buildProgram({ compiler }: Mpi, { folder, sources }: Written): Promise<string> {
  const args = [...STRICT, "-O0", "-ffp-contract=off", ...sources, "-o", "program"];
  expect(await compiled(compiler, args, folder)).toBe("");
  return folder;
}
