/** Threads of OpenMP: for any number of them, the bits of one loop in JavaScript. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PipelineSource, Runtime } from "@groupwise/core";
import { divisionOf } from "@groupwise/core/state";
import { PipelineNodes } from "@groupwise/core/target";
import { f16, f32, i64, param, pipeline, table, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { conformance, deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, found, missing, runProcess } from "@groupwise/testkit/devices";
import {
  ARRAYS,
  callFrom,
  carried,
  inputsOf,
  numbers,
  outputBytes,
  picked,
  pickedInputs,
  pickedOutputs,
  raw,
  SELECTIONS,
} from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { hostInC } from "../src/host.ts";
import { emitOpenMp } from "../src/openmp.ts";
import { STATUSES } from "../src/print/names.ts";
import { cRuntime } from "../src/runtime.ts";
import { compiled, emptyFolder, findProgram, keepingRuntime, keptProgram, STRICT } from "./support.ts";

const THREADS = [1, 2, 3, 8];
const LENGTHS = [0, 1, 2, 7, 8, 63, 64, 1000, 4099];
/** Parts have an item at least, so that few items are parts too. */
const SMALL = "-DGW_PARALLEL_LEAST=1";
const FLOATS = "-ffp-contract=off";

const TRIED = new Map<string, Promise<Found<string>>>();
/** A compiler that builds a program with OpenMP. */
function findOpenMp(compiler: string): Promise<Found<string>> {
  const known = TRIED.get(compiler) ?? tryOpenMp(compiler);
  TRIED.set(compiler, known);
  return known;
}

async function tryOpenMp(compiler: string): Promise<Found<string>> {
  const program = await findProgram(compiler);
  if (!program.found) return program;
  const folder = emptyFolder();
  writeFileSync(
    join(folder, "main.c"),
    "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n",
  );
  const problems = await compiled(compiler, ["-fopenmp", "main.c", "-o", "main"], folder);
  return problems === "" ? program : missing(`${compiler} has no OpenMP`);
}

/** The emitted files in a folder, and the C files among them. */
function written(source: PipelineSource): { readonly folder: string; readonly sources: readonly string[] } {
  const folder = emptyFolder();
  const artifact = emitOpenMp(source);
  const files = [...artifact.files, ...hostInC(artifact)];
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
  const code = files.map(({ path }) => path).filter((path) => /\.c$/.test(path) && !/_main\.c$/.test(path));
  return { folder, sources: code };
}

/** Runs each length from a file of inputs with each number of threads, and writes all outputs. */
const MAIN = `#include "gw_carried_parallel.h"
${ARRAYS}
int main(int count, char **words) {
  for (int i = 1; i + 1 < count; i += 2) {
    const size_t n = strtoul(words[i], NULL, 10);
    make(n);
    for (int k = 0; k < INPUTS; k++) if (fread(in[k], 1, IN_BYTES[k] * n, stdin) != IN_BYTES[k] * n) return 9;
    if (gw_carried_parallel(n, ${callFrom("0")}, atoi(words[i + 1])) != GW_OK) return 8;
    for (int k = 0; k < OUTPUTS; k++) fwrite(out[k], 1, out_bytes(k, n), stdout);
    drop();
  }
  return 0;
}
`;

