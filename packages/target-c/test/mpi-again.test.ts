/** Ranks that read their items several times, or from the last one on, give the bits of the reference over the whole range. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostArray, Pipeline } from "@groupwise/core";
import { bool, f32, param, pipeline, table } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import {
  AGAIN,
  againInputs,
  findMpi,
  LIBRARIES,
  layoutOf,
  numbers,
  problemsOf,
  ranksMain,
  raw,
  referenceOf,
  turnedRounds,
  withOneNan,
  writeAgain,
} from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { emitMpi } from "../src/mpi.ts";
import { STATUSES } from "../src/print/names.ts";
import { build, buildProgram, filesOf } from "./mpi.ts";
import { COMPILERS, compiled, STRICT } from "./support.ts";

const [openMpi, mpich] = LIBRARIES;

// Waiting ranks of MPICH keep the processors busy, those of Open MPI yield.
for (const library of isFullRun() ? LIBRARIES : [openMpi]) {
  const ranks = isFullRun() ? library.ranks : [3];
  deviceTest(
    `${library.name}: the functions over arrays, ${ranks.join(", ")} ranks`,
    () => findMpi(library),
    async (mpi) => {
      const layouts = AGAIN.map(({ ir }) => layoutOf(ir));
      const folder = await build(mpi, AGAIN, ranksMain(layouts, false));
      const wholes = [
        ...writeAgain(isFullRun() ? 20011 : 3001, false, folder),
        ...writeAgain(1501, true, folder),
      ];
      for (const count of ranks) expect(await problemsOf(wholes, mpi, count, folder)).toEqual([]);
    },
  );
}

/** Writes arrays to raw files. @returns the arguments for them */
const filesFor = (folder: string, arrays: Readonly<Record<string, HostArray>>): readonly string[] =>
  Object.entries(arrays).map(([name, array]) => {
    writeFileSync(join(folder, `${name}.raw`), raw(array));
    return `${name}=${name}.raw`;
  });

/** The outputs whose files differ. */
function differing(
  folder: string,
  ir: Pipeline,
  want: Readonly<Record<string, HostArray>>,
): readonly string[] {
  const layout = layoutOf(ir);
  return layout.outputs.flatMap((one) => {
    const array = want[one.name] as HostArray;
    const only = { ...layout, outputs: [{ ...one, isPerItem: true }] };
    const bytes = [readFileSync(join(folder, `${one.name}.out`)), raw(array)];
    const [got, wanted] = bytes.map((each) => withOneNan(each, only, array.length));
    return Buffer.compare(got as Uint8Array, wanted as Uint8Array) === 0 ? [] : [one.name];
  });
}

/** The number of ranks, the items of a chunk, and all items: parts of several chunks, of single items, and empty ones. */
const RUNS: readonly (readonly [ranks: number, chunk: number, n: number])[] = [
  [3, 211, 1501],
  [3, 1, 2],
];
const FULL_RUNS: typeof RUNS = [
  ...RUNS,
  [5, 1, 3],
  [5, 1, 8],
  [5, 100, 3],
  [1, 400, 1501],
  [8, 64, 1501],
  [2, 10, 0],
  [13, 1000, 1501],
];

for (const library of isFullRun() ? [openMpi, mpich] : [openMpi])
  for (const one of isFullRun() ? AGAIN : [turnedRounds])
    deviceTest(
      `${library.name}: the program ${one.ir.name} on files gives the bits of the reference`,
      () => findMpi(library),
      async (mpi) => {
        const folder = await buildProgram(mpi, filesOf(one));
        const outputs = layoutOf(one.ir).outputs.map(({ name }) => `${name}=${name}.out`);
        for (const [ranks, chunk, n] of isFullRun() ? FULL_RUNS : RUNS) {
          const values = againInputs(n, n > 1000);
          const inputs = filesFor(folder, values);
          const ran = await mpi.run(ranks, "./program", [...inputs, ...outputs, `--chunk=${chunk}`], folder);
          expect([ranks, n, ran.code, ran.stderr]).toEqual([ranks, n, 0, ""]);
          expect([ranks, n, differing(folder, one.ir, referenceOf(one, values))]).toEqual([ranks, n, []]);
          expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
        }
      },
    );

/** Names of the emitted text, a parameter and a table in both rounds, and one of each that only the first round reads. */
const named = pipeline(
  "named",
  {
    ...{ all: f32, round1: f32, status: bool },
    ...{ items: param(f32), n: param(f32), from_last: table(f32), t: table(f32) },
  },
  ({ all, round1, status, items, n, from_last, t }) => {
    const scaled = all.mul(items).add(from_last.at(0));
    const most = round1.mul(n).mul(t.at(1)).reduce("max");
    const before = scaled.div(most).mul(items);
    return { before, alone: before.scanInclusive("add", { reverse: true }), turned: status.not(), most };
  },
);

