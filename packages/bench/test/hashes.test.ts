/** The matrix of hashes: what it calls different, and a small part of it. */
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { findMpi, LIBRARIES } from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { DEFAULTS, hashes, type Run } from "../src/hashes/hashes.ts";
import { isOneHash, printHashes, rowsOf } from "../src/hashes/print.ts";

const run = (pipeline: string, n: number, how: string, hash: string): Run => ({ pipeline, n, how, hash });

test("another hash of the same pipeline and length is a difference, and an empty table is a failure", () => {
  const same = [
    run("a", 1, "js", "x"),
    run("a", 2, "js", "y"),
    run("b", 1, "js", "z"),
    run("a", 1, "c", "x"),
  ];
  expect(isOneHash({ runs: same })).toBe(true);
  expect(isOneHash({ runs: [] })).toBe(false);
  const runs = [...same, run("a", 1, "3 ranks", "w")];
  expect(isOneHash({ runs })).toBe(false);
  expect(rowsOf(runs)).toEqual([
    { pipeline: "a", n: 1, hash: "x", runs: 3, different: ["3 ranks"] },
    { pipeline: "a", n: 2, hash: "y", runs: 1, different: [] },
    { pipeline: "b", n: 1, hash: "z", runs: 1, different: [] },
  ]);
  const text = printHashes({ surroundings: {} as never, versions: {}, runs, jobs: [], absent: [] }, true);
  expect(text).toContain("DIFFERENT: a, 1 items: 3 ranks");
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
      const result = await hashes({ ...DEFAULTS, ...choice, only: ["affine", "segmented"] });
      expect(rowsOf(result.runs).flatMap(({ different }) => different)).toEqual([]);
      // Of two pipelines: each device has a run and streams, on PoCL without chunks of one item, and a run and a stream of
      // few items; each job has every chunk.
      expect(result.runs).toHaveLength(2 * (4 + 3 + 2 * 2 + choice.ranks.length * 2 * LIBRARIES.length * 3));
      expect(result.absent).toEqual([]);
    },
  );
