/** Streams of files that are read in several rounds. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { stringifyPipeline } from "@groupwise/core/schema";
import { roundsOf } from "@groupwise/core/state";
import { bool, f32, f64, param, pipeline, scalar, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { decodeSaved } from "../src/streams/checkpoint.ts";
import { requireAgain } from "../src/streams/rounds.ts";
import { PipeSource } from "../src/streams/sources/pipe-source.ts";
import { writeNpy } from "../src/values/npy.ts";
import { cli, expectChunks, expectResumed, folder, listed, type Streamed } from "./support.ts";

const N = 5003;
/** Round 1 reads x, round 2 w and x, round 3 everything. */
const { ir } = pipeline(
  "graded",
  { x: f32, w: f64, starts: bool, gain: param(f32) },
  ({ x, w, starts, gain }, { size }) => {
    const raised = x.sub(x.reduce("max")).mul(gain);
    const total = raised.exp().reduce("add");
    const mean = w.reduce("add").div(size().toF64());
    return {
      share: raised.exp().div(total),
      about: w.sub(mean).scanInclusive("add"),
      runs: raised.scanInclusive("add", { segments: starts }),
      marks: starts.toU32().reduce("add"),
      total: scalar(total),
    };
  },
);
const X = Float32Array.from({ length: N }, (_, i) => Math.sin(i) * 3);
const W = Float64Array.from({ length: N }, (_, i) => Math.cos(i) * 1e5);
const STARTS = Uint8Array.from({ length: N }, (_, i) => Number(i % 301 === 7));
const FILES = ["about.npy", "marks.npy", "runs.npy", "share.npy", "total.npy"];
const INPUTS = ["-i", "x=x.npy", "-i", "w=w.npy", "-i", "starts=starts.raw:bool", "-p", "gain=0.7"];

const data = (): string =>
  folder({
    "graded.json": stringifyPipeline(ir),
    "x.npy": writeNpy("f32", X),
    "w.npy": writeNpy("f64", W),
    "starts.raw": STARTS,
  });
const streamed = (at = data(), ...run: string[]): Streamed => ({
  ...{ at, run: run.length ? run : ["run", "graded.json", ...INPUTS], starts: STARTS },
});
const stateIn = (at: string, name: string) =>
  decodeSaved(readFileSync(join(at, "out", `.${name}.state`)), "").state;

test("chunks of any length write the files of one run", () => expectChunks(streamed(), [999, 5003, 9999]));

test("explain names the rounds, what each reads and computes", async () => {
  const { rounds } = (
    await cli(data(), "explain", "graded.json", "--stream", "--target", "js", "--json")
  ).json().targets[0];
  expect(
    rounds.map(({ reads, gives }: { reads: { name: string }[]; gives: unknown[] }) => [
      reads.map(({ name }) => name).join(),
      gives.length,
    ]),
  ).toEqual([
    ["x,w", 2],
    ["x", 1],
    ["x,w,starts", 0],
  ]);
  const text = (await cli(data(), "explain", "graded.json", "--stream", "--target", "js")).out;
  expect(text).toContain("round 2 of 3\nreads: x: 4 bytes an item\ntakes: max_of_all (f32, the reduce max");
  expect(text).toContain("computes: the outputs");
});

test("a stream that fails in the last round continues there", () => {
  const own = streamed();
  return expectResumed(own, 3500, 3000, () => {
    const state = stateIn(own.at, "graded");
    expect(state).toMatchObject({ to: 3000n, round: { number: 3, of: 3 } });
    expect(state.round?.results.map(({ type }) => type)).toEqual(["u32", "f32", "f64", "f32"]);
  });
});

