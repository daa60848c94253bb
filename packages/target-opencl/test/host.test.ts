/** The emitted host in C: every case compiles without a warning, and runs as the reference says. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  check,
  type EmitOptions,
  emit,
  evaluate,
  type Pipeline,
  type ReferenceOutputs,
  reference,
} from "@groupwise/core";
import { halfToNumber } from "@groupwise/core/target";
import { bool, f16, f32, f64, i32, i64, param, pipeline, u32 } from "@groupwise/dsl";
import { CASES } from "@groupwise/testkit";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import {
  type Found,
  findCc,
  findClang,
  findOpenCl,
  found,
  runProcess,
  scratchDirectory,
  warningsOf,
} from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { hostInC } from "../src/header.ts";
import { opencl, openclCapabilities } from "../src/index.ts";

const directory = scratchDirectory();

const FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];

/** All cases in full runs, else one of so many: emitting them, and a C compiler, take the time. */
const casesInTurn = (turn: number, turns: number): typeof CASES =>
  CASES.filter((_, i) => isFullRun() || i % turns === turn);

const artifacts = new Map<Pipeline, ReturnType<typeof emit>>();
/** What is emitted of a case, once. */
function artifactOf(ir: Pipeline): ReturnType<typeof emit> {
  const artifact = artifacts.get(ir) ?? emit(ir, opencl);
  artifacts.set(ir, artifact);
  return artifact;
}

const PLAIN: EmitOptions = {};
function write(source: Pipeline, options: EmitOptions = PLAIN): string {
  const artifact = options === PLAIN ? artifactOf(source) : emit(source, opencl, options);
  for (const { path, text } of [...artifact.files, ...hostInC(artifact)])
    writeFileSync(join(directory, path), text);
  return artifact.manifest.pipeline;
}

/** Compiles in the folder without a message. */
async function compiled(args: readonly string[], compiler = "cc"): Promise<void> {
  expect((await runProcess(compiler, args, { cwd: directory })).stderr).toBe("");
}
/** The program of a host. */
async function built(ir: Pipeline, options: EmitOptions = PLAIN): Promise<string> {
  const program = join(directory, write(ir, options));
  await compiled([...FLAGS, `${ir.name}_host.c`, "-lOpenCL", "-o", program]);
  return program;
}
/** The lines that a host prints, by output: the number of elements, and the first ones. */
const printed = (stdout: string): Record<string, readonly [count: number, first: readonly number[]]> =>
  Object.fromEntries(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => /^(\w+): (\d+) elements:(.*?)(?: \.\.\.)?$/.exec(line) ?? [])
      .map(([, name = "", count, values = ""]) => [
        name,
        [Number(count), values.split(" ").filter(Boolean).map(Number)],
      ]),
  );
/** What it should print of these outputs. */
const shown = (want: ReferenceOutputs): ReturnType<typeof printed> =>
  Object.fromEntries(
    Object.entries(want).map(([name, all]) => [name, [all.length, all.slice(0, 8).map(Number)]]),
  );

async function both(): Promise<Found<Readonly<Record<string, string>>>> {
  const cc = await findCc();
  if (!cc.found) return cc;
  const pocl = findOpenCl("pocl");
  return pocl.found ? found(pocl.value.env) : pocl;
}

test("is the same every time, and contains the command in a comment that the command cannot end", () => {
  const artifact = emit(
    pipeline("my-sum", { x: u32 }, ({ x }) => ({ total: x.reduce("add") })),
    opencl,
  );
  const files = hostInC(artifact, "evil \\\n#error */");
  expect(hostInC(artifact, "evil \\\n#error */")).toEqual(files);
  expect(files.map(({ path }) => path)).toEqual(["my-sum.h", "my-sum_host.c"]);
  for (const { text } of files) expect(text).toContain("\n//   evil /?#error */\n");
});

