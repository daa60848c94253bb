/** The emitted program on files: its results, its errors, and what it leaves behind. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostArray, PipelineSource } from "@groupwise/core";
import { f32, param, pipeline, table, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, missing } from "@groupwise/testkit/devices";
import {
  findMpi,
  LIBRARIES,
  type Mpi,
  numbers,
  picked,
  pickedInputs,
  pickedOutputs,
  raw,
  SELECTIONS,
} from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { emitMpi } from "../src/mpi.ts";
import { buildProgram, filesOf, type Written } from "./mpi.ts";
import { compiled, findProgram } from "./support.ts";

const [openMpi, mpich] = LIBRARIES;

const INPUTS = { x: f32, exp: param(f32), t: table(f32) };
/** With a name of C's library, and a global id. */
const program = pipeline("on-files", INPUTS, ({ x, exp, t }, { globalId }) => {
  const scaled = x.mul(exp).mul(t.at(0)).add(globalId().toF32());
  return { sums: scaled.scanInclusive("add"), total: scaled.reduce("add") };
});

const N = 3001;
const next = numbers(7);
const X = Float32Array.from({ length: N }, () => (next() - 0.5) * 2 ** Math.floor(next() * 20));
const T = Float32Array.of(1.1, 2);

/** A file of NumPy. */
function npy(array: HostArray, descr: string = "<f4"): Uint8Array {
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${array.length},), }`;
  return Buffer.concat([
    Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, 118, 0]),
    Buffer.from(`${text.padEnd(117)}\n`),
    raw(array),
  ]);
}

/** The emitted files with inputs beside them. */
function written(): Written {
  const made = filesOf(program);
  const { folder } = made;
  writeFileSync(join(folder, "x.npy"), npy(X));
  writeFileSync(join(folder, "x.f32"), raw(X));
  writeFileSync(join(folder, "t.f32"), raw(T));
  return made;
}

const ARGUMENTS = ["exp=0.7", "t=t.f32", "--chunk=400"];
const want = async (): Promise<{ readonly sums: Float32Array; readonly total: Float32Array }> =>
  (await jsRuntime().compile(program)).run({ x: X, exp: Math.fround(0.7), t: T });

async function checkResults(mpi: Mpi, folder: string, binary: string): Promise<void> {
  const { sums, total } = await want();
  const args = [...ARGUMENTS, "x=x.npy", "sums=sums.npy", "total=total.npy"];
  const ran = await mpi.run(2, binary, args, folder);
  expect([ran.code, ran.code === 0 ? "" : ran.stderr]).toEqual([0, ""]);
  expect(readFileSync(join(folder, "sums.npy")).equals(npy(sums))).toBe(true);
  expect(readFileSync(join(folder, "total.npy")).equals(npy(total))).toBe(true);
  const shown = ran.stdout.match(/^total = (\S+)$/m)?.[1];
  expect(Math.fround(Number(shown))).toBe(total[0]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
}

async function withCmake(library: (typeof LIBRARIES)[number]): Promise<Found<Mpi>> {
  const cmake = await findProgram("cmake");
  return cmake.found ? findMpi(library) : missing("cmake is not installed");
}

for (const library of [openMpi, mpich])
  deviceTest(
    `CMake's project finds ${library.name}, and its program gives the bits of JavaScript`,
    inFullRuns("`host.test.ts` finds a package by CMake in every run", () => withCmake(library)),
    async (mpi) => {
      const { folder } = written();
      const compiler = `-DMPI_C_COMPILER=${mpi.compiler}`;
      const options = ["-S", ".", "-B", "build", compiler, "-DCMAKE_BUILD_TYPE=Debug"];
      expect(await compiled("cmake", [...options, "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"], folder)).toBe("");
      expect(await compiled("cmake", ["--build", "build"], folder)).toBe("");
      await checkResults(mpi, folder, "build/gw_on-files_mpi");
    },
  );

// Waiting ranks of MPICH keep processors busy.
const checked = isFullRun() ? mpich : openMpi;
deviceTest(
  `under ${checked.name}: results, raw files, and one message for what is wrong`,
  () => findMpi(checked),
  async (mpi) => {
    const folder = await buildProgram(mpi, written());
    await checkResults(mpi, folder, "./program");
    const { sums } = await want();
    const ran = await mpi.run(2, "./program", [...ARGUMENTS, "x=x.f32", "sums=sums.f32"], folder);
    expect([ran.code, readFileSync(join(folder, "sums.f32")).equals(raw(sums))]).toEqual([0, true]);
    writeFileSync(join(folder, "doubles.npy"), npy(X, "<f8"));
    writeFileSync(join(folder, "short.npy"), npy(X).subarray(0, 5000));
    writeFileSync(join(folder, "odd.f32"), raw(X).subarray(1));
    const problems: readonly (readonly [readonly string[], RegExp])[] = [
      [[...ARGUMENTS, "x=none.npy"], /none.npy: it cannot be opened/],
      [[...ARGUMENTS, "x=doubles.npy"], /doubles.npy: its elements are not <f4/],
      [[...ARGUMENTS, "x=short.npy"], /short.npy: it is cut short/],
      [[...ARGUMENTS, "x=odd.f32"], /its bytes are not whole elements/],
      [[...ARGUMENTS, "x=x.npy", "sums=./never.npy"], /never.npy: two outputs have this file/],
      [[...ARGUMENTS, "x=x.npy", "sums=no/where.npy"], /it cannot be made/],
      [["x=x.npy", "t=t.f32", "exp=much"], /exp: much is no number/],
      [["x=x.npy", "t=t.f32"], /usage: gw_on-files_mpi x=FILE t=FILE exp=VALUE/],
    ];
    for (const [args, message] of problems.filter((_, i) => isFullRun() || i % 8 === 0)) {
      const { code, stderr } = await mpi.run(2, "./program", [...args, "total=never.npy"], folder);
      expect([args, code === 0]).toEqual([args, false]);
      expect(stderr).toMatch(message);
      expect(stderr.match(/gw_on-files_mpi: rank/g)).toHaveLength(1);
      expect(readdirSync(folder).filter((name) => /never|where|part$/.test(name))).toEqual([]);
    }
  },
);

