/** Files of inputs: read as streams or in place, of any length. */
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { f32, pipeline } from "@groupwise/dsl";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readBytes } from "../src/base/files.ts";
import { codePoints, textOf } from "../src/values/text.ts";
import { ended } from "./process.ts";
import { folder, readCsv } from "./support.ts";

const SUM = JSON.stringify(
  pipeline("sum", { x: f32 }, ({ x }) => ({ most: x.reduce("max"), total: x.reduce("add") })).ir,
);

test("a column of a file that is larger than the heap is read", async () => {
  const rows = 1_000_000; // as arrays of texts they take 50 MB, beside 24 MB of the command line
  const cwd = folder({ "sum.json": SUM, "x.csv": `x\n${"1\n".repeat(rows - 1)}3\n` });
  const run = await ended(cwd, ["run", "sum.json", "-i", "x.csv:x"], { node: ["--max-old-space-size=48"] });
  expect(run.err).toBe("");
  expect(run.code).toBe(0);
  expect(run.out).toContain("most: f32 × 1  3\n");
  expect(run.out).toContain(`total: f32 × 1  ${rows + 2}\n`);
});

const readerIn =
  (cwd: string) =>
  async (path: string, column?: string): Promise<number[]> => [
    ...((await readCsv(path, cwd, "f32", column)) as Float32Array),
  ];

test("quotes, line breaks within cells, byte order marks and empty lines are read as in a spreadsheet", async () => {
  const cwd = folder({
    "a.csv": '\ufeff"a ""b""",c\r\n"1", 2\r\n\r\n"3","4"\r\n',
    "b.tsv": 'a\tb\n"x\n,y"\t1.5\nz\t-2',
    "empty.csv": "",
  });
  const read = readerIn(cwd);
  expect(await read("a.csv", 'a "b"')).toEqual([1, 3]);
  expect(await read("a.csv", "c")).toEqual([2, 4]);
  expect(await read("b.tsv", "b")).toEqual([1.5, -2]);
  expect(await read("empty.csv")).toEqual([]);
  expect(await read("empty.csv", "0")).toEqual([]);
  await expect(read("empty.csv", "x")).rejects.toMatchObject({ code: "bad-usage" });
});

test("columns that other programs write are read, or refused, but never silently another one", async () => {
  const cwd = folder({
    "pandas.csv": "0,1,2\n0.5,0.25,0.125\n1.5,1.25,1.125\n",
    "index.csv": ",0,1\n0,10,20\n1,30,40\n",
    "one.csv": "0\n10\n30\n",
    "years.csv": "city,2023,2024\na,1,2\nb,3,4\n",
    "data.csv": "1,1\n2,3\n",
    "twice.csv": "a,a\n1,2\n3,4\n",
    "excel.csv": "sep=;\na;b\n1;2\n",
    "inch.tsv": 'size\tprice\n5"\t3\n',
    "inch.csv": 'size,price\n5",3\n',
    "after.csv": 'size,price\n"5" ft,3\n',
    "open.csv": 'size,price\n"5,3\n',
    "ragged.csv": "a,b\n1,2\n3\n",
  });
  const read = readerIn(cwd);
  // A number that may be a heading of pandas, or the first line data: the user says which.
  for (const [path, column, heading, number] of [
    ["pandas.csv", 1, [0.25, 1.25], [1, 0.25, 1.25]],
    ["index.csv", 1, [20, 40], [0, 10, 30]],
    ["one.csv", 0, [10, 30], [0, 10, 30]],
  ] as const) {
    await expect(read(path, `${column}`)).rejects.toMatchObject({ code: "bad-usage" });
    expect(await read(path, `"${column}"`)).toEqual(heading);
    expect(await read(path, `#${column}`)).toEqual(number);
  }
  expect(await read("years.csv", "2024")).toEqual([2, 4]);
  expect(await read("data.csv", "1")).toEqual([1, 3]);
  expect(await read("excel.csv", "b")).toEqual([2]);
  expect(await read("inch.tsv", "price")).toEqual([3]);
  await expect(read("twice.csv", "a")).rejects.toMatchObject({ code: "bad-usage" });
  for (const path of ["inch.csv", "after.csv", "open.csv", "ragged.csv"])
    await expect(read(path, "1")).rejects.toMatchObject({
      code: "bad-file",
      what: expect.stringMatching(/record [123]/),
    });
});

test.each([
  ["in the middle of a file", `1\n${`${"2".padEnd(255)}\n`.repeat(2 ** 14)}`, [0xff]],
  ["at its end, cut short", "1\n", [0xe2, 0x82]],
])("bytes that are not UTF-8 are refused %s", async (_, text, bytes) => {
  const cwd = folder({ "x.csv": Buffer.concat([Buffer.from(text), Uint8Array.from(bytes)]) });
  const read = readCsv("x.csv", cwd, "f32", "0");
  await expect(read).rejects.toMatchObject({ code: "bad-file", what: expect.stringContaining("UTF-8") });
});

test("a missing file and a folder are reported", async () => {
  const read = (path: string) => readCsv(path, folder(), "f32", "0");
  await expect(read("none.csv")).rejects.toMatchObject({ code: "missing-file" });
  await expect(read(".")).rejects.toMatchObject({ code: "missing-file" });
});

test("a file that no array can hold is refused with the option that reads it", () => {
  const cwd = folder({ "x.raw": "" });
  truncateSync(join(cwd, "x.raw"), 2 ** 40); // sparse
  expect(() => readBytes("x.raw", cwd)).toThrow(
    expect.objectContaining({ code: "bad-file", hint: expect.stringContaining("--stream") }),
  );
});

test("code points are those of the whole text, in whatever pieces it is decoded", () => {
  const piece = 2 ** 20;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3 }),
      fc.string({ unit: "binary", maxLength: 8 }),
      (before, text) => {
        const whole = "a".repeat(piece - before) + text + "é".repeat(3);
        const points = codePoints(Buffer.from(whole), "x.txt");
        expect(points.length).toBe(piece - before + [...text].length + 3);
        const tail = [...text, "é", "é", "é"].map((c) => c.codePointAt(0));
        expect([...points.subarray(piece - before)]).toEqual(tail);
        expect(points.buffer.byteLength).toBe(points.byteLength);
      },
    ),
    { numRuns: 2 },
  );
  expect([...codePoints(Buffer.from("\ufeffa\ufeff"), "x.txt")]).toEqual([97, 0xfeff]);
  expect(() => codePoints(Uint8Array.of(0x61, 0xe9), "x.txt")).toThrow(/not UTF-8/);
});

test("a text that is too long for one string is reported as such", () => {
  const decode = TextDecoder.prototype.decode;
  TextDecoder.prototype.decode = () => {
    throw new RangeError("too long");
  };
  try {
    expect(() => textOf(Buffer.from("{}"), "x.json")).toThrow(/2 bytes exceed the length of a string/);
    expect(() => textOf(Uint8Array.of(0xff), "x.json")).toThrow(/not UTF-8/);
  } finally {
    TextDecoder.prototype.decode = decode;
  }
});

test("the bytes of a file are read once, into a buffer of their length", () => {
  const cwd = folder();
  for (const length of [0, 1, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i);
    writeFileSync(join(cwd, "x.bin"), bytes);
    const read = readBytes("x.bin", cwd);
    expect(Buffer.compare(read, bytes)).toBe(0);
    expect(read.buffer.byteLength).toBe(length);
  }
  expect(() => readBytes(".", cwd)).toThrow(/it is a directory/);
});
