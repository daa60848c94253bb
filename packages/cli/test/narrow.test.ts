/** Files and outputs of 8 and 16 bits. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { arraySpec } from "@groupwise/core/target";
import { bf16, i8, pipeline, u8, u16 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { readInput } from "../src/values/input.ts";
import { readNpy, writeNpy } from "../src/values/npy.ts";
import { cli, folder, listed, readCsv } from "./support.ts";

const { ir } = pipeline("bytes", { text: u8, half: bf16 }, ({ text, half }, { index }) => {
  const line = text.eq(10).toU32().scanExclusive("add");
  return {
    line: u16(line),
    upper: i8(text.sub(32)),
    halves: bf16(half.add(half)),
    starts: u8(index()).scatter({ to: line, where: text.eq(10) }),
    lines: text.eq(10).toU32().reduce("add"),
  };
});
const TEXT = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xa9, 10, 10, 0x62);
const HALF = Uint16Array.of(0x3f80, 0xbf80, 0x7f7f, 0x7fc1, 0, 0x8000);

const data = (): string =>
  folder({
    "bytes.json": stringifyPipeline(ir),
    "text.txt": TEXT,
    "text.raw": TEXT.subarray(3),
    "bad.txt": Uint8Array.of(0xff),
    "half.npy": writeNpy("bf16", HALF),
    "x.csv": "x,y,z\n-1,255,0.1\n127,0,3e38\n",
    "wide.csv": "x\n256\n-1\n",
  });

test("the bytes of a text are its UTF-8, without a byte order mark", async () => {
  const cwd = data();
  expect(await readInput("text.txt", "u8", { cwd })).toEqual(TEXT.slice(3));
  expect(await readInput("text.txt:u8", "u8", { cwd })).toEqual(TEXT);
  expect(await readInput("bad.txt:u8", "u8", { cwd })).toEqual(Uint8Array.of(0xff));
  await expect(readInput("bad.txt", "u8", { cwd })).rejects.toMatchObject({ code: "bad-file" });
  await expect(readInput("text.txt", "i8", { cwd })).rejects.toMatchObject({ code: "bad-usage" });
  await expect(readInput("text.txt:u8", "u16", { cwd })).rejects.toMatchObject({ code: "bad-file" });
});

test("cells are numbers of the type's range, or round to the nearest bf16", async () => {
  const cwd = data();
  expect(await readCsv("x.csv", cwd, "i8", "x")).toEqual(Int8Array.of(-1, 127));
  expect(await readCsv("x.csv", cwd, "u8", "y")).toEqual(Uint8Array.of(255, 0));
  expect(await readCsv("x.csv", cwd, "bf16", "z")).toEqual(Uint16Array.of(0x3dcd, 0x7f62));
  for (const [column, type] of [
    ["x", "u8"],
    ["y", "i8"],
    ["z", "u16"],
  ] as const)
    await expect(readCsv("x.csv", cwd, type, column)).rejects.toMatchObject({ code: "bad-file" });
  await expect(readCsv("wide.csv", cwd, "u8", "x")).rejects.toMatchObject({ code: "bad-file" });
});

test.each([
  ["<u1", "u8"],
  [">i1", "i8"],
  ["<V2", "bf16"],
  ["|V2", "bf16"],
] as const)("the dtype %s is read as %s", (descr, type) => {
  const written = new TextDecoder("latin1").decode(writeNpy(type, new (arraySpec(type).array)(2)));
  const own = /'descr': '(...)'/.exec(written)?.[1] as string;
  const bytes = Uint8Array.from(written.replace(own, descr), (c) => c.charCodeAt(0));
  expect(readNpy(bytes, type, "x.npy")).toHaveLength(2);
  expect(() => readNpy(bytes, "u16", "x.npy")).toThrow(/its dtype is/);
});

const INPUTS = ["-i", "text=text.raw:u8", "-i", "half=half.npy"];

test("a run on two targets shows and writes narrow outputs, and a stream the same files", async () => {
  const cwd = data();
  const ran = await cli(cwd, "run", "bytes.json", ...INPUTS, "--out", "whole", "--json");
  expect(ran.json()).toMatchObject({
    ok: true,
    outputs: {
      line: { type: "u16", first: [0, 0, 0, 0, 1, 2] },
      upper: { type: "i8", first: [0x41, -93, -119, -22, -22, 0x42] },
      halves: { type: "bf16", first: [2, -2, "inf", "nan", 0, "-0"] },
      starts: { type: "u8", first: [3, 4, 0, 0, 0, 0] },
      lines: { type: "u32", first: [2] },
    },
  });
  const shown = await cli(cwd, "run", "bytes.json", ...INPUTS);
  expect(shown.out).toContain("upper: i8 × 6  65 -93 -119 -22 -22 66\n");
  const read = (name: string): Buffer => readFileSync(join(cwd, "whole", name));
  expect(readNpy(new Uint8Array(read("upper.npy")), "i8", "x")).toEqual(
    Int8Array.of(0x41, -93, -119, -22, -22, 0x42),
  );
  expect(listed(join(cwd, "whole"))).toContain("halves.npy");
});

test("chunks of any length write the files of one run", async () => {
  const scan = pipeline("scan", { text: u8 }, ({ text }) => ({
    line: u16(text.eq(10).toU32().scanExclusive("add")),
    up: u8(text.add(1)),
    sums: u8(text.scanInclusive("add")),
  }));
  const text = Uint8Array.from({ length: 1003 }, (_, i) => (i * 37) & 0xff);
  const cwd = folder({ "scan.json": stringifyPipeline(scan.ir), "x.raw": text });
  const run = ["run", "scan.json", "-i", "text=x.raw:u8"];
  await cli(cwd, ...run, "--out", "whole");
  for (const size of ["100", "1003", "257"]) {
    expect((await cli(cwd, ...run, "--out", size, "--stream", size)).code).toBe(0);
    for (const name of ["line.npy", "up.npy", "sums.npy"])
      expect(readFileSync(join(cwd, size, name))).toEqual(readFileSync(join(cwd, "whole", name)));
  }
});
