/** Values that a file lacks: an error that names the row, or the value of `--null`; no item moves. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { bool, f64, i64, pipeline } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { readNpy } from "../src/values/npy.ts";
import { cli, folder, readCsv } from "./support.ts";

/** Cells of one column without a value, and the row of it; `null` stands for it in the expected values. */
const ONE: readonly [string, string, (number | null)[], row: number][] = [
  ["an empty line between others", "x\n1.5\n\n3\n", [1.5, null, 3], 3],
  ["an empty line after the others", "x\n1\n\n", [1, null], 3],
  ["two of them, and no line break at the end", "x\n1\n\n\n2", [1, null, null, 2], 3],
  ["an empty line before the others", "\n1\n2\n", [null, 1, 2], 1],
  ["a cell of quotes, as Polars and pandas write it", 'x\r\n1\r\n""\r\n', [1, null], 3],
  ["a line of spaces", "x\n1\n  \n2\n", [1, null, 2], 3],
];
const TWO: typeof ONE = [
  ["an empty cell at the end of a line", "x,y\n1,\n2,5\n", [null, 5], 2],
  ["an empty cell at the beginning", "y,x\n,1\n5,2\n", [null, 5], 2],
  ["a cell of quotes", 'x,y\n1,""\n2,5\n', [null, 5], 2],
  ["a cell of spaces", "x,y\n1, \n2,5\n", [null, 5], 2],
];

describe.each([
  ["one column", ONE, undefined],
  ["two columns", TWO, "y"],
] as const)("in a file of %s", (_, cases, column) => {
  test.each(cases)("%s is a value that is absent", async (_, text, values, row) => {
    const cwd = folder({ "a.csv": text });
    await expect(readCsv("a.csv", cwd, "f64", column)).rejects.toMatchObject({
      code: "bad-file",
      what: expect.stringMatching(new RegExp(`record ${row}, column ("[xy]"|0): there is no value`)),
    });
    const read = await readCsv("a.csv", cwd, "f64", column, "-7");
    expect([...read]).toEqual(values.map((x) => x ?? -7));
  });
});

test("the end of the last line, and empty lines between rows of several cells, are no rows", async () => {
  const cwd = folder({ "a.csv": "x\n1\n2\n", "b.csv": "\nx,y\n\n1,2\n\r\n3,4\n\n" });
  expect([...(await readCsv("a.csv", cwd, "f64"))]).toEqual([1, 2]);
  expect([...(await readCsv("b.csv", cwd, "f64", "y"))]).toEqual([2, 4]);
});

test("a run and a stream have the same items and the same error", async () => {
  const { ir } = pipeline("sums", { x: f64 }, ({ x }) => ({ sums: x.scanInclusive("add") }));
  const cwd = folder({ "sums.json": stringifyPipeline(ir), "a.csv": "x\n1.5\n\n3\n" });
  for (const [i, more] of [[], ["--stream", "2"]].entries()) {
    const args = ["run", "sums.json", "-i", "a.csv:x", "--out", `o${i}`, ...more, "--json"];
    const refused = await cli(cwd, ...args);
    expect(refused.json().error).toMatchObject({
      code: "bad-file",
      what: expect.stringContaining("record 3"),
      hint: expect.stringContaining("--null"),
    });
    expect((await cli(cwd, ...args, "--null", "nan")).json()).toMatchObject({ ok: true });
    const sums = readNpy(new Uint8Array(readFileSync(join(cwd, `o${i}`, "sums.npy"))), "f64", "sums");
    expect([...sums]).toEqual([1.5, Number.NaN, Number.NaN]);
  }
});

test("the value of --null is one of the input's type", async () => {
  const { ir } = pipeline("two", { x: i64, y: bool }, ({ x, y }) => ({ n: x.reduce("add"), all: y.all() }));
  const cwd = folder({ "two.json": stringifyPipeline(ir), "a.csv": "x,y\n1,true\n,true\n3,\n" });
  const run = (given: string) => cli(cwd, "run", "two.json", "-i", "a.csv", "--null", given, "--json");
  expect((await run("1")).json().outputs).toMatchObject({ n: { first: ["5"] }, all: { first: [true] } });
  for (const given of ["nan", "0.5", "2"]) expect((await run(given)).json().error.code).toBe("bad-usage");
});

test("--null and --raw that no input uses are refused", async () => {
  const { ir } = pipeline("p", { x: f64 }, ({ x }) => ({ n: x.reduce("add") }));
  const cwd = folder({ "p.json": stringifyPipeline(ir), "x.bin": new Uint8Array(8), "x.csv": "x\n1\n" });
  for (const args of [
    ["-i", "x.bin:f64", "--null", "0"],
    ["-i", "x.csv", "--raw"],
  ])
    expect((await cli(cwd, "run", "p.json", ...args, "--json")).json().error.code).toBe("bad-usage");
});