deviceTest(
  "parameters, tables and arrays of any name are those of the whole pipeline",
  inFullRuns("a build for names alone; those of threads are in `openmp.test.ts`", () => findMpi(mpich)),
  async (mpi) => {
    const folder = await buildProgram(mpi, filesOf(named));
    const next = numbers(5);
    const floats = (length: number): Float32Array => Float32Array.from({ length }, () => next() - 0.3);
    const arrays = {
      ...{ all: floats(1001), round1: floats(1001) },
      status: Uint8Array.from({ length: 1001 }, (_, i) => i % 2),
      ...{ from_last: floats(3), t: floats(2) },
    };
    const values = { items: Math.fround(1.7), n: Math.fround(0.3) };
    const executable = await jsRuntime().compile(named);
    const want = await executable.run({ ...arrays, ...values });
    const words = [
      ...filesFor(folder, arrays),
      ...Object.entries(values).map(([name, value]) => `${name}=${value}`),
      ...Object.keys(want).map((name) => `${name}=${name}.out`),
    ];
    const ran = await mpi.run(3, "./program", [...words, "--chunk=100"], folder);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    for (const [name, array] of Object.entries(want))
      expect([name, readFileSync(join(folder, `${name}.out`)).equals(raw(array))]).toEqual([name, true]);
  },
);

// In other runs the compiler of the library compiles these files for the tests above, not optimised.
for (const compiler of isFullRun() ? COMPILERS : [])
  deviceTest(
    `${compiler} accepts the emitted files without a warning, optimised`,
    () => findMpi(mpich),
    async (mpi) => {
      const { folder, sources } = filesOf(...AGAIN, named);
      const options = [...STRICT, "-O1", "-c", ...sources];
      const words = [`MPICH_CC=${compiler}`, mpi.compiler, ...options];
      expect(await compiled("env", words, folder)).toBe("");
    },
  );

const counted = pipeline("counted", { x: f32 }, ({ x }, { globalSize, index }) => ({
  y: globalSize(0).sub(index()).toF32().mul(x),
}));
const fromEnd = pipeline("from-end", { x: f32 }, ({ x }) => ({
  y: x.scanInclusive("add", { reverse: true }),
}));
const first = pipeline("first", { x: f32 }, ({ x }) => ({ least: x.reduce("min"), one: x.at(0) }));

/** Two ranks: the status, the first item and the number of all items of each. */
const PLACES = `#include "gw_counted_mpi.h"
#include "gw_from-end_mpi.h"
#include "gw_first_mpi.h"
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  int rank;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i + 1 < count; i += 2) {
    const uint64_t n = strtoull(words[i + rank], NULL, 10);
    uint64_t from[3] = {0, 0, 0}, got[6], all[12];
    uint32_t items = 0;
    got[0] = (uint64_t)gw_counted_mpi_first(MPI_COMM_WORLD, n, &from[0], &items);
    got[1] = (uint64_t)gw_from_end_mpi_first(MPI_COMM_WORLD, n, &from[1]);
    got[2] = (uint64_t)gw_first_mpi_first(MPI_COMM_WORLD, n, &from[2]);
    got[3] = got[0] == GW_OK ? from[0] : 0;
    got[4] = from[1];
    got[5] = got[0] == GW_OK ? items : 0;
    MPI_Gather(got, 6, MPI_UINT64_T, all, 6, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int k = 0; k < 12 && rank == 0; k++) printf("%llu%c", (unsigned long long)all[k], k < 11 ? ' ' : 10);
  }
  MPI_Finalize();
  return 0;
}
`;

deviceTest(
  "the number of items of all ranks has 32 bits, and a value of one item needs one; later ranks are counted from the end",
  () => findMpi(openMpi),
  async (mpi) => {
    const folder = await build(mpi, [counted, fromEnd, first], PLACES);
    const { stdout } = await mpi.run(2, "./ranks", ["5", "6", "4294967290", "6", "0", "0"], folder);
    const [many, none] = ["GW_TOO_MANY_ITEMS", "GW_NO_ITEM"].map((name) =>
      STATUSES.findIndex(([known]) => known === name),
    );
    expect(stdout.trim().split("\n")).toEqual([
      "0 0 0 0 6 11 0 0 0 5 0 11",
      `${many} 0 0 0 6 0 ${many} 0 0 0 0 0`,
      `0 0 ${none} 0 0 0 0 0 ${none} 0 0 0`,
    ]);
  },
);

test.each([
  ["scans in both directions", { reverse: true }, /begin at the last item/, /a pipeline of their own/],
  ["a collective of another one in a later round", {}, /depends on the scan-inclusive/, /another pipeline/],
])("%s: refused with the reason", (_, options, reason, remedy) => {
  const refused = pipeline("refused", { x: f32 }, ({ x }) => {
    const sums = x.div(x.reduce("max")).scanInclusive("add", options);
    return { y: sums, z: "reverse" in options ? x.scanInclusive("add") : sums.scanInclusive("max") };
  });
  const problem = (() => {
    try {
      emitMpi(refused);
      return undefined;
    } catch (error) {
      return error as { code: string; message: string; hint?: string };
    }
  })();
  expect(problem?.code).toBe("not-carried");
  expect(problem?.message).toMatch(reason);
  expect(problem?.message).toMatch(remedy);
});