for (const [compiler, ...options] of [
  ["gcc", isFullRun() ? "-O1" : "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
  ...(isFullRun() ? ([["clang", "-O2"]] as const) : []),
] as const)
  deviceTest(
    `every operator by ${compiler}: ${THREADS.join(", ")} threads`,
    () => findOpenMp(compiler),
    async () => {
      const { folder, sources } = written(carried);
      writeFileSync(join(folder, "main.c"), MAIN);
      const args = [...STRICT, FLOATS, "-fopenmp", SMALL, ...options, "main.c", ...sources];
      const program = await keptProgram(compiler, args, folder);
      const whole = await jsRuntime().compile(carried);
      const next = numbers(7);
      const inputs: Uint8Array[] = [];
      const want: Uint8Array[] = [];
      for (const n of LENGTHS) {
        const values = inputsOf(n, next);
        inputs.push(...Object.values(values).map(raw));
        want.push(Buffer.concat(outputBytes(await whole.run(values as never, { n }))));
      }
      for (const threads of [...THREADS, 0]) {
        const words = LENGTHS.flatMap((n) => [String(n), String(threads)]);
        const got = spawnSync(program, words, { input: Buffer.concat(inputs), maxBuffer: 2 ** 28 });
        expect([threads, got.status, String(got.stderr)]).toEqual([threads, 0, ""]);
        let end = 0;
        for (const [i, one] of want.entries()) {
          end += one.length;
          const own = got.stdout.subarray(end - one.length, end);
          expect([LENGTHS[i], threads, Buffer.compare(own, one)]).toEqual([LENGTHS[i], threads, 0]);
        }
      }
    },
  );

/** Names of the function's own variables, a table, a half as a parameter, and numbers of items. */
const named = {
  map: pipeline(
    "map-names",
    { threads: f32, from: table(u32), part: param(f16), count: param(i64) },
    ({ threads, from, part, count }, { index }) => ({
      states: threads.mul(part.toF32()).add(from.at(index().rem(3)).toF32()),
      status: index().toI64().add(count),
      one: count,
    }),
  ),
  reduce: pipeline("reduce-names", { state: f32, by: param(f32) }, ({ state, by }, { index }) => ({
    items: state.mul(by).reduce("add"),
    before: index().reduce("max"),
    any: state.gt(by).any(),
  })),
  scan: pipeline("scan-names", { x: f32, by: param(f32) }, ({ x, by }, { index }) => ({
    ignored_0: x.mul(by).scanExclusive("add", { reverse: false, seed: 1.5 }),
    total: x.reduce("add"),
    step: index(),
  })),
  whole: pipeline("whole-names", { x: f32 }, ({ x }, { index }) => ({
    order: index().scatter({ to: x.toU32(), combine: "max" }),
  })),
  chain: pipeline("chain-names", { x: f32 }, ({ x }) => ({
    twice: x.sub(500).scanInclusive("add").scanInclusive("add"),
  })),
};
const x = Float32Array.from({ length: 5003 }, (_, i) => Math.abs(Math.sin(i)) * 1000);
const ofItems = (n: number): Float32Array => x.slice(0, n);
const VALUES: Readonly<Record<keyof typeof named, (n: number) => object>> = {
  map: (n) => ({ threads: ofItems(n), from: Uint32Array.of(3, 5, 9), part: 1.5, count: 2n ** 40n }),
  reduce: (n) => ({ state: ofItems(n), by: 3 }),
  scan: (n) => ({ x: ofItems(n), by: 0.3 }),
  chain: (n) => ({ x: ofItems(n) }),
  whole: (n) => ({ x: ofItems(n).map((value, i) => (n < 1000 ? i : value)) }),
};

const runtimeOf = (threads: number): Promise<Runtime> =>
  keepingRuntime({ compiler: "gcc", options: [isFullRun() ? "-O1" : "-O0", SMALL], threads });

deviceTest(
  "elements that items append are those of plain loops, for any number of threads",
  () => findOpenMp("gcc"),
  async () => {
    for (const threads of isFullRun() ? [1, 2, 3, 8] : [3]) {
      const program = await (await runtimeOf(threads)).compile(picked);
      expect(program.manifest.flags.division ?? "one thread").toBe(threads > 1 ? "scan" : "one thread");
      for (const selection of SELECTIONS)
        for (const n of [1, 2, 64, 1000, 4099]) {
          const inputs = pickedInputs(selection, n);
          const got: Readonly<Record<string, unknown>> = await program.run({ ...inputs });
          for (const [name, array] of Object.entries(pickedOutputs(inputs)))
            expect([threads, selection, n, name, got[name]]).toEqual([threads, selection, n, name, array]);
        }
      program.dispose();
    }
  },
);

deviceTest(
  "the runtime on threads has the bits of JavaScript for every kind of pipeline",
  () => findOpenMp("gcc"),
  async () => {
    const js = jsRuntime();
    for (const threads of isFullRun() ? [2, 5] : [3]) {
      const runtime = await runtimeOf(threads);
      expect(runtime.device.name).toBe(`C, ${threads} threads`);
      for (const [kind, source] of Object.entries(named) as [keyof typeof named, PipelineSource][]) {
        if (kind === "map" || kind === "reduce" || kind === "scan") expect(divisionOf(source)).toBe(kind);
        const [program, want] = [await runtime.compile(source), await js.compile(source)];
        for (const n of [0, 1, 5, 700, 1000]) {
          const values = VALUES[kind](n);
          const got = await program.run(values as never, { n });
          expect([kind, n, got]).toEqual([kind, n, await want.run(values as never, { n })]);
        }
        program.dispose();
      }
      runtime.dispose();
    }
  },
);

deviceTest(
  "scans in place: states are those of the inputs before they are overwritten",
  () => findOpenMp("gcc"),
  async () => {
    const source = named.scan;
    const inPlace = { ignored_0: "x" } as const;
    const runtime = await runtimeOf(3);
    const program = await runtime.compile(source, { inPlace });
    const want = await (await jsRuntime().compile(source)).run({ x, by: 0.3 });
    expect(await program.run({ x: x.slice(), by: 0.3 })).toEqual(want);
    const array = runtime.array("f32", x.slice());
    const [total, step] = [runtime.array("f32", 1), runtime.array("u32", x.length)];
    await runtime
      .record()
      .run(program, { ignored_0: array, total, step, by: 0.3 } as never)
      .submit();
    expect(await array.read()).toEqual(want.ignored_0);
    expect(await total.read()).toEqual(want.total);
    runtime.dispose();
  },
);

test.each([0, -1, 1.5, 1025, "2"])("%s threads are refused", async (threads) => {
  await expect(cRuntime({ threads: threads as number })).rejects.toMatchObject({ code: "bad-argument" });
});

const open = async (): Promise<Found<Runtime>> => {
  const compiler = await findOpenMp("gcc");
  return compiler.found ? found(await runtimeOf(3)) : compiler;
};
// In other runs the tests above have every kind of division and every operator, and `conformance.test.ts` the texts of one thread.
if (isFullRun())
  conformance("C in OpenMP threads", open, { slow: true, slowCompiler: true, fullShare: "few" });

/** More items than are allowed, and no memory for states. */
const STATUS_MAIN = `#include "gw_scan-names_parallel.h"
#include <stdio.h>
static int fails;
void *malloc_or_not(size_t size);
void *malloc_or_not(size_t size) { return fails ? NULL : malloc(size); }
int main(void) {
  static float x[64], y[64], total = 7;
  static uint32_t step[64];
  printf("%d", gw_scan_names_parallel((size_t)1 << 33, 1, x, y, &total, step, 2));
  fails = 1;
  printf(" %d %g %g", gw_scan_names_parallel(64, 1, x, y, &total, step, 2), y[0], total);
  return 0;
}
`;

deviceTest(
  "statuses: too many items, and no memory for states",
  () => findOpenMp("gcc"),
  async () => {
    const { folder, sources } = written(named.scan);
    const text = STATUS_MAIN.replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>");
    writeFileSync(join(folder, "main.c"), text);
    const objects = ["-c", "-fopenmp", SMALL, "-Dmalloc=malloc_or_not", "gw_scan-names_parallel.c"];
    // Declared before its use by the replaced name.
    const declared = ["-include", "stdlib.h", "-include", "declare.h"];
    writeFileSync(join(folder, "declare.h"), "void *malloc_or_not(size_t size);\n");
    expect(await compiled("gcc", [...declared, ...objects], folder)).toBe("");
    const others = sources.filter((path) => path !== "gw_scan-names_parallel.c");
    const args = ["-fopenmp", "main.c", "gw_scan-names_parallel.o", ...others, "-o", "statuses"];
    expect(await compiled("gcc", args, folder)).toBe("");
    const { stdout } = await runProcess(join(folder, "statuses"), []);
    const codeOf = (name: string): number => STATUSES.findIndex(([known]) => known === name);
    expect(stdout).toBe(`${codeOf("GW_TOO_MANY_ITEMS")} ${codeOf("GW_NO_MEMORY")} 0 7`);
  },
);

for (const compiler of isFullRun() ? ["gcc", "clang"] : ["clang"])
  deviceTest(
    `${compiler} accepts the files without a warning, with and without OpenMP, and as C++`,
    () => findProgram(compiler),
    async () => {
      const hasOpenMp = (await findOpenMp(compiler)).found;
      const sources = [named.scan, named.whole, named.map, named.reduce, carried];
      for (const source of isFullRun() ? sources : sources.slice(0, 1)) {
        const { folder, sources: files } = written(source);
        const main = `gw_${source.ir.name}_main.c`;
        // Outside of full runs gcc has those with OpenMP, above.
        for (const options of hasOpenMp && isFullRun() ? [[], ["-fopenmp"]] : [[]]) {
          const own = [FLOATS, isFullRun() ? "-O2" : "-O0", ...options];
          const args = [...STRICT, ...own, main, ...files, "-lm", "-o", "main"];
          expect(await compiled(compiler, args, folder)).toBe("");
        }
        writeFileSync(join(folder, "header.cpp"), `#include "gw_${source.ir.name}_parallel.h"\n`);
        const cpp = ["-x", "c++", "-std=c++11", ...STRICT.slice(1), "-fsyntax-only", "header.cpp"];
        if (compiler === "clang") expect(await compiled(compiler, cpp, folder)).toBe("");
      }
    },
  );

deviceTest(
  "the CMake package links OpenMP, and its program prints the values of one thread",
  inFullRuns("`host.test.ts` finds the package of one thread by CMake in every run", () =>
    findProgram("cmake"),
  ),
  async () => {
    const { folder } = written(named.scan);
    const project = [
      "cmake_minimum_required(VERSION 3.16)",
      "project(user C)",
      `find_package(gw_scan-names CONFIG REQUIRED PATHS "\${CMAKE_CURRENT_LIST_DIR}" NO_DEFAULT_PATH)`,
      "add_executable(user gw_scan-names_main.c)",
      "target_link_libraries(user PRIVATE groupwise::scan-names)",
    ];
    writeFileSync(join(folder, "CMakeLists.txt"), `${project.join("\n")}\n`);
    const printed: string[] = [];
    for (const [build, ...options] of [
      ["several", `-DCMAKE_C_FLAGS=${SMALL} -Wall -Wextra -Werror -pedantic`],
      ["one", "-DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON"],
    ]) {
      for (const args of [
        ["-S", ".", "-B", build as string, ...options],
        ["--build", build as string],
      ])
        expect(await compiled("cmake", args, folder)).toBe("");
      const ran = await runProcess(join(folder, build as string, "user"), ["70001"], {
        env: { OMP_NUM_THREADS: "3" },
      });
      expect(ran.code).toBe(0);
      printed.push(ran.stdout);
    }
    expect(printed[0]).toContain("ignored_0: 70001 elements: 1.5 ");
    expect(new Set(printed).size).toBe(1);
  },
);

test("nodes that no output reads give parts no arguments", () => {
  const codeOf = (isWhole: boolean): string[] => {
    const list = new PipelineNodes();
    const x = list.input("x", "f32");
    const place = isWhole ? list.query("global-id") : x;
    const least = { op: "min", scope: "device", order: "fixed" } as const;
    const scan = list.add({ kind: "scan-inclusive", ...least, type: "f32", identity: "inf", of: x });
    if (isWhole) list.add({ kind: "reduce", ...least, type: "u32", identity: 2 ** 32 - 1, of: place });
    list.output("y", scan);
    const { files } = emitOpenMp(list.pipeline("least", [64]));
    return files.filter(({ path }) => !path.endsWith(".json")).map(({ text }) => text);
  };
  expect(codeOf(true)).toEqual(codeOf(false));
});

test("is the same every time, and states why parts cannot be computed in parallel", () => {
  const command = "evil \\\n#error */";
  expect(emitOpenMp(carried, { command })).toEqual(emitOpenMp(carried, { command }));
  for (const { path, text } of emitOpenMp(carried, { command }).files)
    if (!path.endsWith(".json")) expect(text, path).toMatch(/\n\/\/ {3}evil \/\?#error \*\//);
  const { files, manifest } = emitOpenMp(named.whole);
  const endings = [".c", ".h", ".c.json", "_parallel.h", "_parallel.c"];
  expect(files.map(({ path }) => path)).toEqual(endings.map((ending) => `gw_whole-names${ending}`));
  expect(files[3]?.text).toContain('// the scatter "order" cannot go from chunk to chunk');
  expect(manifest.flags).toMatchObject({ parallel: "gw_whole_names_parallel" });
  expect(JSON.parse(files[2]?.text ?? "").flags).toEqual(manifest.flags);
});

test("a name of the most characters has names for its parts", () => {
  const long = { ...carried.ir, name: "n".repeat(63).concat("m") };
  expect(emitOpenMp(long).files.some(({ path }) => /^gw_n+-parts-states\.c$/.test(path))).toBe(true);
});