/** Rank 1 is killed when all but the last step is done. */
const KILLED = `#include <signal.h>
#include <mpi.h>
int __real_gw_on_files_mpi_share(MPI_Comm comm, int status, float *total);
int __wrap_gw_on_files_mpi_share(MPI_Comm comm, int status, float *total);
int __wrap_gw_on_files_mpi_share(MPI_Comm comm, int status, float *total) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == 1) raise(SIGKILL);
  return __real_gw_on_files_mpi_share(comm, status, total);
}
`;

for (const library of [openMpi, mpich])
  deviceTest(
    `a rank that is killed ends the job, and leaves no file under its name: ${library.name}`,
    inFullRuns("below a rank fails, and no file stays", () => findMpi(library)),
    async (mpi) => {
      const { folder, sources } = written();
      writeFileSync(join(folder, "killed.c"), KILLED);
      const args = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O0", ...sources, "killed.c"];
      const wrap = "-Wl,--wrap=gw_on_files_mpi_share";
      expect(await compiled(mpi.compiler, [...args, wrap, "-o", "program"], folder)).toBe("");
      const { code } = await mpi.run(3, "./program", [...ARGUMENTS, "x=x.npy", "sums=sums.npy"], folder);
      expect(code).not.toBe(0);
      expect(existsSync(join(folder, "sums.npy"))).toBe(false);
    },
  );

/** NumPy's types of the outputs. */
const DESCRS: Readonly<Record<string, string>> = {
  ...{ sums: "<f4", numbers: "<u4", bytes: "|u1", signs: "|b1", wides: "<i8" },
  ...{ total: "<f4", length: "<u4", most: "<f4" },
};

/** Writes the inputs of a selection. @returns the arguments for them */
function writePickedInputs(folder: string, selection: string, n: number): string[] {
  return Object.entries(pickedInputs(selection, n)).map(([name, array]) => {
    writeFileSync(join(folder, `${name}-${selection}.raw`), raw(array as HostArray));
    return `${name}=${name}-${selection}.raw`;
  });
}

