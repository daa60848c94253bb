import { isFullRun } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { FUNCTION_JOBS } from "../src/primitives/function-jobs.ts";
import { hash } from "../src/primitives/job.ts";
import { JOBS } from "../src/primitives/jobs.ts";
import { primitives, primitivesOf, sizesUpTo } from "../src/primitives.ts";
import { suffixesOf } from "../src/primitives-command.ts";
import { printPrimitives } from "../src/report.ts";

// The results count here, not the times.
const ON_JS = {
  target: "js",
  device: "JavaScript",
  recordings: 2,
  stopRule: { leastRuns: 2, mostRuns: 2, spread: 1, limitMs: 0 },
} as const;

test("primitives are checked by plain loops, and timed", async () => {
  // Outside of full runs every fourth: their own packages test them.
  const only = JOBS.map(({ name }) => name).filter(
    (name, i) => !name.startsWith("math:") && (isFullRun() || i % 4 === 0),
  );
  const result = await primitives({ ...ON_JS, n: 1500, only });
  expect(result.rows.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
  expect(new Set(result.rows.map(({ n }) => n))).toEqual(new Set([1024, 1500]));
  expect(printPrimitives(result, false)).toContain(only.at(-1));
});

test("elementary functions and softmax are checked by doubles, exact and fast", async () => {
  const { rows } = await primitives({ ...ON_JS, n: 100, only: ["math:"] });
  expect(rows.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
  expect(rows.map(({ primitive }) => primitive)).toContain("math: softmax, fast");
});

test("shares of another power are found", async () => {
  const job = FUNCTION_JOBS.find(({ name }) => name === "math: softmax");
  const even = Float32Array.from({ length: 100 }, () => 0.01) as unknown as Uint32Array;
  expect(await job?.check(100, async () => even)).toMatch(/^y\[0\] is 0\.00999/);
});

test("checks of sorts find other keys, other orders and equal keys that changed places", async () => {
  const n = 10_000;
  const bits = Uint32Array.from({ length: n }, (_, i) => ((hash(i) & 0xbfffffff) | 1) >>> 0);
  const keys = new Float32Array(bits.buffer);
  const moved = Uint32Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => (keys[a] as number) - (keys[b] as number) || a - b,
  );
  const sorted = Float32Array.from(moved, (from) => keys[from] as number);
  const found = (name: string, given: Record<string, Float32Array | Uint32Array>) =>
    JOBS.find((job) => job.name === name)?.check(n, async (output) => given[output] as Uint32Array);
  const swapped = <T extends Float32Array | Uint32Array>(list: T, i: number): T => {
    const other = list.slice() as T;
    [other[i], other[i + 1]] = [list[i + 1] as number, list[i] as number];
    return other;
  };
  const equal = sorted.findIndex((key, i) => key === sorted[i + 1]);
  expect(equal).toBeGreaterThan(0);
  expect(await found("radix sort by f32", { sorted })).toBeUndefined();
  expect(await found("radix sort by f32", { sorted: swapped(sorted, 5) })).toMatch(/^sorted\[6\]/);
  expect(await found("radix sort by f32", { sorted: sorted.with(5, sorted[6] as number) })).toMatch(/keys/);
  const pairs = "radix sort of pairs by f32";
  expect(await found(pairs, { sorted, moved })).toBeUndefined();
  expect(await found(pairs, { sorted, moved: swapped(moved, equal) })).toMatch(/^moved/);
  expect(await found(pairs, { sorted, moved: swapped(moved, equal + 9) })).toMatch(/^sorted/);
  const words = Uint32Array.from({ length: n }, (_, i) => hash(i)).sort();
  expect(await found("radix sort descending", { sorted: words.slice().reverse() })).toBeUndefined();
  expect(await found("radix sort descending", { sorted: words })).toMatch(/^sorted/);
  const middle = words.toSorted((a, b) => ((a >>> 8) & 0xffff) - ((b >>> 8) & 0xffff));
  expect(await found("radix sort of bits 8 to 24", { sorted: middle })).toBeUndefined();
  expect(await found("radix sort of bits 8 to 24", { sorted: words })).toMatch(/^sorted/);
});

test("sizes rise by powers of four", () => {
  expect(sizesUpTo(2 ** 14)).toEqual([2 ** 10, 2 ** 12, 2 ** 14]);
  expect(sizesUpTo(100)).toEqual([100]);
});

test("only primitives that read a type are measured, and each row has its bytes and its strategy", async () => {
  const { rows } = await primitives({ ...ON_JS, n: 64, sizes: [64], types: ["i64", "u8"] });
  const breaks = Array.from({ length: 64 }, (_, i) => hash(i) & 255).filter((byte) => byte === 10).length;
  const bytes = Object.fromEntries(rows.map((row) => [row.primitive, row.bytes]));
  expect(bytes).toEqual({
    "scan add i64": 2 * 8 * 64,
    "reduce add i64": 8 * 64 + 8,
    "text: counts of bytes": 64 + 4 * 256,
    "text: line index of bytes": 64 + 4 * (breaks + 1),
  });
  expect(new Set(rows.map(({ strategy }) => strategy))).toEqual(new Set(["one-thread"]));
  const compacted = await primitives({ ...ON_JS, n: 64, only: ["compact"], sizes: [64] });
  const kept = Array.from({ length: 64 }, (_, i) => hash(i) & 1).filter(Boolean).length;
  // A condition is a byte here.
  expect(compacted.rows[0]?.bytes).toBe(64 + 4 * (64 + kept + 1));
});

test("several targets and strategies are a result each", async () => {
  const results = await primitivesOf({
    ...ON_JS,
    device: "default",
    targets: ["js", "c"],
    n: 9,
    only: ["copy"],
  });
  expect(results.map(({ device }) => device.target)).toEqual(["js", "c"]);
  expect(suffixesOf(results)).toEqual(["-js", "-c"]);
  const two = ["look-back", "chunks"].map((strategy) => ({ ...results[0], strategy }));
  expect(suffixesOf(two as never)).toEqual(["-look-back", "-chunks"]);
  expect(suffixesOf(results.slice(0, 1))).toEqual([""]);
  await expect(primitives({ ...ON_JS, n: 9, strategy: "chunks" })).rejects.toMatchObject({
    code: "unsupported",
  });
});
