/** The table of memory: scratch is compared with what runtimes allocate in the tests of primitives and of `explain`. */
import { readFileSync } from "node:fs";
import { isFullRun } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { type CubMemory, memoryRows } from "../src/memory.ts";

const CUB = JSON.parse(
  readFileSync(new URL("../results/cub-memory.json", import.meta.url), "utf8"),
) as CubMemory;
const N = 2 ** 28;

test("each algorithm of CUB is beside a job, and a sort needs one array more, as CUB's", async () => {
  // Lowering for three targets takes the time: outside of full runs the job whose figures are compared.
  const all = new Set(CUB.rows.map(({ name }) => name.split(", ")[0]));
  const names = isFullRun() ? all : new Set(["radix sort"]);
  const rows = await memoryRows(N, CUB, (name) => names.has(name));
  expect(new Set(rows.map(({ name }) => name))).toEqual(names);
  for (const { name, wgsl, opencl, cuda, cub } of rows) {
    expect(cub.length, name).toBeGreaterThan(0);
    if (name !== "radix sort") continue;
    expect(wgsl).toBeGreaterThan(4);
    expect(opencl).toBeLessThan(4 + 0.3);
    expect(cuda).toBeLessThan(4 + 0.3);
  }
});
