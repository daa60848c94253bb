import { readFileSync } from "node:fs";
import { join } from "node:path";
import { f32, pipeline, table, u32 } from "@groupwise/dsl";
import { isFullRun } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { notesOnOrder } from "../src/commands/run-report.ts";
import { readNpy, writeNpy } from "../src/values/npy.ts";
import { AXPY_JSON, cli, folder, LINES_JSON, listed } from "./support.ts";

const X = Float32Array.of(1, 2, 3, 0.5);
const Y = Float32Array.of(10, 20, 30, -0);
const bytes = (array: Float32Array | Uint32Array): Uint8Array => new Uint8Array(array.buffer);

const data = (): string =>
  folder({
    "lines.json": LINES_JSON,
    "axpy.json": AXPY_JSON,
    "text.txt": "a\u{1f600}\n\nb",
    "x.npy": writeNpy("f32", X),
    "y.bin": bytes(Y),
    "xy.csv": "x,why\n1,10\n2,20\n3,30\n0.5,-0\n",
    "bare.csv": "1\n2\n3\n0.5\n",
    "short.npy": writeNpy("f32", X.slice(1)),
    "ints.npy": writeNpy("u32", Uint32Array.of(1, 2, 3, 4)),
    "odd.bin": new Uint8Array(7),
    "bad.csv": "x\n1\ntwo\n",
    "ragged.csv": "x,y\n1\n",
    "latin.txt": Uint8Array.of(0xe9),
  });

test("the characters of a text are code points", async () => {
  const ran = await cli(data(), "run", "lines.json", "--input", "text=text.txt", "--json");
  expect(ran.json()).toMatchObject({
    ok: true,
    command: "run",
    pipeline: "lines",
    outputs: {
      line: { type: "u32", length: 5, first: [0, 0, 0, 1, 2], last: [] },
      lines: { length: 1, first: [2] },
    },
    devices: [{ target: "js", state: "ran" }],
  });
  expect(ran.code).toBe(0);
});

const Y_AND_A = ["-i", "y=y.bin:f32", "-p", "a=2"];
const WANT = [12, 24, 36, 1];
test.each([
  ["x=x.npy", "y=y.bin:f32"],
  ["x=xy.csv:x", "y=xy.csv:why"],
  ["x=bare.csv", "y=xy.csv:why"],
  ["x=bare.csv:0", "y=./y.bin:f32"],
])("%s and %s are the same data", async (x, y) => {
  const ran = await cli(data(), "run", "axpy.json", "-i", x, "-i", y, "-p", "a=2", "--json");
  expect(ran.json().outputs.z.first).toEqual(WANT);
  expect(ran.json().outputs.total.first).toEqual([73]);
});

test("tables are passed like inputs, with any length; without inputs, the number of items is needed", async () => {
  const alone = pipeline("alone", { t: table(u32) }, ({ t }, { index }) => ({
    same: t.at(index()),
    both: t.length.add(t.at(9)),
  }));
  const cwd = folder({ "alone.json": JSON.stringify(alone), "t.npy": writeNpy("u32", Uint32Array.of(7, 8)) });
  const ran = await cli(cwd, "run", "alone.json", "-i", "t.npy", "--n", "4", "--json");
  expect(ran.json().outputs).toMatchObject({ same: { first: [7, 8, 8, 8] }, both: { first: [10] } });
  const lacking = await cli(cwd, "run", "alone.json", "-i", "t.npy", "--json");
  expect(lacking.json().error.code).toBe("length-needed");
});

test("outputs go to .npy files, or are printed", async () => {
  const cwd = data();
  const args = ["run", "axpy.json", "-i", "x=x.npy", ...Y_AND_A];
  expect((await cli(cwd, ...args, "--out", "o")).out).toContain(join("o", "z.npy"));
  expect(listed(join(cwd, "o"))).toEqual(["total.npy", "z.npy"]);
  const back = readNpy(new Uint8Array(readFileSync(join(cwd, "o", "z.npy"))), "f32", "z.npy");
  expect([...back]).toEqual(WANT);
  expect((await cli(cwd, ...args)).out).toContain("z: f32 × 4  12 24 36 1\n");
});

