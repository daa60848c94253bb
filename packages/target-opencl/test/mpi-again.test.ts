/** Ranks with an OpenCL device each that read their items several times, or from the last one on, give the bits of the reference. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, findOpenCl, found, runProcess } from "@groupwise/testkit/devices";
import {
  AGAIN,
  findMpi,
  LIBRARIES,
  layoutOf,
  type Mpi,
  problemsOf,
  ranksMain,
  rounds,
  writeAgain,
} from "@groupwise/testkit/mpi";
import { afterAll, expect, test } from "vitest";
import { emitMpi } from "../src/mpi.ts";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const onPocl =
  (library: (typeof LIBRARIES)[number]) =>
  async (): Promise<Found<{ readonly mpi: Mpi; readonly env: Readonly<Record<string, string>> }>> => {
    const platform = findOpenCl("pocl");
    if (!platform.found) return platform;
    const mpi = await findMpi(library);
    return mpi.found ? found({ mpi: mpi.value, env: platform.value.env }) : mpi;
  };

/** Compiles the emitted functions with a program of ours. */
async function build({ compiler }: Mpi, pipelines: typeof AGAIN, main: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-mpi-"));
  made.push(folder);
  const files = pipelines.flatMap((source) => emitMpi(source).files);
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
  writeFileSync(join(folder, "ranks.c"), main);
  const sources = files.map(({ path }) => path).filter((path) => /(?<!_main)\.c$/.test(path));
  // Short pieces, so that devices compute most items.
  const flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"];
  const args = [...flags, "-DGW_DEVICE_LEAST=64", ...sources, "ranks.c", "-o", "ranks", "-lOpenCL"];
  const { code, stderr } = await runProcess(compiler, args, { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
  return folder;
}

for (const library of isFullRun() ? LIBRARIES : []) {
  const ranks = library.ranks.filter((count) => count <= 8);
  deviceTest(
    `${library.name}: the functions over arrays, ${ranks.join(", ")} ranks`,
    onPocl(library),
    async ({ mpi, env }) => {
      const layouts = AGAIN.map(({ ir }) => layoutOf(ir));
      const folder = await build(mpi, AGAIN, ranksMain(layouts, true));
      const wholes = [...writeAgain(7001, false, folder), ...writeAgain(1501, true, folder)];
      for (const count of ranks) expect(await problemsOf(wholes, mpi, count, folder, env)).toEqual([]);
    },
  );
}

test("the rounds of a rank share the memory of its device", () => {
  const code = emitMpi(rounds).files.find(({ path }) => path === "gw_rounds_mpi.c")?.text ?? "";
  const opened = [...code.matchAll(/= (\w+)_device_open\(device, rank, ranks\)/g)].map(([, name]) => name);
  expect(opened).toEqual(["gw_rounds_round1", "gw_rounds_round2", "gw_rounds"]);
  expect(code).toContain("  ranks *= 3;\n");
});
