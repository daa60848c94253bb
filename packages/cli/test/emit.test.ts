import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f16, f64, pipeline, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { shellWords } from "../src/commands/emit-flags.ts";
import { AXPY_JSON, cli, folder, LINES_JSON, LINES_TS, listed, say } from "./support.ts";

test("writes sources and manifests, and prints their paths", async () => {
  const cwd = folder({ "lines.json": LINES_JSON });
  const ran = await cli(cwd, "emit", "lines.json", "--target", "wgsl,opencl,js", "--out", "made");
  expect(ran.err).toBe("");
  expect(ran.code).toBe(0);
  const files = listed(join(cwd, "made"));
  expect(files).toEqual(expect.arrayContaining(["lines.wgsl", "lines.cl", "lines.mjs", "lines.d.mts"]));
  expect(ran.out.trim().split("\n").sort()).toEqual(files.map((name) => join("made", name)));
  const manifest = JSON.parse(readFileSync(join(cwd, "made", "lines.wgsl.json"), "utf8"));
  expect(manifest).toMatchObject({ format: "groupwise-manifest", target: "wgsl", pipeline: "lines" });
});

test("a pipeline in any folder emits the same bytes, and the command contains no absolute path", async () => {
  const texts = await Promise.all(
    ["one", "two"].map(async () => {
      const cwd = folder({ "lines.ts": LINES_TS });
      const ran = await say(cwd, `emit ${join(cwd, "lines.ts")} --target js,wgsl --out ${join(cwd, "o")}`);
      expect(ran.code).toBe(0);
      return listed(join(cwd, "o")).map((name) => readFileSync(join(cwd, "o", name), "utf8"));
    }),
  );
  expect(texts[0]).toEqual(texts[1]);
  expect(texts[0]?.join("")).toContain("groupwise emit lines.ts --target js");
  expect(texts[0]?.join("")).not.toMatch(/\/tmp\//);
});

test.skipIf(process.platform === "win32")(
  "a shell reads the words of the emitted command as they were",
  () => {
    const words = ["plain.ts", "two words", "it's", "$HOME `id`", 'a"b', "*;&|<>", "\\", ""];
    const printed = execFileSync("sh", ["-c", `printf '%s\\n' ${shellWords(words)}`], { encoding: "utf8" });
    expect(printed.split("\n").slice(0, -1)).toEqual(words);
  },
);

test("another export of a module is chosen by name", async () => {
  const cwd = folder({ "lines.ts": LINES_TS });
  const ran = await cli(cwd, "emit", "lines.ts", "--target", "js", "--export", "breaks", "--json");
  expect(ran.code).toBe(0);
  expect(ran.json()).toMatchObject({ ok: true, command: "emit", pipeline: "breaks", out: "out" });
  expect(readFileSync(join(cwd, "out", "breaks.mjs"), "utf8")).toContain("--export breaks");
  const wrong = await cli(cwd, "emit", "lines.ts", "--target", "js", "--export", "braeks");
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.err).toContain("did you mean breaks?");
});

test("nothing is written if one of the named targets refuses", async () => {
  const cwd = folder({ "lines.json": LINES_JSON });
  const ran = await cli(cwd, "emit", "lines.json", "--target", "wgsl,gpujs", "--out", "made/deep", "--json");
  expect(ran.code).toBe(1);
  expect(ran.json()).toMatchObject({ ok: false, error: { code: "unsupported" } });
  expect(existsSync(join(cwd, "made"))).toBe(false);
});

test("in C++, CUDA gets a function for the pipeline, and OpenCL a file that reads its manifest", async () => {
  const cwd = folder({ "lines.json": LINES_JSON });
  expect(
    (await cli(cwd, "emit", "lines.json", "--target", "cuda,opencl", "--host", "cpp", "--out", "o")).code,
  ).toBe(0);
  expect(listed(join(cwd, "o"))).toEqual([
    ...["groupwise_host.hpp", "gw_lines.cu", "gw_lines.hpp", "gw_linesConfig.cmake"],
    ...["lines.cl", "lines.cl.hpp", "lines.cl.json", "lines.cu", "lines.cu.json"],
  ]);
});

test("a host in C is written beside the sources on request", async () => {
  const cwd = folder({ "lines.json": LINES_JSON });
  const ran = await cli(cwd, "emit", "lines.json", "--target", "opencl,js", "--host", "c", "--out", "o");
  expect(ran).toMatchObject({ code: 0, err: "" });
  const files = listed(join(cwd, "o"));
  const names = "lines.cl lines.cl.json lines.d.mts lines.h lines.mjs lines.mjs.json lines_host.c";
  expect(files.join(" ")).toBe(names);
  const command = "groupwise emit lines.json --target opencl --host c\n";
  for (const name of ["lines.cl", "lines.h", "lines_host.c"])
    expect(readFileSync(join(cwd, "o", name), "utf8"), name).toContain(command);
  expect(readFileSync(join(cwd, "o", "lines.mjs"), "utf8")).not.toContain("--host");
  const again = await cli(cwd, "emit", "lines.json", "--target", "opencl", "--host", "c", "--out", "o");
  expect(again.code).toBe(0);
});