test("long outputs are printed by their first and last values", async () => {
  const cwd = folder({ "lines.json": LINES_JSON, "text.txt": "\n".repeat(100) });
  const { out } = await cli(cwd, "run", "lines.json", "-i", "text.txt", "--show", "2");
  expect(out).toContain("line: u32 × 100  0 1 … 98 99\n");
});

test.each([
  ["a missing file", ["-i", "x=none.npy", ...Y_AND_A], "missing-file"],
  ["another dtype", ["-i", "x=ints.npy", ...Y_AND_A], "bad-file"],
  ["another type said", ["-i", "x=y.bin:u32", ...Y_AND_A], "bad-file"],
  ["a type that is none", ["-i", "x=y.bin:f23", ...Y_AND_A], "bad-usage"],
  ["binary without a type", ["-i", "x=y.bin", ...Y_AND_A], "bad-usage"],
  ["bytes left over", ["-i", "x=odd.bin:f32", ...Y_AND_A], "bad-file"],
  ["different lengths", ["-i", "x=short.npy", ...Y_AND_A], "length-mismatch"],
  ["a cell that is no number", ["-i", "x=bad.csv:x", ...Y_AND_A], "bad-file"],
  ["headings taken for data", ["-i", "x=bad.csv", ...Y_AND_A], "bad-file"],
  ["rows of different length", ["-i", "x=ragged.csv:x", ...Y_AND_A], "bad-file"],
  ["a column that is not there", ["-i", "x=xy.csv:z", ...Y_AND_A], "bad-usage"],
  ["a column past the last", ["-i", "x=xy.csv:2", ...Y_AND_A], "bad-usage"],
  ["no column of the input's name", ["-i", "xy.csv", "-p", "a=2"], "bad-usage"],
  ["two tables without a name", ["-i", "xy.csv", "-i", "bad.csv", "-p", "a=2"], "bad-usage"],
  ["a table for no input", ["-i", "xy.csv", "-i", "x=x.npy", "-i", "y=x.npy", "-p", "a=2"], "bad-usage"],
  ["a seed for no input", ["-i", "x=x.npy", "-i", "y=x.npy", "-p", "a=2", "--seed", "1"], "bad-usage"],
  ["a seed without a length", ["--seed", "1", "-p", "a=2"], "bad-usage"],
  ["text for floats", ["-i", "x=text.txt", ...Y_AND_A], "bad-usage"],
  ["a missing input", ["-i", "x=x.npy", "-p", "a=2"], "missing-input"],
  ["a missing parameter", ["-i", "x=x.npy", "-i", "y=y.bin:f32"], "missing-input"],
  ["an unknown input", ["-i", "xx=x.npy", ...Y_AND_A], "unknown-input"],
  ["an input as parameter", ["-i", "a=x.npy", ...Y_AND_A], "unknown-input"],
  ["an input without a name", ["-i", "x.npy", ...Y_AND_A], "bad-usage"],
  ["an input given twice", ["-i", "x=x.npy", "-i", "x=x.npy", "-p", "a=2"], "bad-usage"],
  ["a parameter that is no number", ["-i", "x=x.npy", "-i", "y=y.bin:f32", "-p", "a=two"], "bad-parameter"],
  ["a wrong number of items", ["-i", "x=x.npy", ...Y_AND_A, "--n", "3"], "length-mismatch"],
  ["an unknown target", ["-i", "x=x.npy", ...Y_AND_A, "-t", "wgls"], "bad-usage"],
  ["an unknown device", ["-i", "x=x.npy", ...Y_AND_A, "-d", "Voodoo"], "bad-usage"],
])("%s is bad input, and nothing is written", async (_, args, code) => {
  const cwd = data();
  const before = listed(cwd);
  const ran = await cli(cwd, "run", "axpy.json", ...args, "--out", "o", "--json");
  expect(ran.json()).toMatchObject({ ok: false, command: "run", error: { code } });
  expect(ran.code).toBe(2);
  expect(listed(cwd)).toEqual(before);
});

test("more generated items than fit in memory are refused", async () => {
  const ran = await cli(data(), "run", "axpy.json", "--seed", "1", "--n", "1e12", "-p", "a=2", "--json");
  expect(ran.json()).toMatchObject({ ok: false, error: { code: "device-error" } });
});