test("a stream that fails in an early round continues there", () => {
  const at = data();
  const { ir: voted } = pipeline("voted", { x: u32, starts: bool }, ({ x, starts }) => {
    const count = starts.toU32().reduce("add");
    const above = x.sub(count).reduce("max");
    return { y: x.sub(above).scanInclusive("add"), count };
  });
  writeFileSync(join(at, "voted.json"), stringifyPipeline(voted));
  const words = Uint32Array.from(X, (x) => x * 1e9);
  writeFileSync(join(at, "u.npy"), writeNpy("u32", words));
  const run = ["run", "voted.json", "-i", "x=u.npy", "-i", "starts=starts.raw:bool"];
  return expectResumed(streamed(at, ...run), 4500, 4000, () =>
    expect(stateIn(at, "voted")).toMatchObject({ to: 4000n, round: { number: 1, of: 3, results: [] } }),
  );
});

test("refuses a pipe that several rounds read", async () => {
  const open = (name: string, type: "f32" | "bool") =>
    PipeSource.open({ name, type, path: "-", isNpy: false, isShared: false }, Readable.from([]));
  const rounds = roundsOf(ir, { knowsCount: true });
  requireAgain(rounds, [await open("starts", "bool")]); // only the last round reads it
  const x = await open("x", "f32");
  expect(() => requireAgain(rounds, [x])).toThrow("rounds 1, 2, 3 of 3");
});

test("files without items return the reduces of an empty range", async () => {
  const at = data();
  writeFileSync(join(at, "x.npy"), writeNpy("f32", new Float32Array(0)));
  writeFileSync(join(at, "w.npy"), writeNpy("f64", new Float64Array(0)));
  writeFileSync(join(at, "starts.raw"), "");
  const stream = ["--out", "out", "--stream", "1000", "--json"];
  const ran = await cli(at, "run", "graded.json", ...INPUTS, ...stream);
  expect(ran.json()).toMatchObject({ items: 0, outputs: { total: { first: [0] }, marks: { first: [0] } } });
  expect(listed(join(at, "out"))).toEqual(FILES);
});

test("scans from the end read the files from the last chunk to the first, and continue there", async () => {
  const at = data();
  const suffix = pipeline("suffix", { x: f32, starts: bool }, ({ x, starts }) => ({
    sums: x.scanInclusive("add", { reverse: true }),
    runs: x.sub(x.reduce("max")).scanExclusive("add", { reverse: true, segments: starts }),
  }));
  writeFileSync(join(at, "suffix.json"), stringifyPipeline(suffix.ir));
  const run = ["run", "suffix.json", "-i", "x=x.npy", "-i", "starts=starts.raw:bool"];
  await expectChunks(streamed(at, ...run), [1000, 5003, 6000]);
  await expectResumed(streamed(at, ...run), 1500, 3000);
  const { out } = await cli(at, "explain", "suffix.json", "--stream", "--target", "js");
  expect(out).toContain("round 2 of 2\nreads: x, starts: 5 bytes an item, from the last chunk to the first");
});

test("scans from the end of a table, whose length is not known, are refused", async () => {
  const at = data();
  const suffix = pipeline("suffix", { x: f32 }, ({ x }) => ({
    s: x.scanInclusive("add", { reverse: true }),
  }));
  writeFileSync(join(at, "suffix.json"), stringifyPipeline(suffix.ir));
  writeFileSync(join(at, "x.csv"), "x\n1\n2\n");
  const ran = await cli(at, "run", "suffix.json", "-i", "x=x.csv", "--out", "o", "--stream", "--json");
  expect(ran.json().error.code).toBe("bad-usage");
});

test("columns of a table are read in rounds too; the first one counts its records", async () => {
  const at = data();
  const rows = Array.from(X.subarray(0, 700), (x, i) => `${i},${x}`);
  writeFileSync(join(at, "t.csv"), `i,x\n${rows.join("\n")}\n`);
  const part = pipeline("part", { x: f32 }, ({ x }, { size }) => ({
    y: x.sub(x.reduce("max")).div(size().toF32()).scanInclusive("add"),
  }));
  writeFileSync(join(at, "part.json"), stringifyPipeline(part.ir));
  const run = ["run", "part.json", "-i", "x=t.csv:x"];
  await expectChunks(streamed(at, ...run), [64]);
});
