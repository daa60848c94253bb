import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { bool, f32, param, pipeline, table, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { chunkSize } from "../src/streams/chunk-size.ts";
import { progressText } from "../src/streams/progress.ts";
import { writeNpy } from "../src/values/npy.ts";
import { cli, expectChunks, expectResumed, folder, LINES_JSON, listed, type Streamed } from "./support.ts";

const N = 5003;
const { ir } = pipeline(
  "meter",
  { x: f32, starts: bool, gain: param(f32), t: table(u32) },
  ({ x, starts, gain, t }, { index }) => ({
    sums: x.mul(gain).scanInclusive("add"),
    peaks: x.scanInclusive("max", { segments: starts }),
    marks: t.at(index().rem(3)).scanInclusive("xor"),
    total: x.reduce("add"),
    count: starts.toU32().reduce("add"),
  }),
);
const X = Float32Array.from({ length: N }, (_, i) => Math.sin(i) * 1000);
const STARTS = Uint8Array.from({ length: N }, (_, i) => Number(i % 301 === 7));

const data = (): string =>
  folder({
    "meter.json": stringifyPipeline(ir),
    "lines.json": LINES_JSON,
    "x.npy": writeNpy("f32", X),
    "starts.raw": STARTS,
    "t.npy": writeNpy("u32", Uint32Array.of(5, 9, 14)),
    "short.npy": writeNpy("f32", X.slice(1)),
    "odd.raw": new Uint8Array(7),
    "text.txt": "a",
  });
const INPUTS = ["-i", "x=x.npy", "-i", "starts=starts.raw:bool", "-i", "t=t.npy", "-p", "gain=0.7"];
const FILES = ["count.npy", "marks.npy", "peaks.npy", "sums.npy", "total.npy"];
const streamed = (): Streamed => ({ at: data(), run: ["run", "meter.json", ...INPUTS], starts: STARTS });

test("chunks of any length write the files of one run, and nothing else", () =>
  expectChunks(streamed(), [1000, 4096, 5003, 9999]));

test("a stream that fails leaves no final file, and resumes after the last chunk", () => {
  const own = streamed();
  return expectResumed(own, 3500, 3000, () =>
    expect(listed(join(own.at, "out"))).toEqual([
      ...[".marks.npy.part", ".meter.state", ".peaks.npy.part", ".sums.npy.part"],
    ]),
  );
});

test("without --resume a stream starts from the beginning; a state without its outputs is refused", async () => {
  const at = data();
  writeFileSync(join(at, "starts.raw"), STARTS.with(3500, 2));
  const stream = ["run", "meter.json", ...INPUTS, "--out", "out", "--stream", "1000", "--json"];
  await cli(at, ...stream);
  writeFileSync(join(at, "out", ".sums.npy.part"), "");
  expect((await cli(at, ...stream, "--resume")).json().error.code).toBe("bad-file");
  writeFileSync(join(at, "starts.raw"), STARTS);
  expect((await cli(at, ...stream)).json()).toMatchObject({ ok: true, from: 0 });
});

test("files without items return the reduces of an empty range", async () => {
  const at = data();
  writeFileSync(join(at, "x.npy"), writeNpy("f32", new Float32Array(0)));
  writeFileSync(join(at, "starts.raw"), "");
  const ran = await cli(at, "run", "meter.json", ...INPUTS, "--out", "out", "--stream", "--json");
  expect(ran.json()).toMatchObject({ items: 0, outputs: { total: { first: [0] }, count: { first: [0] } } });
  expect(listed(join(at, "out"))).toEqual(FILES);
});

const without = (name: string): string[] => INPUTS.filter((_, i) => !INPUTS[i | 1]?.startsWith(`${name}=`));
const METER = ["meter.json", ...INPUTS];
const OTHER = ["meter.json", ...without("x"), "-i"];
const wrong: readonly [string, readonly string[], string][] = [
  ["several targets", [...METER, "--target", "js,c"], "bad-usage"],
  ["all targets", [...METER, "--target", "all"], "bad-usage"],
  ["workers of a target without any", [...METER, "--target", "wgsl", "--workers", "2"], "bad-usage"],
  ["a number of items", [...METER, "--n", "3"], "bad-usage"],
  ["a missing input", ["meter.json", ...without("x")], "missing-input"],
  ["other lengths", [...OTHER, "x=short.npy"], "length-mismatch"],
  ["a text", [...OTHER, "x=text.txt"], "bad-usage"],
  ["part of an element", [...OTHER, "x=odd.raw:f32"], "bad-file"],
  ["no such file", [...OTHER, "x=no.npy"], "missing-file"],
  ["a pipeline that scatters", ["lines.json", "-i", "text=t.npy"], "not-carried"],
];
test.each(wrong)("refuses %s", async (_, args, code) => {
  const at = data();
  const ran = await cli(at, "run", ...args, "--out", "o", "--stream", "--json");
  expect(ran.json().error.code).toBe(code);
  expect(listed(at)).not.toContain("o");
});

test.each([
  ["a stream needs a folder", "--stream"],
  ["--resume needs a stream", "--resume"],
])("%s", async (_, flag) => {
  expect((await cli(data(), "run", ...METER, flag, "--json")).json().error.code).toBe("bad-usage");
});

test("progress shows the rate since the first item, and the time left where the end is known", () => {
  const course = { from: 2 ** 33, length: 2 ** 33 + 6e6, milliseconds: 2000 };
  const at = 2 ** 33 + 2e6;
  expect(progressText(at, course)).toBe(`${at} of ${2 ** 33 + 6e6} items, 1.0 million per second, 4 s left`);
  expect(progressText(at, { ...course, length: undefined })).toBe(`${at} items, 1.0 million per second`);
  expect(progressText(7, { from: 7, length: 7, milliseconds: 0 })).toBe(
    "7 of 7 items, 0.0 million per second, 0 s left",
  );
});

test("the default chunk has a number of bytes, in a power of two of items", () => {
  const checked = check(ir); // f32 and bool in, f32, f32 and u32 out: 17 bytes
  expect(chunkSize({ execution: "sequential" }, checked)).toBe(2 ** 16);
  expect(chunkSize({ execution: "simt" }, checked)).toBe(2 ** 18);
  expect([1, 2, 3].map((threads) => chunkSize({ execution: "sequential" }, checked, threads))).toEqual([
    2 ** 16,
    2 ** 17,
    2 ** 18,
  ]);
  const total = pipeline("total", { x: f32 }, ({ x }) => ({ total: x.reduce("add") }));
  expect(chunkSize({ execution: "sequential" }, check(total.ir))).toBe(2 ** 19);
});
