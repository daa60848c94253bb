/** Ranks with an OpenCL device each that read their items several times, or from the last one on, give the bits of the reference. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostArray } from "@groupwise/core";
import { deviceTest, isFullRun, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { type Found, findOpenCl, found, runProcess } from "@groupwise/testkit/devices";
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
  rounds,
  withOneNan,
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

/** Compiles emitted files. @param main a program in place of the emitted ones */
async function build({ compiler }: Mpi, pipelines: typeof AGAIN, main?: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-mpi-"));
  made.push(folder);
  const files = pipelines.flatMap((source) => emitMpi(source).files);
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
  if (main !== undefined) writeFileSync(join(folder, "ranks.c"), main);
  const own = files.map(({ path }) => path).filter((path) => path.endsWith(".c"));
  const sources = main === undefined ? own : [...own.filter((path) => !path.endsWith("_main.c")), "ranks.c"];
  // Short pieces, so that devices compute most items.
  const flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"];
  const args = [...flags, "-DGW_DEVICE_LEAST=64", ...sources, "-o", "ranks", "-lOpenCL"];
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

const [openMpi] = LIBRARIES;
for (const one of AGAIN)
  deviceTest(
    `the program ${one.ir.name} on files gives the bits of the reference`,
    onPocl(openMpi),
    async ({ mpi, env }, context) => {
      onlyInFullRuns(context, "C's ranks have rounds and `mpi.test.ts` kernels in every run");
      const folder = await build(mpi, [one]);
      const layout = layoutOf(one.ir);
      // Some pieces have whole tiles, whose items kernels read four at a time where the order of arrays allows.
      const values = againInputs(9001, false);
      const words = Object.entries(values).map(([name, array]) => {
        writeFileSync(join(folder, `${name}.raw`), raw(array));
        return `${name}=${name}.raw`;
      });
      const outputs = layout.outputs.map(({ name }) => `${name}=${name}.out`);
      const want = referenceOf(one, values);
      const runs = [
        [1, 4096],
        [3, 1500],
        [8, 512],
      ] as const;
      for (const [ranks, chunk] of runs) {
        const given = [...words, ...outputs, `--chunk=${chunk}`];
        const { code, stderr } = await mpi.run(ranks, "./ranks", given, folder, env);
        expect([ranks, code, stderr]).toEqual([ranks, 0, ""]);
        for (const output of layout.outputs) {
          const array = want[output.name] as HostArray;
          const only = { ...layout, outputs: [{ ...output, isPerItem: true }] };
          const bytes = [readFileSync(join(folder, `${output.name}.out`)), raw(array)];
          const [got, wanted] = bytes.map((each) => withOneNan(each, only, array.length));
          const isSame = Buffer.compare(got as Uint8Array, wanted as Uint8Array) === 0;
          expect([ranks, output.name, isSame]).toEqual([ranks, output.name, true]);
        }
      }
      const none = await mpi.run(2, "./ranks", [...words, "--device=9"], folder, env);
      expect([none.code === 0, none.stderr.match(/rank \d/g)?.length]).toEqual([false, 1]);
      expect(none.stderr).toMatch(/there is no OpenCL device 9: the last one is \d/);
    },
  );

test("the rounds of a rank share the memory of its device", () => {
  const code = emitMpi(rounds).files.find(({ path }) => path === "gw_rounds_mpi.c")?.text ?? "";
  const opened = [...code.matchAll(/= (\w+)_device_open\(device, rank, ranks\)/g)].map(([, name]) => name);
  expect(opened).toEqual(["gw_rounds_round1", "gw_rounds_round2", "gw_rounds"]);
  expect(code).toContain("  ranks *= 3;\n");
});
