/** Ranks of MPI with an OpenCL device each: the bits of one run in JavaScript, and what they refuse. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bool, f32, param, pipeline, table, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, missing, runProcess, scratchDirectory } from "@groupwise/testkit/devices";
import {
  carried,
  carriedMain,
  FULL_CUTS,
  LIBRARIES,
  LONG,
  numbers,
  picked,
  problemsOf,
  raw,
  SELECTIONS,
  writeItems,
  writePicked,
} from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { emitMpi } from "../src/mpi.ts";
import { build, onPocl, type WithDevice } from "./mpi.ts";
import { errorFrom } from "./support.ts";

const [openMpi] = LIBRARIES;

/** Each rank builds the kernels. */
const MOST_RANKS = 16;

for (const library of isFullRun() ? LIBRARIES : []) {
  const ranks = library.ranks.filter((count) => count <= MOST_RANKS);
  // Short pieces, of which a part has many, or long ones, some of which are in several chunks.
  const least = library === openMpi ? 64 : 16384;
  deviceTest(
    `${library.name}: ${ranks.join(", ")} ranks, pieces of ${least} items`,
    onPocl(library),
    async ({ mpi, env }) => {
      const folder = await build(mpi, [carried, picked], { main: carriedMain(true), least });
      const long = least === 64 ? [] : [LONG];
      for (const size of [{ n: 70001, cuts: FULL_CUTS }, ...long]) {
        const whole = await writeItems(size, folder, async (values) =>
          (await jsRuntime().compile(carried)).run(values as never),
        );
        const some = size === LONG ? ranks.filter((count) => count <= 3) : ranks;
        const appending = SELECTIONS.map((selection) => writePicked(size, selection, folder));
        for (const count of some)
          expect(await problemsOf([whole, ...appending], mpi, count, folder, env)).toEqual([]);
      }
    },
  );
}

/** A parameter, a table and bools, whose elements differ in C and in kernels. */
const onFiles = pipeline(
  "on-files",
  { x: f32, starts: bool, scale: param(f32), t: table(f32) },
  ({ x, starts, scale, t }) => {
    const scaled = x.mul(scale).mul(t.at(0));
    const where = x.gt(0);
    const to = where.toU32().scanExclusive("add");
    return {
      sums: scaled.scanInclusive("add", { segments: starts }),
      kept: scaled.scatter({ to, where, length: where.toU32().reduce("add") }),
      large: scaled.gt(0),
      total: scaled.reduce("add"),
      some: starts.any(),
    };
  },
);

const N = 3001;
const next = numbers(7);
const X = Float32Array.from({ length: N }, () => (next() - 0.5) * 2 ** Math.floor(next() * 20));
const STARTS = Uint8Array.from({ length: N }, () => Number(next() < 0.01));
const T = Float32Array.of(1.1, 2);
const FILES = ["scale=0.7", "t=t.raw", "x=x.raw", "starts=starts.raw"];

function writeInputs(folder: string): void {
  for (const [name, array] of Object.entries({ x: X, starts: STARTS, t: T }))
    writeFileSync(join(folder, `${name}.raw`), raw(array));
}

