/** `-` in place of a file: what comes through a pipe, and what goes into one. */
import { expect, test } from "vitest";
import { writeNpy } from "../src/values/npy.ts";
import { ended } from "./process.ts";
import { AXPY_JSON, cli, folder, LINES_JSON, listed } from "./support.ts";

const cwd = folder({ "lines.json": LINES_JSON, "axpy.json": AXPY_JSON });
const outputs = async (
  argv: readonly string[],
  input: string | Uint8Array,
): Promise<Record<string, unknown>> => {
  const run = await ended(cwd, [...argv, "--json"], { input });
  expect(run.err).toBe("");
  return JSON.parse(run.out).outputs;
};

const TEXT = Uint32Array.of(97, 10, 98, 10, 10);

test("inputs are read from stdin as raw elements, text and .npy", async () => {
  const raw = new Uint8Array(TEXT.buffer);
  const [first, ...more] = await Promise.all([
    outputs(["run", "lines.json", "-i", "text=-:u32"], raw),
    outputs(["run", "lines.json", "-i", "-:text"], "a\nb\n\n"),
    outputs(["run", "lines.json", "-i", "text=-:npy"], writeNpy("u32", TEXT)),
  ]);
  expect(JSON.stringify(first)).toContain("3");
  for (const other of more) expect(other).toEqual(first);
});

test("a document is read from stdin, and files are written to stdout", async () => {
  const run = await ended(cwd, ["emit", "-", "--target", "js", "--out", "-"], { input: AXPY_JSON });
  expect(run).toMatchObject({ code: 0, err: "" });
  const names = [...run.out.matchAll(/^==> (.*) <==$/gm)].map(([, name]) => name);
  expect(names).toEqual(["axpy.mjs", "axpy.d.mts", "axpy.mjs.json"]);
  expect(run.out).toContain("export function kernel");
  const header = await cli(cwd, "header", "--out", "-");
  expect(header.out).toBe((await cli(cwd, "header")).out);
  expect(listed(cwd)).toEqual(["axpy.json", "lines.json"]);
});

test("stdin is read once, and its format must be given", async () => {
  const twice = ["run", "axpy.json", "-i", "x=-:f32", "-i", "y=-:f32", "-p", "a=1"];
  const run = await ended(cwd, twice, { input: new Uint8Array(4) });
  expect(run).toMatchObject({ code: 2, out: "" });
  expect(run.err).toContain("read twice");
  expect((await ended(cwd, ["run", "lines.json", "-i", "-"], { input: "a" })).err).toContain("-:u32");
});