test("what is missing or of the other kind is refused with the option to pass it by", async () => {
  const run = async (...args: string[]) =>
    (await cli(data(), "run", "axpy.json", ...args, "--json")).json().error;
  expect(await run("-i", "a=x.npy")).toMatchObject({
    what: '"a" is a parameter, and no input',
    hint: "pass it with --param",
  });
  expect((await run("-i", "x=x.npy", "-i", "y=y.bin:f32")).hint).toContain("--param a=");
  expect(await run("-p", "x=1")).toMatchObject({
    what: '"x" is an input, and no parameter',
    hint: "pass it with --input",
  });
});

test("a text that is not UTF-8 is refused", async () => {
  expect((await cli(data(), "run", "lines.json", "-i", "latin.txt")).err).toContain("not UTF-8");
});

test("a length that does not fit is refused before anything runs", async () => {
  const query = JSON.parse(LINES_JSON);
  query.nodes = [
    { id: 0, kind: "query", query: "global-id", dimension: 0 },
    { id: 1, kind: "output", name: "ids", of: 0 },
  ];
  const cwd = folder({ "ids.json": JSON.stringify(query) });
  const run = (n: string) => cli(cwd, "run", "ids.json", "--n", n, "--json");
  expect((await run("3")).json().outputs.ids.first).toEqual([0, 1, 2]);
  expect((await run("99999999999")).json()).toMatchObject({ error: { code: "too-many-items" } });
  expect((await cli(cwd, "run", "ids.json", "--json")).json()).toMatchObject({
    error: { code: "length-needed" },
  });
  for (const n of ["-1", "1.5", "NaN", "1e-3"]) expect((await run(n)).code).toBe(2);
});

test("a range of two dimensions has sides and an offset", async () => {
  const document = JSON.parse(LINES_JSON);
  document.workGroupSize = [2, 2];
  document.nodes = [
    { id: 0, kind: "query", query: "global-id", dimension: 1 },
    { id: 1, kind: "query", query: "num-groups", dimension: 0 },
    { id: 2, kind: "output", name: "rows", of: 0 },
    { id: 3, kind: "output", name: "groups", of: 1 },
  ];
  const cwd = folder({ "rows.json": JSON.stringify(document) });
  const run = (...args: string[]) => cli(cwd, "run", "rows.json", ...args, "--json");
  const { outputs } = (await run("--global-size", "3x2", "--global-offset", "0,7")).json();
  expect(outputs.rows.first).toEqual([7, 7, 7, 8, 8, 8]);
  expect(outputs.groups.first).toEqual([2]);
  expect((await run("--n", "6")).json()).toMatchObject({ error: { code: "bad-range" } });
  for (const sides of ["3x", "x", "3x-2", "1x1x1x1"])
    expect((await run("--global-size", sides)).code).toBe(2);
  const explained = await cli(cwd, "explain", "rows.json", "--global-size", "3x2");
  expect(explained.out).toContain("work-groups of 2 × 2, n = 6");
});

test("similar names are suggested", async () => {
  const ran = await cli(data(), "run", "lines.json", "--input", "txt=text.txt");
  expect(ran.err).toContain("did you mean text?");
});

test("every device found gives the same bits", async () => {
  // Outside of full runs what compiles at once: the conformance suites have the devices, and `doctor` what all are.
  const targets = isFullRun() ? "all" : "js,wasm,c";
  const args = ["-i", "x=x.npy", "-i", "y=y.bin:f32", "-p", "a=0.1", "--target", targets, "--json"];
  const ran = await cli(data(), "run", "axpy.json", ...args);
  const { devices, equal, outputs } = ran.json();
  expect(devices[0]).toMatchObject({ target: "js", state: "ran" });
  expect(devices.filter((d: { state: string }) => d.state === "failed")).toEqual([]);
  expect(equal).toBe(true);
  expect(outputs.z.first[0]).toBe(Math.fround(Math.fround(Math.fround(0.1) * 1) + 10));
  expect(ran.code).toBe(0);
});

test("a difference is explained if the order of sums is any", () => {
  const any = { order: "any" } as const;
  const sums = (options: { order?: "any" }) =>
    pipeline("sums", { x: f32, k: u32 }, ({ x, k }) => ({
      y: x.reduce("add", options),
      least: x.reduce("min", any),
      count: k.reduce("add"),
    })).ir;
  expect(notesOnOrder(sums(any))).toEqual([expect.stringContaining('order: "any"')]);
  expect(notesOnOrder(sums({}))).toEqual([]);
});
