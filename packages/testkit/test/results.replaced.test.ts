import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, type Pipeline } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hashOfSources, type Key, resultsOf } from "../src/data/results.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "groupwise-results-"));
  vi.stubEnv("GROUPWISE_RESULTS", directory);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  rmSync(directory, { recursive: true });
});

test("a result of every type of array is stored under its key for the next process", () => {
  const value = { a: Float64Array.of(-0, Number.NaN), b: BigInt64Array.of(-1n), c: new Uint8Array(0) };
  resultsOf("sums", "1").put(["key"], value);
  const again = resultsOf("sums", "1").get(["key"]) as typeof value;
  expect(again).toEqual(value);
  expect(Object.is(again.a[0], -0)).toBe(true);
});

const KEYS: Readonly<Record<string, readonly [Key, Key]>> = {
  "another sign of zero": [[0], [-0]],
  "another sign of zero in an array": [[Float32Array.of(0)], [Float32Array.of(-0)]],
  "another type of array": [[Int32Array.of(1)], [Uint32Array.of(1)]],
  "another payload of NaN": [
    [new Float32Array(Uint32Array.of(0x7fc00000).buffer)],
    [new Float32Array(Uint32Array.of(0x7fc00001).buffer)],
  ],
  "a number that is not finite": [[Number.POSITIVE_INFINITY], [null]],
  "an integer of another kind": [[1], [1n]],
  "elements in another of two arrays": [
    [Uint8Array.of(1, 2), Uint8Array.of(3)],
    [Uint8Array.of(1), Uint8Array.of(2, 3)],
  ],
  "a part of the same buffer": [
    [Uint8Array.of(1, 2, 3).subarray(0, 2)],
    [Uint8Array.of(1, 2, 3).subarray(1)],
  ],
};
test.each(Object.entries(KEYS))("a key with %s is another key", (_, [a, b]) => {
  const results = resultsOf("keys", "1");
  results.put(a, "a");
  expect(results.get(a)).toBe("a");
  expect(results.get(b)).toBeUndefined();
});

test("nothing is stored for another version, without a version, or without a directory", () => {
  resultsOf("sums", "1").put(["key"], 1);
  expect(resultsOf("sums", "2").get(["key"])).toBeUndefined();
  expect(resultsOf("sums", "1").get(["key"])).toBeUndefined();
  const none = resultsOf("sums", undefined);
  none.put(["key"], 1);
  expect(none.get(["key"])).toBeUndefined();
  vi.stubEnv("GROUPWISE_RESULTS", "");
  resultsOf("sums", "2").put(["key"], 1);
  expect(resultsOf("sums", "2").get(["key"])).toBeUndefined();
});

test("the version changes with each source, its name and its text", () => {
  const file = join(directory, "a.ts");
  const hash = (): string | undefined => hashOfSources(pathToFileURL(directory));
  writeFileSync(file, "1");
  const first = hash();
  expect(hash()).toBe(first);
  writeFileSync(file, "2");
  const second = hash();
  writeFileSync(join(directory, "b.ts"), "");
  expect(new Set([first, second, hash()]).size).toBe(3);
  expect(hashOfSources(pathToFileURL(join(directory, "none.ts")))).toBeUndefined();
});

test("the reference's results depend on the pipeline, the values and the range", async () => {
  // A separate copy, so that other test files of this process do not store their results in this directory.
  vi.resetModules();
  const { expected } = await import("../src/data/oracle.ts");
  const sums = (name: string): Pipeline =>
    pipeline(name, { x: f32 }, ({ x }, { globalId }) => ({
      y: x.scanInclusive("add").add(globalId(0).toF32()),
    })).ir;
  const run = (name: string, x: Float32Array, globalOffset: number): unknown =>
    (
      expected(check(sums(name)), { x }, { globalSize: [x.length], globalOffset: [globalOffset] })
        .y as Float32Array
    ).subarray(0, 3);
  // Of fewer items none is stored.
  const x = new Float32Array(300);
  x.set([1, 2, 4]);
  for (let round = 0; round < 2; round++) {
    expect(run("a", x, 0)).toEqual(Float32Array.of(1, 4, 9));
    expect(run("a", x, 10)).toEqual(Float32Array.of(11, 14, 19));
    expect(run("b", x.slice(1), 0)).toEqual(Float32Array.of(2, 7, 8));
  }
});