test("a module of Python is refused for several threads, and two targets do not write one file", async () => {
  const cwd = folder({ "lines.json": LINES_JSON });
  const openmp = await cli(cwd, "emit", "lines.json", "--target", "c", "--openmp", "--host", "python");
  expect(openmp.code).toBe(2);
  const ran = await cli(cwd, "emit", "lines.json", "--target", "c,opencl", "--host", "python", "--json");
  expect(ran.code).toBe(2);
  expect(ran.json()).toMatchObject({ ok: false, error: { code: "bad-usage" } });
  expect(ran.json().error.what).toContain("lines.py");
  expect(listed(cwd)).toEqual(["lines.json"]);
});

test.each([
  ["toString", "opencl", "there are: c, cpp, python, rust"],
  ["rust", "opencl", "--target wgsl"],
  ["c", "wgsl,js", "--target opencl"],
])("a host in %s for %s is refused", async (host, targets, hint) => {
  const cwd = folder({ "lines.json": LINES_JSON });
  const ran = await cli(cwd, "emit", "lines.json", "--target", targets, "--host", host, "--json");
  expect(ran).toMatchObject({ code: 2 });
  expect(ran.json()).toMatchObject({ ok: false, error: { code: "bad-usage" } });
  expect(ran.json().error.hint).toContain(hint);
  expect(listed(cwd)).toEqual(["lines.json"]);
});

test("without --target, all targets that accept the pipeline are emitted", async () => {
  const cwd = folder({ "lines.json": LINES_JSON, "axpy.json": AXPY_JSON });
  const lines = (await cli(cwd, "emit", "lines.json", "--target", "all", "--json")).json();
  expect(lines.targets.map((row: { target: string }) => row.target)).toEqual([
    ...["wgsl", "opencl", "cuda", "js", "wasm", "c"],
  ]);
  expect(lines.refused).toMatchObject([{ target: "gpujs", problem: { code: "unsupported" } }]);
  const axpy = (await cli(cwd, "emit", "axpy.json", "--target", "all", "--json")).json();
  expect(axpy.targets).toHaveLength(7);
  expect(axpy.refused).toEqual([]);
});

test("files that groupwise did not write are kept, also if only the last of several exists", async () => {
  const cwd = folder({ "lines.json": LINES_JSON, "lines.mjs": "mine" });
  const ran = await cli(cwd, "emit", "lines.json", "--target", "wgsl,js", "--out", ".");
  expect(ran).toMatchObject({ code: 2 });
  expect(ran.err).toContain("--force");
  expect(listed(cwd)).toEqual(["lines.json", "lines.mjs"]);
  expect((await cli(cwd, "emit", "lines.json", "--target", "js", "--out", ".", "--force")).code).toBe(0);
  expect((await cli(cwd, "emit", "lines.json", "--target", "js", "--out", ".")).code).toBe(0);
});

test("if one file cannot be written, none is", async () => {
  const cwd = folder({ "lines.json": LINES_JSON, blocked: "a file" });
  mkdirSync(join(cwd, "o", "lines.wgsl"), { recursive: true });
  const ran = await cli(cwd, "emit", "lines.json", "--target", "js,wgsl", "--out", "o");
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(listed(join(cwd, "o"))).toEqual(["lines.wgsl"]);
  expect(await cli(cwd, "emit", "lines.json", "--target", "js", "--out", "blocked/x")).toMatchObject({
    code: 2,
  });
  expect(readFileSync(join(cwd, "blocked"), "utf8")).toBe("a file");
  if (process.platform === "linux") {
    expect(await cli(cwd, "emit", "lines.json", "--target", "js", "--out", "/proc/none/x")).toMatchObject({
      code: 2,
    });
  }
});

test.each([
  ["a syntax error", "broken.ts", "broken.ts:2", ""],
  ["a throw", "throws.ts", "throws.ts:2", "throws.ts:5, then at throws.ts:6"],
  ["a throw in another file", "user.ts", "helper.ts:1", "user.ts:2"],
])(
  "%s in a pipeline file is reported with its line and the stack of calls",
  async (_, name, where, calls) => {
    const cwd = folder({
      "broken.ts": "const x = 1;\nexport default (",
      "throws.ts": [
        "const helper = () => {",
        "  throw new TypeError('no');",
        "};",
        "const outer = () =>",
        "  helper();",
        "export default outer();",
      ].join("\n"),
      "helper.ts": "export const helper = (): never => { throw new Error('no'); };",
      "user.ts": 'import { helper } from "./helper.ts";\nexport default helper();',
    });
    const { error } = (await cli(cwd, "emit", name, "--target", "js", "--json")).json();
    expect(error).toMatchObject({ code: "bad-file", where });
    expect(error.hint).toContain(calls);
  },
);

