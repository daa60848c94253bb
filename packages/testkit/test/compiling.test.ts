/** What a device compiles is right, and what it took is told. */
import type { Runtime } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import { compiling } from "../src/compiling.ts";
import { Subject } from "../src/subject/subject.ts";
import { stopwatch } from "../src/took.ts";

test("a case of the suite has its result", async () => {
  const { took, wrong } = await compiling(new Subject(jsRuntime()), { case: "bins" });
  expect(wrong).toEqual([]);
  expect(took).toEqual({ ms: expect.any(Number), processorMs: expect.any(Number) });
  await expect(compiling(new Subject(jsRuntime()), { case: "none" })).rejects.toThrow('no case "none"');
});

test("files of any text run once, and their values are compared", async () => {
  const told: unknown[] = [];
  const program = {
    run: async ({ x }: { readonly x: Float32Array }) => ({ y: x.map((v) => 2 * v) }),
    dispose: () => void told.push("disposed"),
  };
  const runtime = {
    probe: async () => void told.push("probed"),
    load: async (artifact: unknown) => {
      told.push(artifact);
      return program;
    },
  };
  const subject = new Subject(runtime as never as Runtime);
  const request = (y: readonly number[]) => ({ artifact: "files" as never, x: [1, 2], y });
  expect((await compiling(subject, request([2, 4]))).wrong).toEqual([]);
  // What is probed is not a part of the time.
  expect(told).toEqual(["probed", "files", "disposed"]);
  expect((await compiling(subject, request([2, 5]))).wrong).toEqual([expect.stringMatching(/4.*5/)]);
});

test("time of processors is that of this process, absent where an engine does not tell", () => {
  const took = stopwatch();
  const usage = process.cpuUsage;
  expect(took().processorMs).toBeGreaterThanOrEqual(0);
  try {
    Object.assign(process, { cpuUsage: undefined });
    expect(stopwatch()()).toEqual({ ms: expect.any(Number) });
  } finally {
    process.cpuUsage = usage;
  }
});
