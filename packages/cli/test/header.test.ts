import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli, folder, listed } from "./support.ts";

test("the OpenCL C header is printed, or written to --out", async () => {
  const cwd = folder();
  const printed = await cli(cwd, "header");
  expect(printed).toMatchObject({ code: 0, err: "" });
  expect(printed.out).toContain(" gw_reduce_add_int(const int x, ");
  const written = await cli(cwd, "header", "--out", "made/groupwise.h");
  expect(written).toMatchObject({ code: 0, out: `${join("made", "groupwise.h")}\n` });
  const text = readFileSync(join(cwd, "made/groupwise.h"), "utf8");
  expect(text).toContain("//   groupwise header --out groupwise.h\n");
  expect(text.replace(" --out groupwise.h", "")).toBe(printed.out);
  expect((await cli(cwd, "header", "--out", "made/groupwise.h", "--json")).json()).toMatchObject({
    ok: true,
    command: "header",
    target: "opencl",
    out: join("made", "groupwise.h"),
  });
});

test("the OpenCL C header contains the requested functions, and lists them", async () => {
  const { out, code } = await cli(folder(), "header", "--functions", "scan-exclusive-add-u32, all");
  expect(code).toBe(0);
  expect(out).toContain("//   groupwise header --functions 'scan-exclusive-add-u32, all'\n");
  expect(out).toContain(" gw_scan_exclusive_add_uint(const uint x, ");
  expect(out.match(/(?<=^#define )work_group_\w+(?=\((?:x|predicate)\))/gm)).toEqual([
    "work_group_scan_exclusive_add",
    "work_group_all",
  ]);
  expect(out).not.toMatch(/gw_(?:reduce_|scan_inclusive|any|broadcast_uint)\w*\(const/);
});

test("a prefix is put before every name", async () => {
  const { out, code } = await cli(folder(), "header", "--prefix", "my_");
  expect(code).toBe(0);
  expect(out).toContain(" my_scan_exclusive_max_float(");
  expect(out).not.toMatch(/\bgw_|\bGW_/);
});

test("the WGSL snippet contains the requested functions", async () => {
  const flags = ["--target", "wgsl", "--functions", "reduce-add-u32, all", "--work-group-size", "64"];
  const { out, code } = await cli(folder(), "header", ...flags);
  expect(code).toBe(0);
  expect(out.match(/^fn gw_\w+/gm)).toEqual(["fn gw_reduce_add_u32", "fn gw_all"]);
  expect(out).toContain(
    "//   groupwise header --target wgsl --functions 'reduce-add-u32, all' --work-group-size 64\n",
  );
});

test("sums of the WGSL snippet keep subnormal numbers, unless they may be flushed", async () => {
  const flags = ["--target", "wgsl", "--functions", "reduce-add-f32", "--work-group-size", "64"];
  const exact = await cli(folder(), "header", ...flags);
  expect(exact.out).toMatch(/^fn gw_add_f32\(/m);
  const flush = await cli(folder(), "header", ...flags, "--subnormals", "flush");
  expect(flush.out.match(/^fn gw_\w+/gm)).toEqual(["fn gw_reduce_add_f32"]);
  expect(flush.out).toContain(" --work-group-size 64 --subnormals flush\n");
});

test("functions of halves need no extension, unless --f16 requests the native type", async () => {
  const flags = ["--target", "wgsl", "--functions", "reduce-add-f16", "--work-group-size", "64"];
  const anywhere = await cli(folder(), "header", ...flags);
  expect(anywhere.out).toContain("(x: f32, local_index: u32) -> f32 {");
  const own = await cli(folder(), "header", ...flags, "--f16");
  expect(own.out).toContain("enable f16;");
  expect(own.out).toContain("(x: f16, local_index: u32) -> f16 {");
  expect(own.out).toContain(" --work-group-size 64 --f16\n");
});

test("a file that groupwise did not write is kept", async () => {
  const cwd = folder({ "mine.h": "int mine;" });
  const ran = await cli(cwd, "header", "--out", "mine.h");
  expect(ran).toMatchObject({ code: 2 });
  expect(ran.err).toContain("--force");
  expect(readFileSync(join(cwd, "mine.h"), "utf8")).toBe("int mine;");
  expect((await cli(cwd, "header", "--out", "mine.h", "--force")).code).toBe(0);
  expect((await cli(cwd, "header", "--out", "mine.h")).code).toBe(0);
});

const WGSL = ["--target", "wgsl"];
const wgsl = (functions: string, size = "8") => [
  ...WGSL,
  "--functions",
  functions,
  "--work-group-size",
  size,
];
test.each([
  ["an unknown target", ["--target", "wgls"], "bad-usage", "did you mean wgsl?", 2],
  ["an unknown function", wgsl("reduce-ad-f32"), "unknown-function", "did you mean reduce-add-f32?", 2],
  ["no function", [...WGSL, "--work-group-size", "8"], "bad-usage", "reduce-add-f32", 2],
  ["an empty list", wgsl(" ,"), "bad-usage", "reduce-add-f32", 2],
  ["no size", [...WGSL, "--functions", "all"], "bad-usage", "--work-group-size", 2],
  ["a size too large", wgsl("all", "1000"), "work-group-too-large", "", 1],
  ["a prefix that is none", ["--prefix", "x;"], "bad-name", "letter", 2],
  ["an unknown function for OpenCL", ["--functions", "al"], "unknown-function", "did you mean all?", 2],
  ["an empty list for OpenCL", ["--functions", ","], "bad-usage", "scan-exclusive-add-i32", 2],
  ["an option of the other target", ["--work-group-size", "8"], "bad-usage", "omit it", 2],
  ["a type of the other target", ["--f16"], "bad-usage", "omit it", 2],
])("%s is a typed error, and nothing is written", async (_, flags, code, hint, exit) => {
  const cwd = folder();
  const ran = await cli(cwd, "header", ...flags, "--out", "x.h", "--json");
  expect(ran.json()).toMatchObject({ ok: false, command: "header", error: { code } });
  expect(ran.json().error.hint).toContain(hint);
  expect(ran.code).toBe(exit);
  expect(listed(cwd)).toEqual([]);
});
