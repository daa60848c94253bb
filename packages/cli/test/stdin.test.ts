/** `-` in place of a file: what comes through a pipe, and what goes into one. */
import { expect, test } from "vitest";
import { readInput } from "../src/values/input.ts";
import { writeNpy } from "../src/values/npy.ts";
import { ended } from "./process.ts";
import { AXPY_JSON, cli, folder, LINES_JSON, listed } from "./support.ts";

const cwd = folder({ "lines.json": LINES_JSON, "axpy.json": AXPY_JSON });

test("an input is read from stdin", async () => {
  const input = writeNpy("u32", Uint32Array.of(97, 10, 98, 10, 10));
  const run = await ended(cwd, ["run", "lines.json", "-i", "text=-:npy", "--json"], { input });
  expect(run.err).toBe("");
  expect(JSON.parse(run.out).outputs.lines.first).toEqual([3]);
});

test("a document is read from stdin, which is read once", async () => {
  const argv = ["run", "-", "-i", "x=-:f32", "-i", "y=-:f32", "-p", "a=1"];
  const run = await ended(cwd, argv, { input: AXPY_JSON });
  expect(run).toMatchObject({ code: 2, out: "" });
  expect(run.err).toContain("read twice");
});

// These refusals come before anything is read, each from the reader of its format.
test.each([
  ["-", "f32", "write -:csv, -:npy, -:f32 or -:text"],
  ["-:text", "f32", "for raw binary write -:f32"],
  ["-:text8", "f32", "or -:text for its characters"],
] as const)("stdin as %s for %s is refused with what to write", async (spec, type, hint) => {
  await expect(async () => readInput(spec, type, { cwd })).rejects.toMatchObject({
    code: "bad-usage",
    hint: expect.stringContaining(hint),
  });
});

test("files are written to stdout", async () => {
  const run = await cli(cwd, "emit", "axpy.json", "--target", "js", "--out", "-");
  expect(run).toMatchObject({ code: 0, err: "" });
  const names = [...run.out.matchAll(/^==> (.*) <==$/gm)].map(([, name]) => name);
  expect(names).toEqual(["axpy.mjs", "axpy.d.mts", "axpy.mjs.json"]);
  expect(run.out).toContain("export function kernel");
  const header = await cli(cwd, "header", "--out", "-");
  expect(header.out).toBe((await cli(cwd, "header")).out);
  expect(listed(cwd)).toEqual(["axpy.json", "lines.json"]);
});