// Waiting ranks of MPICH keep processors busy: `target-c/test/mpi-program.test.ts` has it.
for (const library of isFullRun() ? LIBRARIES : [openMpi])
  deviceTest(
    `${library.name}: the program gives the bits of JavaScript; one message for what is wrong`,
    onPocl(library),
    async ({ mpi, env }) => {
      const folder = await build(mpi, [onFiles], { least: 64 });
      writeInputs(folder);
      const want = await (await jsRuntime().compile(onFiles)).run({
        x: X,
        starts: STARTS,
        scale: Math.fround(0.7),
        t: T,
      });
      const outputs = Object.keys(want).map((name) => `${name}=${name}.out`);
      // Chunks that begin at multiples of the block of a device, and such that do not. Each rank builds the kernels: outside of full runs one.
      for (const [ranks, chunk] of isFullRun()
        ? ([
            [1, 4096],
            [2, 1024],
            [3, 700],
            [8, 100],
          ] as const)
        : ([[1, 700]] as const)) {
        const args = [...FILES, `--chunk=${chunk}`, ...outputs];
        const { code, stderr } = await mpi.run(ranks, "./ranks", args, folder, env);
        expect([ranks, code, stderr]).toEqual([ranks, 0, ""]);
        for (const [name, array] of Object.entries(want)) {
          const same = readFileSync(join(folder, `${name}.out`)).equals(raw(array));
          expect([ranks, name, same]).toEqual([ranks, name, true]);
        }
      }
      const wrong = await mpi.run(2, "./ranks", [...FILES, "--device=9", "sums=never.out"], folder, env);
      expect([wrong.code === 0, wrong.stderr.match(/rank \d/g)?.length]).toEqual([false, 1]);
      expect(wrong.stderr).toMatch(/there is no OpenCL device 9: the last one is \d/);
      if (!isFullRun()) return;
      const none = await mpi.run(2, "./ranks", [...FILES, "sums=never.out"], folder, {
        ...env,
        ...NO_DEVICE,
      });
      expect(none.stderr).toMatch(/rank 0: no OpenCL device is found/);
      expect(none.stderr.match(/rank \d/g)).toHaveLength(1);
      expect(readdirSync(folder).filter((name) => /never|part$/.test(name))).toEqual([]);
    },
  );

/** The loader finds no driver. */
const NO_DEVICE = { OCL_ICD_VENDORS: "/var/empty/", OCL_ICD_FILENAMES: "" };

async function withCmake(): Promise<Found<WithDevice>> {
  const { code } = await runProcess("cmake", ["--version"]).catch(() => ({ code: 1 }));
  return code === 0 ? onPocl(openMpi)() : missing("cmake is not installed");
}

if (isFullRun())
  deviceTest("CMake's project finds MPI and OpenCL", withCmake, async ({ mpi, env }) => {
    const folder = scratchDirectory();
    for (const { path, text } of emitMpi(onFiles).files) writeFileSync(join(folder, path), text);
    writeInputs(folder);
    const options = ["-S", ".", "-B", "build", `-DMPI_C_COMPILER=${mpi.compiler}`];
    for (const args of [options, ["--build", "build"]]) {
      const { code, stderr } = await runProcess("cmake", args, { cwd: folder });
      expect([code, stderr]).toEqual([0, ""]);
    }
    const { code } = await mpi.run(2, "build/gw_on-files_mpi", [...FILES, "sums=sums.out"], folder, env);
    expect([code, existsSync(join(folder, "sums.out"))]).toEqual([0, true]);
  });

const sums = pipeline("sums", { x: u32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));

test("what a rank cannot compute is refused by name", async () => {
  const twice = pipeline("twice", { x: f32 }, ({ x }) => ({
    y: x.scanInclusive("add").scanInclusive("max"),
  }));
  expect(await errorFrom(() => emitMpi(twice))).toMatchObject({ code: "not-carried" });
  for (const options of [{ subgroups: true }, { lookBack: true }, { inPlace: { sums: "x" } }])
    expect(await errorFrom(() => emitMpi(sums, options))).toMatchObject({ code: "unsupported" });
});

test("arrays of elements that items append count in the memory of a device as those of items", () => {
  const device = emitMpi(picked).files.find(({ path }) => path.endsWith("_device.c"))?.text;
  const fits = device?.slice(device.indexOf("static bool has_room(")) ?? "";
  for (const name of ["sums", "numbers", "bytes", "signs", "wides"])
    expect(fits.slice(0, fits.indexOf("}\n\n"))).toContain(`const size_t param_${name}_room = n;`);
});

test("the header of the kernels has no name of a header that the program includes", () => {
  const paths = (name: string): string[] => emitMpi({ ...sums.ir, name }).files.map(({ path }) => path);
  expect(paths("math")).toContain("math_.h");
  expect(paths("mpi")).toContain("mpi_.h");
  expect(paths("sums")).toContain("sums.h");
});

test("is the same every time; a hostile command does not end its comment", () => {
  const make = () => emitMpi(sums, { command: 'evil \\\n#error "*/' });
  expect(make()).toEqual(make());
  for (const { text } of make().files) expect(text).not.toMatch(/^\s*#error/m);
});
