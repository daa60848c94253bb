/** `groupwise tune`, and what a tuning file does to the other commands. Its devices are those of other tests' packages. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import type { Samples, TunedSize, TuneReport } from "@groupwise/core/tuning";
import { parseTuning, printTuning } from "@groupwise/core/tuning";
import { pipeline, u32 } from "@groupwise/dsl";
import { tuningOf } from "@groupwise/testkit";
import { describe, expect, test } from "vitest";
import { notesOf, textOf } from "../src/tune/report.ts";
import { cli, folder, say } from "./support.ts";

const sums = pipeline("sums", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
const SUMS = stringifyPipeline(sums.ir);
const tiles = {
  tile: { workGroupSize: 64, itemsPerWorkItem: 8 },
  lookBack: { workGroupSize: 64, rows: 2, groups: 99 },
};
const wgsl = { target: "wgsl", name: "any", driver: "any", hardware: "nvidia, hopper, a card" };
const below = tuningOf(wgsl, tiles, { from: 0, below: 1000 });
const SUBGROUPS = { minSize: 32, maxSize: 32, ballots: true } as const;
const device = { ...below.device, maxWorkGroupSize: 1024, workGroupMemory: 49152, subgroups: SUBGROUPS };
const FILE = printTuning({ ...below, device });
const cwd = folder({ "sums.json": SUMS, "tuned.json": FILE });

describe("emit and explain with a tuning", () => {
  test("write look-back of the tuned device for the numbers of items of a row", async () => {
    const emitted = async (...more: string[]): Promise<string> => {
      const { code, out, err } = await say(cwd, "emit sums.json --target wgsl --out -", ...more);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return out;
    };
    const small = await emitted("--tuning", "tuned.json", "--items", "999");
    expect(small).toMatch(/@workgroup_size\(64\)/);
    expect(small).toMatch(/look-back/);
    expect(small).toMatch(/\b99\b/);
    expect(small).toContain("--tuning tuned.json --items 999");
    const large = await emitted("--tuning", "tuned.json", "--items", "1000");
    expect(large).not.toMatch(/@workgroup_size\(64\)/);
    // Without a row, the device of the file still has look-back.
    expect(large).toMatch(/look-back/);
    expect(await emitted()).not.toMatch(/look-back/);
  });

  test("are the same for the same n, and other targets keep their sizes", async () => {
    const line = "explain sums.json --target wgsl,js --n 999 --tuning tuned.json --json";
    const { out } = await say(cwd, line);
    const [first, second] = JSON.parse(out).targets;
    expect(first.plan.strategy).toBe("look-back");
    expect(second.target).toBe("js");
  });

  test.each([
    ["bad-tuning", ["emit", "sums.json", "-t", "wgsl", "--tuning", "sums.json"]],
    ["missing-file", ["emit", "sums.json", "-t", "wgsl", "--tuning", "none.json"]],
    ["foreign-tuning", ["emit", "sums.json", "-t", "opencl", "--tuning", "tuned.json"]],
    ["foreign-tuning", ["explain", "sums.json", "-t", "js", "--tuning", "tuned.json"]],
    ["foreign-tuning", ["run", "sums.json", "-t", "js", "--n", "1", "--tuning", "tuned.json"]],
    ["bad-usage", ["emit", "sums.json", "-t", "wgsl", "--items", "5"]],
    ["bad-usage", ["emit", "sums.json", "-t", "opencl", "--mpi", "--tuning", "tuned.json"]],
    ["bad-usage", ["explain", "sums.json", "-t", "wgsl", "--stream", "--tuning", "tuned.json"]],
    ["bad-usage", ["run", "sums.json", "-t", "wgsl", "--stream", "--out", "o", "--tuning", "tuned.json"]],
    ["bad-usage", ["tune", "--target", "wgsl,opencl"]],
    ["bad-usage", ["tune", "--types", "u33"]],
    ["bad-usage", ["tune", "--types", "bool"]],
    ["bad-usage", ["tune", "--sizes", "2^40"]],
    ["bad-usage", ["tune", "--sizes", "0"]],
    ["bad-usage", ["tune", "--sizes", "many"]],
    ["unsupported", ["tune", "--target", "js", "--out", "-"]],
  ])("are refused with %s: %j", async (code, words) => {
    const { out } = await cli(cwd, ...words, "--json");
    expect(JSON.parse(out).error.code).toBe(code);
  });

  test("report the file and the location of the mistake", async () => {
    const wrong = FILE.replace('"workGroupSize": 64', '"workGroupSize": 65');
    writeFileSync(join(cwd, "wrong.json"), wrong);
    const { err } = await cli(cwd, "emit", "sums.json", "-t", "wgsl", "--tuning", "wrong.json");
    expect(err).toMatch(/^wrong\.json: rows\[0\]\.tiles\.tile\.workGroupSize: .*\[bad-tuning\]/);
  });

  test("use only numbers of the file in the text", async () => {
    const odd = parseTuning(FILE.replace("a card", "*/ evil(); /*"));
    writeFileSync(join(cwd, "odd.json"), printTuning(odd));
    const { out } = await say(cwd, "emit sums.json -t wgsl --tuning odd.json --items 9 --out -");
    expect(out).toMatch(/@workgroup_size\(64\)/);
    expect(out).not.toContain("evil");
  });
});

describe("tune", () => {
  test("keeps a file that groupwise did not write", async () => {
    writeFileSync(join(cwd, "mine.json"), "{}");
    const { code, out } = await cli(cwd, "tune", "--target", "js", "--out", "mine.json", "--json");
    expect([code, JSON.parse(out).error.code]).toEqual([2, "bad-file"]);
    expect(readFileSync(join(cwd, "mine.json"), "utf8")).toBe("{}");
  });

  test("reports times, sizes, gains and excluded candidates", () => {
    const samples = (medianMs: number): Samples => ({ medianMs, spread: 0.01 });
    const about = { kind: "scan", type: "u32", n: 65536 } as const;
    const { lookBack } = tiles;
    const excluded = [{ tiles: { tile: tiles.tile }, reason: "y[3] is 5, not 6" }];
    const won: TunedSize = {
      ...{ ...about, default: samples(0.02), best: samples(0.015), tried: 3, left: 2, excluded },
      ...{ tiles: { lookBack }, closest: { lookBack } },
    };
    const kept: TunedSize = {
      ...{ ...about, kind: "reduce", tried: 5, left: 0, excluded: [] },
      ...{ default: samples(0.02), best: samples(0.02) },
    };
    const report: TuneReport = {
      ...{ tuning: below, clock: "device", sizes: [won, kept] },
      skipped: [{ ...about, type: "f64", reason: "no f64" }],
      leftOut: [{ ...about, type: "i64" }],
    };
    const text = textOf(report, "tuning.json");
    expect(text.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["wgsl: nvidia, hopper, a card (a test), by the device's clock"],
      ["kind", "type", "items", "default µs", "best µs", "sizes", "gain", "spread", "tried"],
      ["scan", "u32", "65536", "20.0", "15.0", "64 x 2 rows, 99 groups", "25.0 %", "1.0 %", "3 of 5"],
      ["reduce", "u32", "65536", "20.0", "20.0", "default", "-", "1.0 %", "5"],
      ["tuning.json"],
      [""],
    ]);
    expect(notesOf(report)).toEqual([
      "excluded: 64 x 8 for scan of 65536 u32: y[3] is 5, not 6",
      "skipped: scan of 65536 f64: no f64",
      "left out: scan of 65536 i64: pass a larger --seconds",
      "2 sizes were not tried: pass a larger --seconds",
    ]);
  });
});