test.each([
  ["a missing file", "none.ts", "missing-file", 2],
  ["a folder", "sub.ts", "missing-file", 2],
  ["a text", "notes.txt", "bad-file", 2],
  ["a module that does not parse", "broken.ts", "bad-file", 2],
  ["a module that throws", "throws.mjs", "bad-file", 2],
  ["a module without a pipeline", "empty.mjs", "bad-file", 2],
  ["several pipelines and no default", "several.mjs", "bad-usage", 2],
  ["JSON that does not parse", "broken.json", "bad-json", 2],
  ["JSON of something else", "other.json", "bad-document", 2],
  ["JSON that is no UTF-8", "latin.json", "bad-file", 2],
  ["a name that would inject code", "evil.json", "bad-name", 2],
  ["a module with a forged document", "forged.mjs", "bad-name", 2],
])("%s is a typed error, and nothing is written", async (_, name, code, exit) => {
  const evil = LINES_JSON.replaceAll('"text"', '"x; } evil("');
  const cwd = folder({
    "notes.txt": "x",
    "broken.ts": "export default (",
    "throws.mjs": "throw new Error('no')",
    "empty.mjs": "export default 1; export const toString = null;",
    "several.mjs": `const p = ${LINES_JSON}; export const a = p; export const b = p;`,
    "broken.json": '{"format": ',
    "other.json": '{"name": "x"}',
    "latin.json": Uint8Array.of(0x22, 0xe9, 0x22),
    "evil.json": evil,
    "forged.mjs": `export default { ir: ${evil} };`,
  });
  mkdirSync(join(cwd, "sub.ts"));
  const before = listed(cwd);
  const ran = await cli(cwd, "emit", name, "--target", "js", "--json");
  expect(ran.json()).toMatchObject({ ok: false, command: "emit", error: { code } });
  expect(ran.json().error.hint).not.toBe("");
  // No data is read here.
  expect(ran.json().error.hint).not.toContain("run --help");
  expect(ran.code).toBe(exit);
  expect(listed(cwd)).toEqual(before);
  const plain = await cli(cwd, "emit", name, "--target", "js");
  expect(plain.err).toContain(`[${code}]`);
  expect(plain.err).not.toMatch(/^\s+at /m);
});

test("a mistake in a pipeline is reported with its location in the author's file", async () => {
  const text =
    'import { pipeline, u32 } from "@groupwise/dsl";\n\nexport default pipeline("p", { x: u32 }, ({ x }) => ({ x }));\n';
  const ran = await cli(folder({ "p.ts": text }), "emit", "p.ts", "--target", "js");
  expect(ran.code).toBe(2);
  expect(ran.err).toContain("p.ts:3:");
});

test("a pipeline of plain JavaScript needs no types", async () => {
  const cwd = folder();
  writeFileSync(join(cwd, "lines.mjs"), LINES_TS.replaceAll(/, type \w+|: PipelineOptions/g, ""));
  expect((await cli(cwd, "emit", "lines.mjs", "--target", "js")).code).toBe(0);
});

