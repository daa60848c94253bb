import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { f32, pipeline } from "@groupwise/dsl";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, found, missing, runProcess } from "@groupwise/testkit/devices";
import { expect, test } from "vitest";
import { writeNpy } from "../src/values/npy.ts";
import { cli, folder, LINES_JSON, say } from "./support.ts";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add"), total: x.reduce("mul") }));
const data = (): string =>
  folder({
    "sums.json": JSON.stringify(sums.ir),
    "lines.json": LINES_JSON,
    "text.txt": "a\nb\n",
    "x.npy": writeNpy(
      "f32",
      Float32Array.from({ length: 140_000 }, (_, i) => 1 + Math.sin(i) / 100),
    ),
  });
const RUN = ["run", "sums.json", "-i", "x=x.npy", "--json"];

test("workers write the files of one thread", async () => {
  const at = data();
  await cli(at, ...RUN, "--out", "one");
  const ran = await cli(at, ...RUN, "--out", "several", "--workers", "3");
  expect(ran.json()).toMatchObject({
    ok: true,
    devices: [{ target: "js", device: "JavaScript, 3 workers" }],
  });
  expect(ran.err).toBe("");
  for (const name of ["y.npy", "total.npy"])
    expect(readFileSync(join(at, "several", name)).equals(readFileSync(join(at, "one", name)))).toBe(true);
});

test("a note states why one worker computes everything", async () => {
  const ran = await cli(data(), "run", "lines.json", "-i", "text=text.txt", "--workers", "2");
  expect(ran.code).toBe(0);
  expect(ran.err).toContain("one worker computes all items: ");
});

test("explain states the number of threads, or the reason for one", async () => {
  const at = data();
  const many = await cli(at, "explain", "sums.json", "--target", "c,js,wgsl", "--json");
  expect(many.json().targets.map(({ threads }: { threads?: string }) => threads?.split(";")[0])).toEqual([
    "any number",
    "any number",
    undefined,
  ]);
  const one = await cli(at, "explain", "lines.json", "--target", "c");
  expect(one.out).toMatch(/^threads: 1: the scatter "starts" cannot go from chunk to chunk/m);
});

const gcc = async (): Promise<Found<string>> => {
  const ran = await runProcess("gcc", ["--version"]).catch(() => undefined);
  return ran?.code === 0 ? found("gcc") : missing("gcc is not installed");
};

deviceTest("threads of C write the files of one", gcc, async () => {
  const at = data();
  await cli(at, ...RUN, "--out", "one");
  for (const workers of isFullRun() ? ["1", "2", "5"] : ["2"]) {
    const ran = await cli(at, ...RUN, "--target", "c", "--out", "several", "--workers", workers);
    expect(ran.json()).toMatchObject({
      ok: true,
      devices: [{ target: "c", device: `C, ${workers} threads` }],
    });
    for (const name of ["y.npy", "total.npy"])
      expect(readFileSync(join(at, "several", name)).equals(readFileSync(join(at, "one", name)))).toBe(true);
  }
});

test.each([
  [["--target", "wgsl", "--workers", "2"], /--target js/],
  [["--workers", "0"], /positive whole number/],
  [["--workers", "300"], /from 1 to 256/],
])("refuses %s", async (args, message) => {
  const ran = await cli(data(), ...RUN.slice(0, -1), ...args);
  expect(ran.code).not.toBe(0);
  expect(ran.err).toMatch(message);
});

const STREAM = [...RUN, "--stream", "50000", "--out"];

test("workers write the files of a stream as one thread does, for any chunk", async () => {
  const at = data();
  await cli(at, ...RUN, "--out", "one");
  for (const stream of [["--stream"], ["--stream", "50000"], ["--stream", "99999"]]) {
    const ran = await cli(at, ...RUN, ...stream, "--out", "several", "--workers", "2");
    expect(ran.json()).toMatchObject({ ok: true, items: 140_000 });
    expect(ran.err).toBe("");
    for (const name of ["y.npy", "total.npy"])
      expect(readFileSync(join(at, "several", name)).equals(readFileSync(join(at, "one", name)))).toBe(true);
  }
});

deviceTest("threads of C write the files of a stream as one thread does", gcc, async () => {
  const at = data();
  await cli(at, ...RUN, "--out", "one");
  const ran = await cli(at, ...STREAM, "several", "--target", "c", "--workers", "3");
  expect(ran.json()).toMatchObject({ ok: true, items: 140_000 });
  for (const name of ["y.npy", "total.npy"])
    expect(readFileSync(join(at, "several", name)).equals(readFileSync(join(at, "one", name)))).toBe(true);
});

test("a chunk that cannot be divided: a note of the run, and a line of explain for each round", async () => {
  const nested = pipeline("nested", { x: f32 }, ({ x }) => ({
    y: x.sub(x.reduce("max")).scanInclusive("add").scanInclusive("min"),
  }));
  const at = data();
  writeFileSync(join(at, "nested.json"), JSON.stringify(nested.ir));
  const ran = await say(at, "run nested.json -i x=x.npy --stream --out o --workers 2");
  expect(ran.code).toBe(0);
  expect(ran.err).toContain("round 2: one worker computes all items: ");
  const explained = await cli(at, "explain", "nested.json", "--stream", "--target", "js");
  const threads = explained.out.match(/^threads: .*$/gm)?.map((line) => line.split(/[;:,]/)[1]);
  expect(threads).toEqual([" any number", " 1"]);
  const plain = await cli(at, "explain", "sums.json", "--stream", "--target", "js");
  expect(plain.out).toContain("threads: any number; first they compute the states of parts of a chunk");
});
