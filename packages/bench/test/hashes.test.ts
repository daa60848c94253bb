/** The matrix of hashes: what it calls different, how a result is continued, and a small part of it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { findMpi, LIBRARIES } from "@groupwise/testkit/mpi";
import { describe, expect, it, test, vi } from "vitest";
import { hashes } from "../src/hashes/hashes.ts";
import { type Cell, DEFAULTS, jobsOf, type PlannedJob } from "../src/hashes/plan.ts";
import { isOneHash, printHashes, rowsOf } from "../src/hashes/print.ts";
import {
  checkSame,
  coverageOf,
  type Hashes,
  leftOf,
  type Result,
  readHashes,
  withHashes,
} from "../src/hashes/result.ts";
import { deviceVersions, versions } from "../src/hashes/versions.ts";

const surroundings = {
  ...{ date: "2026-01-02 03:04:05", commit: "c", node: "20", platform: "linux", cpu: "p" },
  ...{ cores: 2, memoryGiB: 4 },
};
const empty: Hashes = { surroundings, versions: { MPICH: "4.0" }, results: [], jobs: [], absent: [] };
const result = (pipeline: string, n: number, hash: string, ...how: string[]): Result => ({
  ...{ pipeline, n, hash, how },
});

/** A job of the matrix. */
function jobOf(by: string, column: string): PlannedJob {
  const job = jobsOf(DEFAULTS).find((one) => one.by === by && one.column === column);
  if (!job) throw new Error(`no job of ${by}, ${column}`);
  return job;
}

test("another hash of the same pipeline and length is a difference, and an empty table is a failure", () => {
  const same = [result("a", 1, "x", "js", "c"), result("a", 2, "y", "js"), result("b", 1, "z", "js")];
  expect(isOneHash({ results: same })).toBe(true);
  expect(isOneHash({ results: [] })).toBe(false);
  const results = [...same, result("a", 1, "w", "3 ranks")];
  expect(isOneHash({ results })).toBe(false);
  expect(rowsOf(results)).toEqual([
    { pipeline: "a", n: 1, hash: "x", results: 3, different: ["3 ranks"] },
    { pipeline: "a", n: 2, hash: "y", results: 1, different: [] },
    { pipeline: "b", n: 1, hash: "z", results: 1, different: [] },
  ]);
  expect(printHashes({ ...empty, results }, true)).toContain("DIFFERENT: a, 1 items: 3 ranks");
});

describe("the matrix", () => {
  const jobs = jobsOf(DEFAULTS);
  it("has every number of ranks with every library, target and chunk, for every pipeline", () => {
    const keys = new Set(
      jobs.flatMap(({ cells }) => cells.map(({ hashed, n, how }) => `${hashed.name}, ${n}: ${how}`)),
    );
    const names = ["add-f32", "add-f64", "mul-f32", "affine-f32", "segmented-max", "argmax"];
    for (const name of names)
      for (const by of ["C", "OpenCL on PoCL"])
        for (const library of ["Open MPI, linear", "Open MPI, recursive doubling", "MPICH"])
          for (const ranks of ["1 rank", ...[2, 3, 5, 8, 13, 16, 64].map((count) => `${count} ranks`)])
            for (const chunk of [1, 1000, 65536, 1048583])
              expect(keys).toContain(`${name}, 70001: ${by}, ${library}, ${ranks}, chunks of ${chunk}`);
  });
  it("has runs and streams on every device", () => {
    for (const device of ["JavaScript", "lavapipe", "PoCL"])
      for (const column of [
        "one run",
        "chunks of 1",
        "chunks of 1000",
        "chunks of 65536",
        "chunks of 1048583",
      ])
        expect(jobOf(device, column).cells.length).toBeGreaterThanOrEqual(7);
  });
});

