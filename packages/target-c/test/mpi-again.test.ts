/** Ranks that read their items several times, or from the last one on, give the bits of the reference over the whole range. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostArray, Pipeline, PipelineSource } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  AGAIN,
  againInputs,
  findMpi,
  LIBRARIES,
  layoutOf,
  type Mpi,
  problemsOf,
  ranksMain,
  raw,
  referenceOf,
  writeAgain,
} from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { emitMpi } from "../src/mpi.ts";
import { COMPILERS, compiled, emptyFolder, STRICT } from "./support.ts";

const [, mpich] = LIBRARIES;

/** Writes the emitted files of pipelines, and returns those of C without the programs. */
function write(pipelines: readonly PipelineSource[], folder: string): readonly string[] {
  const files = pipelines.flatMap((source) => emitMpi(source).files);
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
  return files.map(({ path }) => path).filter((path) => /\.c$/.test(path) && !/_main\.c$/.test(path));
}

for (const library of LIBRARIES) {
  const ranks = isFullRun() ? library.ranks : [1, 5];
  deviceTest(
    `${library.name}: the function over arrays, ${ranks.join(", ")} ranks`,
    () => findMpi(library),
    async (mpi) => {
      const folder = emptyFolder();
      const sources = write(AGAIN, folder);
      const layouts = AGAIN.map(({ ir }) => layoutOf(ir));
      writeFileSync(join(folder, "ranks.c"), ranksMain(layouts, false));
      const options = [...STRICT, isFullRun() ? "-O2" : "-O0", "-ffp-contract=off"];
      expect(
        await compiled(mpi.compiler, [...options, ...sources, "ranks.c", "-lm", "-o", "ranks"], folder),
      ).toBe("");
      const wholes = [
        ...writeAgain(isFullRun() ? 20011 : 3001, false, folder),
        ...writeAgain(3001, true, folder),
      ];
      for (const count of ranks) expect(await problemsOf(wholes, mpi, count, folder)).toEqual([]);
    },
  );
}