test("halves and doubles are native if the device is known to have them", async () => {
  const long = pipeline("long", { x: f64, h: f16 }, ({ x, h }) => ({ xx: x.mul(x), hh: h.mul(h) }));
  const cwd = folder({ "long.json": stringifyPipeline(long.ir) });
  const text = async (out: string, ...flags: string[]): Promise<{ cl: string; wgsl: string }> => {
    const ran = await cli(cwd, "emit", "long.json", "--target", "opencl,wgsl", "--out", out, ...flags);
    expect(ran).toMatchObject({ err: "", code: 0 });
    const [cl, wgsl] = ["long.cl", "long.wgsl"].map((name) => readFileSync(join(cwd, out, name), "utf8"));
    return { cl: cl as string, wgsl: wgsl as string };
  };
  const any = await text("any");
  expect(any.cl).not.toMatch(/\bdouble\*|#pragma OPENCL EXTENSION/);
  expect(any.cl).toContain("f32_of_f16_bits(");
  expect(any.wgsl).not.toContain("enable f16;");
  const native = await text("native", "--f16", "--f64");
  expect(native.cl).toContain("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  expect(native.cl).toContain("#pragma OPENCL EXTENSION cl_khr_fp16 : enable");
  expect(native.cl).toContain("--f16 --f64");
  expect(native.wgsl).toContain("enable f16;");
});

test("arrays longer than a binding are bound in parts if the target supports it", async () => {
  const turned = pipeline("turned", { x: u32 }, ({ x }) => ({ y: x.not() }), { workGroupSize: 64 });
  const cwd = folder({ "turned.json": stringifyPipeline(turned.ir) });
  const emit = (target: string, ...flags: string[]) =>
    cli(cwd, "emit", "turned.json", "--target", target, ...flags);
  expect(await emit("wgsl", "--parts", "x=2", "--parts", "y=3")).toMatchObject({ err: "", code: 0 });
  const text = readFileSync(join(cwd, "out", "turned.wgsl"), "utf8");
  expect(text).toContain("emit turned.json --target wgsl --parts x=2 --parts y=3");
  // A part has a declaration of items and one of vectors.
  expect(new Set(text.match(/@binding\(\d+\) var<storage/g)).size).toBe(5);
  for (const [target, parts] of [
    ["wgsl", "x"],
    ["wgsl", "z=2"],
    ["opencl", "x=2"],
  ] as const)
    expect((await emit(target, "--parts", parts)).code, parts).not.toBe(0);
});

test("files for MPI: functions, a program and a CMake project, for targets that support MPI", async () => {
  const cwd = folder({ "axpy.json": AXPY_JSON });
  const ran = await cli(cwd, "emit", "axpy.json", "--target", "c", "--mpi", "--out", "made");
  expect([ran.code, ran.err]).toEqual([0, ""]);
  const text = (name: string): string => readFileSync(join(cwd, "made", name), "utf8");
  expect(text("gw_axpy_mpi.h")).toContain("groupwise emit axpy.json --target c --mpi");
  expect(text("CMakeLists.txt")).toContain("find_package(MPI REQUIRED COMPONENTS C)");
  expect(text("gw_axpy_mpi_main.c")).toContain('.name = "z", .descr = "<f4"');
  const other = await cli(cwd, "emit", "axpy.json", "--target", "wgsl", "--mpi");
  expect(other).toMatchObject({ code: 2 });
  expect(other.err).toContain("pass --target opencl or c, or omit --mpi");
  expect((await cli(cwd, "emit", "axpy.json", "--target", "c", "--mpi", "--host", "c")).code).toBe(2);
  const devices = await say(cwd, "emit axpy.json --target opencl --mpi --out made --force");
  expect([devices.code, devices.err]).toEqual([0, ""]);
  expect(text("gw_axpy_device.c")).toContain("groupwise emit axpy.json --target opencl --mpi");
  expect(text("CMakeLists.txt")).toContain("find_package(OpenCL REQUIRED)");
  const shuffled = await say(cwd, "emit axpy.json --target opencl --mpi --subgroups --json");
  expect(shuffled.json()).toMatchObject({ ok: false, error: { code: "unsupported" } });
});

test("files for threads: a function that takes their number, with a program and a package that use it", async () => {
  const cwd = folder({ "axpy.json": AXPY_JSON });
  const made = ["--target", "c", "--openmp", "--host", "c", "--out", "made"];
  const ran = await cli(cwd, "emit", "axpy.json", ...made);
  expect([ran.code, ran.err]).toEqual([0, ""]);
  const text = (name: string): string => readFileSync(join(cwd, "made", name), "utf8");
  expect(text("gw_axpy_parallel.h")).toContain("groupwise emit axpy.json --target c --openmp --host c");
  expect(text("gw_axpy_main.c")).toContain("gw_axpy_parallel(");
  expect(text("gw_axpyConfig.cmake")).toContain("find_package(OpenMP COMPONENTS C)");
  const other = await cli(cwd, "emit", "axpy.json", "--target", "js", "--openmp");
  expect(other).toMatchObject({ code: 2 });
  expect(other.err).toContain("pass --target c, or omit --openmp");
  const both = await cli(cwd, "emit", "axpy.json", "--target", "c", "--openmp", "--mpi");
  expect(both).toMatchObject({ code: 2 });
});

/** The highest sum so far: a scan of a scan. */
const CHAINED_TS = `import { f32, pipeline } from "@groupwise/dsl";
export default pipeline("chained", { x: f32 }, ({ x }) => ({
  highest: x.scanInclusive("add").scanInclusive("max"),
}));
`;

test("a pipeline that needs items or states of other ranks is refused, and nothing is written", async () => {
  const cwd = folder({ "lines.json": LINES_JSON, "chained.ts": CHAINED_TS });
  for (const file of ["lines.json", "chained.ts"]) {
    const ran = await cli(cwd, "emit", file, "--target", "c", "--mpi", "--out", "made", "--json");
    expect(ran.code).toBe(1);
    expect(ran.json()).toMatchObject({ ok: false, error: { code: "not-carried" } });
  }
  expect(existsSync(join(cwd, "made"))).toBe(false);
});