describe("a continued result", () => {
  const { cells } = jobOf("PoCL", "chunks of 1");
  const [first, second] = cells as [Cell, Cell, ...Cell[]];
  it("has each hash of a pipeline and length once, with all that gave it", () => {
    const { cells: others } = jobOf("lavapipe", "chunks of 1");
    const results = withHashes([], [first, second], ["x", "y"]);
    const more = withHashes(results, [others[0] as Cell, others[1] as Cell], ["x", "z"]);
    const [add, doubles] = [first.hashed.name, second.hashed.name];
    expect(more).toEqual([
      result(add, 521, "x", "PoCL, chunks of 1", "lavapipe, chunks of 1"),
      result(doubles, 521, "y", "PoCL, chunks of 1"),
      result(doubles, 521, "z", "lavapipe, chunks of 1"),
    ]);
  });
  it("says which cells of the matrix have no result", () => {
    const results = withHashes([], cells.slice(1), cells.slice(1).map(String));
    const covered = coverageOf([jobOf("PoCL", "chunks of 1"), jobOf("PoCL", "one run")], results);
    expect(covered.map(({ done, left }) => [done, left.length])).toEqual([
      [6, 1],
      [0, 21],
    ]);
    expect(leftOf(covered)).toEqual(["PoCL, chunks of 1, 521 items: add-f32", "PoCL, one run: all 21"]);
    const text = printHashes({ ...empty, results }, true);
    expect(text).toMatch(/^\| PoCL \| 0 of 21 \| 6 of 7 \|/m);
    expect(text).toContain("- PoCL, chunks of 1, 521 items: add-f32");
    expect(text).toContain("| commit | c |");
    expect(text).toContain("| MPICH | 4.0 |");
  });
  it("must be of the same commit without changes, and of the same versions", () => {
    const refused = expect.objectContaining({ code: "bad-usage" });
    checkSame(empty, { ...empty, surroundings: { ...surroundings, date: "later" } });
    const at = (commit: string) => ({ ...empty, surroundings: { ...surroundings, commit } });
    expect(() => checkSame(empty, at("d"))).toThrow(refused);
    expect(() => checkSame(at("c with changes"), at("c with changes"))).toThrow(refused);
    expect(() => checkSame(empty, { ...empty, versions: { MPICH: "4.1" } })).toThrow(refused);
  });
  it("has only the cells that the earlier one has not", async () => {
    vi.stubEnv("GROUPWISE_COMMIT", "abc");
    const choice = {
      ...{ ...DEFAULTS, only: ["argmax"], devices: ["javascript"], targets: ["none"] },
      ...{ n: 2001, long: 0, great: 0, short: 0 },
    };
    const versionsOf = async () => ({ JavaScript: "1" });
    const saved: number[] = [];
    const save = ({ results }: Hashes): void => void saved.push(results.flatMap(({ how }) => how).length);
    try {
      const late = await hashes({ ...choice, chunks: [1000], minutes: -1 }, { versionsOf });
      expect(late.results).toEqual([]);
      expect(late.absent.map(({ name }) => name)).toEqual([
        "JavaScript, one run",
        "JavaScript, chunks of 1000",
      ]);
      const earlier = await hashes({ ...choice, chunks: [1000] }, { versionsOf, save, earlier: late });
      expect(saved).toEqual([1, 2]);
      const all = await hashes({ ...choice, chunks: [1000, 600] }, { versionsOf, save, earlier });
      expect(saved).toEqual([1, 2, 3]);
      expect(all.jobs.map(({ what }) => what)).toEqual([
        "JavaScript, one run",
        "JavaScript, chunks of 1000",
        "JavaScript, chunks of 600",
      ]);
      expect(all.absent).toEqual([]);
      expect(rowsOf(all.results)).toMatchObject([{ pipeline: "argmax", n: 2001, results: 3, different: [] }]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("a file of a result", () => {
  const inFile = (text: string): Hashes | undefined => {
    const folder = mkdtempSync(join(tmpdir(), "groupwise-hashes-"));
    try {
      writeFileSync(join(folder, "hashes.json"), text);
      return readHashes(join(folder, "hashes.json"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  it("is read as it was written, and need not exist", () => {
    const written = { ...empty, results: [result("a", 1, "x", "js")] };
    expect(inFile(JSON.stringify(written))).toEqual(written);
    expect(readHashes(join(tmpdir(), "groupwise-no-such-file.json"))).toBeUndefined();
  });
  it.each(["", "{}", "[1]"])("with the text %j is refused", (text) => {
    expect(() => inFile(text)).toThrow(expect.objectContaining({ code: "bad-usage" }));
  });
});

test("the versions of devices are those that `groupwise doctor` prints", () => {
  const device = (target: string, name: string, driver: string, facts: object) => ({
    ...{ target, name, driver, facts },
  });
  const devices = [
    device("js", "JavaScript", "Node 20.1.2", { engine: "V8 11", subnormals: "kept" }),
    device("wgsl", "llvmpipe (LLVM 15.0.6, 256 bits)", "Dawn", { adapter: "llvmpipe: Mesa 25.0.7" }),
    device("wgsl", "SwiftShader Device", "Dawn", { adapter: "google" }),
    device("opencl", "pthread-x", "Portable Computing Language 3.1", { version: "OpenCL 3.0 PoCL" }),
    device("c", "C", "cc 12", { compiler: "cc" }),
  ];
  expect(deviceVersions({ devices })).toEqual({
    JavaScript: "Node 20.1.2, V8 11",
    lavapipe: "llvmpipe: Mesa 25.0.7",
    PoCL: "Portable Computing Language 3.1, pthread-x, OpenCL 3.0 PoCL",
  });
});

if (isFullRun())
  deviceTest(
    "ranks of every library in C and on PoCL, runs and streams give one hash of each pipeline",
    () => findMpi(LIBRARIES[0]),
    async () => {
      const choice = {
        ranks: [1, 5],
        chunks: [1, 1000, 4096],
        n: 9001,
        long: 0,
        great: 0,
        short: 101,
        devices: ["javascript", "pocl"],
      };
      const all = await hashes({ ...DEFAULTS, ...choice, only: ["affine", "segmented"] });
      const rows = rowsOf(all.results);
      expect(rows.flatMap(({ different }) => different)).toEqual([]);
      // Of two pipelines: each device has a run and streams, on PoCL without chunks of one item, and a run and a stream of
      // few items; each job has every chunk.
      expect(rows.reduce((sum, row) => sum + row.results, 0)).toBe(
        2 * (4 + 3 + 2 * 2 + choice.ranks.length * 2 * LIBRARIES.length * 3),
      );
      expect(all.absent).toEqual([]);
    },
  );

if (isFullRun())
  deviceTest(
    "every compiler, library and device of the matrix has a version",
    () => findMpi(LIBRARIES[0]),
    async () => {
      expect(await versions()).toEqual({
        "C compiler of Open MPI": expect.stringMatching(/\d+\.\d+/),
        "C compiler of MPICH": expect.stringMatching(/\d+\.\d+/),
        "Open MPI": expect.stringMatching(/\d+\.\d+/),
        MPICH: expect.stringMatching(/^\d+\.\d+/),
        JavaScript: expect.stringMatching(/^Node \d+.*V8 \d+/),
        lavapipe: expect.stringMatching(/Mesa \d+.*LLVM \d+/),
        PoCL: expect.stringMatching(/^Portable Computing Language \d+\.\d+/),
      });
    },
  );