const renamed = (name: string): Pipeline => ({
  ...pipeline("sums", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") })).ir,
  name,
});

/** Compilers and their further options. */
async function compilers(): Promise<Found<readonly (readonly [string, ...string[]])[]>> {
  const cc = await findCc();
  if (!cc.found) return cc;
  const clang = await findClang();
  return clang.found ? found([[cc.value], ["clang", "-DGROUPWISE_NO_MAIN"]]) : clang;
}

deviceTest(
  "of the cases is C99 without a warning, as a program and as a library, and C++ takes its header",
  compilers,
  async (all) => {
    // They differ in their arrays.
    const names = casesInTurn(0, 72).map(({ ir }) => write(ir));
    // Its program asks the device for an instruction.
    names.push(write(renamed("looking"), { lookBack: true, subgroups: 32 }));
    const hosts = names.map((name) => `${name}_host.c`);
    for (const [compiler, ...more] of all)
      expect(await warningsOf(compiler, [...FLAGS, ...more, "-fsyntax-only"], hosts, directory)).toBe("");
    const includes = names.map((name) => `#include "${name}.h"\n`).join("");
    writeFileSync(join(directory, "all.cpp"), `#include <CL/cl.h>\n${includes}`);
    const version = ["-DCL_TARGET_OPENCL_VERSION=120", "-std=c++11"];
    const args = [...version, ...FLAGS.slice(1), "-Wno-unused-function", "-fsyntax-only", "all.cpp"];
    await compiled(args, "clang");
  },
);

/** Outside of full runs a header of the language, and one that the host itself includes. */
const NAMED = isFullRun()
  ? ["string", "Stdio", "features", "math", "unistd", "cl-program"]
  : ["string", "cl-program"];

test("of a pipeline that is named like a system header has a header of another name", () => {
  const files = (name: string): string[] => hostInC(emit(renamed(name), opencl)).map(({ path }) => path);
  expect(files("string")).toEqual(["string_.h", "string_host.c"]);
  expect(files("Math")).toEqual(["Math_.h", "Math_host.c"]);
  expect(files("strings-of")).toEqual(["strings-of.h", "strings-of_host.c"]);
  const [header] = hostInC(emit(renamed("cl-program"), opencl));
  expect(header?.text).toContain("#define CL_PROGRAM__BUILD_OPTIONS ");
  expect(header?.text).not.toContain("#define CL_PROGRAM_BUILD_OPTIONS ");
});

deviceTest("compiles among its files with that name too", findCc, async (cc) => {
  for (const name of NAMED) {
    write(renamed(name));
    const args = [...FLAGS, "-I.", "-DCL_TARGET_OPENCL_VERSION=120", "-fsyntax-only", `${name}_host.c`];
    const { code, stderr } = await runProcess(cc, args, { cwd: directory });
    expect([name, code, stderr]).toEqual([name, 0, ""]);
  }
});

deviceTest(
  "has a header that defines the arguments of a run without cl.h, and the same with it",
  findCc,
  async (cc) => {
    const name = write(mixed.ir);
    const fill = (member: string) => `#include "${name}.h"
int main(void) {
  const float x[1] = {1};
  const uint32_t p[1] = {1};
  struct mixed_values_values values = {.in_x = x, .in_p = p, .param_by = 3};
  return values.${member} == p ? 0 : 1;
}
`;
    const version = "#define CL_TARGET_OPENCL_VERSION 120\n";
    for (const include of ["", "#include <CL/cl.h>\n"]) {
      writeFileSync(join(directory, "fill.c"), version + include + fill("in_p"));
      const ran = await runProcess(cc, [...FLAGS, "-Wno-unused-function", "-fsyntax-only", "fill.c"], {
        cwd: directory,
      });
      expect(ran, include).toMatchObject({ code: 0, stderr: "" });
    }
  },
);

test("can be called from C++", () => {
  const [header] = hostInC(emit(mixed, opencl));
  const [, declared = ""] =
    /extern "C" \{\n#endif\n(.*)#ifdef __cplusplus\n\}/s.exec(header?.text ?? "") ?? [];
  for (const name of ["run", "enqueue", "make_kernels", "release_kernels"])
    expect(declared).toContain(` mixed_values_${name}(`);
});

describe("the header", () => {
  const sums = pipeline("sums", { x: u32 }, ({ x }) => ({
    y: x.scanInclusive("add", { scope: "work-group" }),
  }));
  const headerOf = (options: EmitOptions): string => hostInC(emit(sums, opencl, options))[0]?.text ?? "";
  const options = (text: string): string[] =>
    [...text.matchAll(/^#define SUMS_(BUILD_OPTIONS\w*) "(.*)"$/gm)].map(
      ([, name, value]) => `${name} ${value}`,
    );

  test("has every set of build options of the manifest", () => {
    const native = ["BUILD_OPTIONS_CL3 -cl-std=CL3.0", "BUILD_OPTIONS_CL2 -cl-std=CL2.0"];
    expect(options(headerOf({}))).toEqual(["BUILD_OPTIONS -cl-std=CL1.2", ...native]);
    expect(options(headerOf({ native: false }))).toEqual(["BUILD_OPTIONS -cl-std=CL1.2"]);
  });

  test("builds for subgroups in a language version that has them, and states what a device must support", () => {
    const text = headerOf({ subgroups: true });
    expect(options(text)).toEqual(["BUILD_OPTIONS -cl-std=CL3.0", "BUILD_OPTIONS_CL2 -cl-std=CL2.0"]);
    expect(text).toContain(
      "// A device must support: cl_khr_subgroup_shuffle or the warps of NVIDIA, subgroups of consecutive work-items\n",
    );
    expect(headerOf({})).not.toContain("must support");
  });

  test("has the options for NVIDIA devices that reduce a warp by an instruction, and its program asks the device", () => {
    const scan = pipeline("sums", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
    const filesOf = (subgroups: true | 32): string[] =>
      hostInC(emit(scan, opencl, { lookBack: true, subgroups })).map(({ text }) => text);
    const [header = "", program = ""] = filesOf(32);
    expect(options(header)).toContain("BUILD_OPTIONS_REDUX -cl-std=CL3.0 -DGROUPWISE_REDUX");
    expect(program).toContain("has_redux(device) ? SUMS_BUILD_OPTIONS_REDUX : SUMS_BUILD_OPTIONS, &program)");
    expect(filesOf(true).join()).not.toContain("REDUX");
  });
});

test("a run on a caller's buffers refuses what other runs refuse", () => {
  for (const { ir } of [...casesInTurn(0, 24), mixed]) {
    const text = hostInC(artifactOf(ir))[1]?.text ?? "";
    const [own = "", given = ""] = text.split("#ifndef GROUPWISE_NO_MAIN")[0]?.split("_enqueue(\n") ?? [];
    const refusals = (part: string): string[] => part.match(/"[^"]*\\n"(?=.*;\n {4}return)/g) ?? [];
    expect(refusals(given), ir.name).toEqual(refusals(own));
    expect(refusals(given).length).toBeGreaterThan(0);
    if (ir === mixed.ir) expect(refusals(given)).toContain('"width must divide the number of items\\n"');
  }
});

/** Ranges of one, two and three dimensions. */
const EXTENTS: Readonly<Record<number, readonly (readonly number[])[]>> = {
  1: [0, 1, 255, 256, 2047, 2048, 2049, 4194303, 4194304, 0xf0000000].map((n) => [n]),
  2: [
    [0, 3],
    [1, 1],
    [40, 25],
    [70000, 50000],
  ],
  3: [
    [3, 0, 1],
    [7, 5, 3],
    [1000, 1000, 4000],
  ],
};

deviceTest("sizes in C are the manifest's, for every case and range", findCc, async (cc) => {
  const includes: string[] = [];
  const calls: string[] = [];
  const want: string[] = [];
  for (const { ir } of casesInTurn(0, 24)) {
    const artifact = artifactOf(ir);
    const { manifest } = artifact;
    const name = ir.name;
    const header = hostInC(artifact)[0]?.text ?? "";
    writeFileSync(join(directory, `${name}.h`), header);
    const prefix = name.replaceAll("-", "_");
    const macro = prefix.toUpperCase();
    includes.push(`#define ${macro}_SCRATCH_ALIGNMENT 256\n#include "${name}.h"\n`);
    const formulas = [
      ...manifest.bindings.map((b) => [`elements_${b.name}`, b.elements] as const),
      ...manifest.passes.map((p) => [`groups_${p.entryPoint}`, p.groups] as const),
      ["scratch_bytes", manifest.scratchBytes] as const,
    ];
    // Formulas with what a run gives beside its range are tried by running.
    if (/size_t (?:param|length)_\w+[,)]/.test(header)) continue;
    for (const globalSize of EXTENTS[ir.workGroupSize.length] ?? []) {
      for (const [fn, formula] of formulas) {
        calls.push(`${prefix}_${fn}(${globalSize.map((side) => `(size_t)${side}u`).join(", ")})`);
        want.push(`${name} ${fn} ${globalSize}: ${evaluate(formula, globalSize)}`);
      }
    }
  }
  expect(calls.length).toBeGreaterThan(isFullRun() ? 1000 : 40);
  const prints = calls.map((call) => `  printf("%zu\\n", ${call});\n`).join("");
  const code = `#include <stdio.h>\n${includes.join("")}int main(void) {\n${prints}  return 0;\n}\n`;
  writeFileSync(join(directory, "sizes.c"), code);
  await compiled([...FLAGS, "sizes.c", "-o", "sizes"], cc);
  const ran = await runProcess(join(directory, "sizes"), [], { cwd: directory });
  const got = ran.stdout.trim().split("\n");
  expect(want.map((line, i) => line.replace(/: .*/, `: ${got[i]}`))).toEqual(want);
});

const mixed = pipeline(
  "mixed-values",
  {
    ...{ x: f32, errno: i32, p: bool, scale: param(f32), by: param(i32) },
    width: param(u32, { divides: true }),
  },
  ({ x, errno, p, scale, by, width }, { index }) => ({
    column: index().rem(width),
    sums: x.mul(scale).scanInclusive("add"),
    min: errno.mul(by).reduce("min"),
    kept: index().scatter({ to: p.toU32().scanExclusive("add"), where: p }),
    groups: errno.reduce("max", { scope: "work-group" }),
    not_p: p.not(),
  }),
  { workGroupSize: 48 },
);

/** As the emitted program fills its inputs. */
const sample = (i: number): number => (i * 37) % 101;

deviceTest("runs on sample data as the reference does", both, async (env) => {
  const program = await built(mixed.ir);
  // A process that builds the kernels for each; runs of any size are below.
  for (const n of isFullRun() ? [0, 1, 47, 48, 49, 2048, 5000] : [0, 5000]) {
    const ran = await runProcess(program, [String(n)], { cwd: directory, env });
    expect(ran, `${n} items`).toMatchObject({ code: 0, stderr: "" });
    const k = Array.from({ length: n }, (_, i) => sample(i));
    const want = reference(check(mixed.ir), {
      n,
      inputs: { x: k.map((v) => v / 8 - 6), errno: k.map((v) => v - 50), p: k.map((v) => v < 50) },
      params: { scale: 60 / 8 - 6, by: 10, width: 10 },
    });
    expect(printed(ran.stdout), `${n} items`).toEqual(shown(want));
  }
});

deviceTest("runs ranges of two dimensions, and sets what global ids count from", both, async (env) => {
  const { ir } = pipeline(
    "rows",
    { x: f32 },
    ({ x }, { globalId, groupIndex }) => ({
      sums: x.scanInclusive("add", { scope: "work-group" }),
      places: globalId(0).mul(100).add(globalId(1)),
      totals: x.reduce("add", { scope: "work-group" }).mul(groupIndex().toF32()),
    }),
    { workGroupSize: [4, 2] },
  );
  const program = await built(ir);
  for (const globalSize of isFullRun() ? [...(EXTENTS[2] ?? []).slice(0, 3), [5, 3]] : [[5, 3]]) {
    const ran = await runProcess(program, globalSize.map(String), { cwd: directory, env });
    expect(ran, `${globalSize}`).toMatchObject({ code: 0, stderr: "" });
    const n = (globalSize[0] as number) * (globalSize[1] as number);
    const x = Array.from({ length: n }, (_, i) => sample(i) / 8 - 6);
    const want = reference(check(ir), { globalSize, inputs: { x } });
    expect(printed(ran.stdout)).toEqual(shown(want));
  }
  const header = hostInC(emit(ir, opencl))[0]?.text;
  expect(header).toContain("uint32_t param_offset_x; // the first global id");
  expect(header).toContain("size_t size_x, size_t size_y, struct rows_values* values);");
});

const wide = pipeline(
  "wide-values",
  { x: f64, k: i64, h: f16, scale: param(f64), by: param(i64), third: param(f16) },
  ({ x, k, h, scale, by, third }) => ({
    product: x.mul(scale),
    least: k.mul(by).scanInclusive("min"),
    halves: h.mul(third),
  }),
);

deviceTest("passes parameters of types that kernels take in words", both, async (env) => {
  const native = isFullRun() ? [openclCapabilities({ fp64: true })] : [];
  // In chunks the number of work-groups is the least of two sizes.
  const inChunks = openclCapabilities({ chunks: { most: 4, least: 8 } });
  const plain = isFullRun() ? [openclCapabilities()] : [];
  for (const capabilities of [...plain, inChunks, ...native]) {
    const program = await built(wide.ir, { capabilities });
    const n = 70;
    const ran = await runProcess(program, [String(n)], { cwd: directory, env });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const k = Array.from({ length: n }, (_, i) => sample(i));
    const want = reference(check(wide.ir), {
      n,
      inputs: {
        x: k.map((v) => v / 8 - 6),
        k: k.map((v) => BigInt(v) * 10000000000n - 500000000000n),
        h: k.map((v) => halfToNumber(0x3c00 + v)),
      },
      params: { scale: 60 / 8 - 6, by: 60n * 10000000000n - 500000000000n, third: halfToNumber(0x3c00 + 60) },
    });
    const first = (output: string): string =>
      new RegExp(`^${output}: .*elements: (\\S+)`, "m").exec(ran.stdout)?.[1] ?? "";
    expect(Number(first("product"))).toBe(want.product?.[0]);
    expect(BigInt(first("least"))).toBe(want.least?.[0]);
    expect(halfToNumber(Number(first("halves")))).toBe(want.halves?.[0]);
  }
});

/** Runs of changing sizes from one set of kernels and one scratch, compared with `_run` byte for byte. */
const STEPS = `#define CL_TARGET_OPENCL_VERSION 120
#include "steps_host.c"
#define MOST 100000
#define CHECK(x) do { if (!(x)) { fprintf(stderr, "line %d\\n", __LINE__); return 1; } } while (0)
static cl_mem room(cl_context context, size_t bytes) {
  cl_mem made = NULL;
  return make_buffer(context, bytes, &made) == CL_SUCCESS ? made : NULL;
}
int main(void) {
  static cl_float in[MOST], want_kept[MOST], kept[MOST];
  static const cl_uint garbage = 0x7fc01234u;
  const size_t sizes[] = {1, 100000, 0, 47, 5000, 2048, 2049, 99999};
  cl_device_id device;
  cl_int status;
  cl_program program;
  struct steps_kernels kernels;
  struct steps_buffers buffers;
  cl_uint count, want_count, word;
  for (int i = 0; i < MOST; i++) in[i] = (cl_float)(i * 37 % 101) / 8 - 6;
  CHECK(find_device(&device) == CL_SUCCESS);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  CHECK(build_program(context, device, read_file(STEPS_FILE), STEPS_BUILD_OPTIONS, &program) == CL_SUCCESS);
  CHECK(steps_make_kernels(program, &kernels) == CL_SUCCESS);
  memset(&buffers, 0, sizeof buffers);
  buffers.param_least = 0.5f;
  buffers.buffer_x = room(context, steps_bytes_x(MOST));
  buffers.buffer_kept = room(context, steps_bytes_kept(MOST));
  buffers.buffer_count = room(context, steps_bytes_count(MOST));
  buffers.buffer_status = room(context, steps_bytes_status(MOST));
  const size_t scratch = steps_scratch_bytes(MOST);
  CHECK(scratch > 0);
  buffers.scratch = room(context, scratch);
  CHECK(clEnqueueFillBuffer(queue, buffers.scratch, &garbage, 4, 0, scratch, 0, NULL, NULL) == CL_SUCCESS);
  CHECK(clEnqueueWriteBuffer(queue, buffers.buffer_x, CL_TRUE, 0, sizeof in, in, 0, NULL, NULL) == CL_SUCCESS);
  for (int round = 0; round < 2; round++) for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const size_t n = sizes[k];
    struct steps_values values = {.param_least = 0.5f, .in_x = in, .out_kept = want_kept, .out_count = &want_count};
    CHECK(steps_run(context, queue, program, n, &values) == CL_SUCCESS);
    CHECK(steps_enqueue(queue, &kernels, n, &buffers) == CL_SUCCESS);
    CHECK(read_buffer(queue, buffers.buffer_kept, n * 4, kept) == CL_SUCCESS);
    CHECK(read_buffer(queue, buffers.buffer_count, 4, &count) == CL_SUCCESS);
    CHECK(read_buffer(queue, buffers.buffer_status, 4, &word) == CL_SUCCESS);
    CHECK(word == 0 && count == want_count && values.length_kept == count);
    CHECK(memcmp(kept, want_kept, count * 4) == 0);
    printf("%zu %u\\n", n, count);
  }
  CHECK(steps_enqueue(queue, &kernels, (size_t)STEPS_MAX_ITEMS + 1, &buffers) == CL_INVALID_VALUE);
  steps_release_kernels(&kernels);
  steps_release_kernels(&kernels);
  return 0;
}
`;

deviceTest(
  "runs again and again on a caller's buffers, with one scratch, for any size",
  both,
  async (env) => {
    const { ir } = pipeline("steps", { x: f32, least: param(f32) }, ({ x, least }, { size }) => {
      const where = x.ge(least);
      const count = where.toU32().reduce("add");
      const to = where.toU32().scanExclusive("add");
      // With a capacity of its own a scatter reports slots past it.
      const kept = x.scatter({ to, where, length: count, capacity: size() });
      return { kept, count };
    });
    write(ir);
    writeFileSync(
      join(directory, "again.c"),
      STEPS.replace(
        '#include "steps_host.c"',
        '#define main shown_main\n#include "steps_host.c"\n#undef main',
      ),
    );
    const flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"];
    await compiled([...flags, "again.c", "-lOpenCL", "-o", "again"]);
    const ran = await runProcess(join(directory, "again"), [], { cwd: directory, env });
    expect(ran.stderr.replace(/^\d+ items are too many$/m, "").trim()).toBe("");
    expect(ran.code).toBe(0);
    const k = Array.from({ length: 100_000 }, (_, i) => sample(i) / 8 - 6);
    const lines = [1, 100_000, 0, 47, 5000, 2048, 2049, 99_999].map(
      (n) => `${n} ${k.slice(0, n).filter((v) => v >= 0.5).length}`,
    );
    expect(ran.stdout.trim().split("\n")).toEqual([...lines, ...lines]);
  },
);

/** A scatter whose places are data, which the demonstration chooses. */
const histogram = pipeline("histogram", { key: u32 }, ({ key }) => ({
  counts: u32(1).perItem().scatter({ to: key, capacity: 16, combine: "add" }),
}));

deviceTest(
  "the demonstration tries smaller numbers where its keys lead outside of an array",
  both,
  async (env) => {
    const ran = await runProcess(await built(histogram.ir), [], { cwd: directory, env });
    expect(ran).toMatchObject({ code: 0, stdout: `counts: 16 elements:${" 100".repeat(8)} ...\n` });
    expect(ran.stderr).toBe(
      "counts: an item was written outside the array\nsample numbers below 101 are too large: trying smaller ones\n",
    );
  },
);

deviceTest(
  "tells as the length of an output no more than it has room for",
  inFullRuns("hosts are built and run above; the length is that of every scatter", both),
  async (env) => {
    const { ir } = pipeline("clamped", { x: u32, length: param(u32) }, ({ x, length }, { index }) => ({
      kept: x.scatter({ to: index(), length }),
    }));
    const ran = await runProcess(await built(ir), ["5"], { cwd: directory, env });
    expect(ran).toMatchObject({ code: 0, stderr: "", stdout: "kept: 5 elements: 0 37 74 10 47\n" });
  },
);

deviceTest("refuses ranges that are none before it makes anything", both, async (env) => {
  const line = pipeline("line", { x: u32 }, ({ x }) => ({ y: x.add(1) }));
  const grid = pipeline("grid", { x: u32 }, ({ x }) => ({ y: x.add(1) }), { workGroupSize: [4, 2] });
  for (const { ir } of [line, grid]) await built(ir);
  const usage = /^usage: \S+ \[(?:items|size_x size_y) \[file of the kernels\]\]\n$/;
  const many = /^(?:\d+ x )?\d+ items are too many\n$/;
  for (const [name, args, told] of [
    ["line", ["abc"], usage],
    ["line", ["-5"], usage],
    ["line", ["1e3"], usage],
    ["line", [""], usage],
    ["line", ["18446744073709551616"], usage],
    ["line", ["1", "line.cl", "more"], usage],
    ["line", ["18446744073709551615"], many],
    ["line", ["5000000000"], many],
    ["grid", ["5"], usage],
    ["grid", ["5", "x"], usage],
    ["grid", ["4294967296", "4294967296"], many],
  ] as const) {
    const ran = await runProcess(join(directory, name), [...args], { cwd: directory, env });
    expect(ran, args.join(" ")).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(told);
  }
});

deviceTest("tells what fails, and ends with an error", both, async (env) => {
  const program = await built(histogram.ir);
  const absent = await runProcess(program, ["10", "none.cl"], { cwd: directory, env });
  expect(absent).toMatchObject({ code: 1, stdout: "" });
  expect(absent.stderr).toContain("cannot read none.cl");
  // Kernels that PoCL has built.
  const other = await runProcess(program, ["10", `${write(mixed.ir)}.cl`], { cwd: directory, env });
  expect(other).toMatchObject({ code: 1, stdout: "" });
  expect(other.stderr).toContain("make_kernel");
});