test("a parameter that divides the items is checked against those of all ranks", () => {
  const lengths = { x: f32, width: param(u32, { divides: true }) };
  // Of one round, and of two: the last one reads a sum of all items.
  const sources = [
    pipeline("rows", lengths, ({ x, width }, { index }) => ({
      sums: x.scanInclusive("add", { segments: index().rem(width).eq(0) }),
    })),
    pipeline("rows", lengths, ({ x, width }, { index }) => ({
      y: x.div(x.reduce("add")).mul(index().rem(width).toF32()),
    })),
  ];
  for (const source of sources) {
    const program = emitMpi(source).files.find(({ path }) => path.endsWith("_main.c"));
    expect(program?.text).toMatch(
      /count = inputs\[0\]\.items;\s+if \(values\.width == 0 \|\| count % values\.width != 0\) fail\(/,
    );
  }
});

test("no rank writes collectively: Open MPI reports success on a full disk then", () => {
  const program = emitMpi(picked).files.find(({ path }) => path.endsWith("_main.c"));
  expect(program?.text).toContain("MPI_File_write_at(");
  expect(program?.text).not.toContain("MPI_File_write_at_all");
});

deviceTest(
  "the elements of all ranks in a row are one file, of any number of elements",
  () => findMpi(openMpi),
  async (mpi) => {
    const folder = await buildProgram(mpi, filesOf(picked));
    const n = 1501;
    const few = [
      ["some", 3, 200, "npy"], // the number of elements is known at the end
      ["runs", 3, 211, "raw"],
    ] as const;
    const more = [
      ["some", 1, 400, "npy"],
      ...SELECTIONS.map((selection) => [selection, 3, 200, "npy"] as const),
      ["runs", 2, 1, "raw"],
      ["some", 8, 2000, "raw"],
    ] as const;
    for (const [selection, ranks, chunk, ending] of isFullRun() ? [...few, ...more] : few) {
      const want = pickedOutputs(pickedInputs(selection, n));
      const inputs = writePickedInputs(folder, selection, n);
      const outputs = Object.keys(want).map((name) => `${name}=${name}.${ending}`);
      const ran = await mpi.run(ranks, "./program", [...inputs, ...outputs, `--chunk=${chunk}`], folder);
      expect([selection, ranks, ran.code, ran.stderr]).toEqual([selection, ranks, 0, ""]);
      for (const [name, array] of Object.entries(want)) {
        const bytes = ending === "npy" ? npy(array, DESCRS[name]) : raw(array);
        const same = readFileSync(join(folder, `${name}.${ending}`)).equals(bytes);
        expect([selection, ranks, name, same]).toEqual([selection, ranks, name, true]);
      }
      expect(ran.stdout).toContain(`numbers: ${want.numbers?.length} elements`);
      expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    }
  },
);

/** A step that runs statements first. @param name of the pipeline @param header that declares the function */
function wrapped(name: string, header: string, first: string): string {
  const args = (header.match(new RegExp(`int gw_${name}_step\\(([\\s\\S]*?)\\);`))?.[1] ?? "")
    .replaceAll(/\/\/.*/g, "")
    .split(",");
  const names = args.map((one) => one.match(/(\w+)\s*$/)?.[1]);
  return `#include <inttypes.h>
#include <stdio.h>
#include "gw_${name}_mpi.h"
int __real_gw_${name}_step(${args});
int __wrap_gw_${name}_step(${args});
int __wrap_gw_${name}_step(${args}) {
  static int calls;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  calls++;
  ${first}
  return __real_gw_${name}_step(${names});
}
`;
}

/** The chunks of all ranks, as rank, first item and number of items, in the order of each rank. */
async function chunksOf(mpi: Mpi, source: PipelineSource, name: string): Promise<number[][]> {
  const { folder, sources } = filesOf(source);
  const header = readFileSync(join(folder, `gw_${name}_state.h`), "utf8");
  const print = 'fprintf(stderr, "chunk %d %" PRIu64 " %" PRIu64 "\\n", rank, before->to, (uint64_t)n);';
  writeFileSync(join(folder, "told.c"), wrapped(name, header, `(void)calls; ${print}`));
  const args = ["-std=c11", "-O0", ...sources, "told.c", `-Wl,--wrap=gw_${name}_step`, "-o", "program"];
  expect(await compiled(mpi.compiler, args, folder)).toBe("");
  writeFileSync(join(folder, "x.f32"), raw(X));
  const { code, stderr } = await mpi.run(3, "./program", ["x=x.f32", "--chunk=256"], folder);
  expect(code).toBe(0);
  return [...stderr.matchAll(/chunk (\d+) (\d+) (\d+)/g)].map((found) => found.slice(1).map(Number));
}

deviceTest(
  "chunks of the program end at multiples of their length, wherever a part begins, also from the end",
  () => findMpi(openMpi),
  async (mpi) => {
    const forth = pipeline("forth", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));
    const back = pipeline("back", { x: f32 }, ({ x }) => ({
      sums: x.scanInclusive("add", { reverse: true }),
    }));
    for (const [name, source] of Object.entries(isFullRun() ? { forth, back } : { back })) {
      const chunks = (await chunksOf(mpi, source, name)).filter(([, , n]) => n !== 0);
      expect(chunks.reduce((items, [, , n]) => items + (n as number), 0)).toBe(N);
      const ends = new Set([0, 1, 2].map((rank) => chunks.findLast(([one]) => one === rank)?.join()));
      for (const [rank, from, n] of chunks) {
        const isEnd = ends.has([rank, from, n].join());
        expect([name, rank, from, isEnd || ((from as number) + (n as number)) % 256]).toEqual([
          ...[name, rank, from, isEnd || 0],
        ]);
      }
      expect(chunks.length).toBeGreaterThan(9);
    }
  },
);

deviceTest(
  "a rank that fails after some elements are written ends all ranks with one message, and no file stays",
  () => findMpi(mpich),
  async (mpi) => {
    const { folder, sources } = filesOf(picked);
    const header = readFileSync(join(folder, "gw_picked_state.h"), "utf8");
    // Rank 1 has no memory for its second chunk of outputs.
    const failing = "if (calls == 2 && rank == 1) return GW_NO_MEMORY;";
    writeFileSync(join(folder, "failing.c"), wrapped("picked", header, failing));
    const args = ["-std=c11", "-O0", "-ffp-contract=off", ...sources, "failing.c"];
    expect(
      await compiled(mpi.compiler, [...args, "-Wl,--wrap=gw_picked_step", "-o", "program"], folder),
    ).toBe("");
    const inputs = writePickedInputs(folder, "some", 1501);
    const given = [...inputs, "numbers=never.npy", "sums=never.raw", "--chunk=200"];
    const { code, stderr } = await mpi.run(2, "./program", given, folder);
    expect(code).not.toBe(0);
    expect(stderr).toBe("gw_picked_mpi: rank 1: there is not enough memory for scratch arrays\n");
    expect(readdirSync(folder).filter((name) => name.startsWith("never"))).toEqual([]);
  },
);
