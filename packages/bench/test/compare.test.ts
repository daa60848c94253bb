import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compare } from "../src/compare/compare.ts";
import { printComparison } from "../src/compare/print.ts";
import { parseResult, type ResultFile, readResult } from "../src/compare/result-file.ts";
import { samplesOf } from "../src/measure/samples.ts";

const surroundings = { date: "d", commit: "c" };
type Times = Readonly<Record<string, readonly number[]>>;

const primitivesText = (times: Times, more: object = {}): string =>
  JSON.stringify({
    surroundings,
    device: { target: "wgsl", name: "D", driver: "1" },
    rows: Object.entries(times).map(([primitive, all]) => ({
      primitive,
      n: 1024,
      nsPerItem: 1,
      ...samplesOf(all, "runs"),
      ...more,
    })),
  });
const resultOf = (path: string, times: Times): ResultFile => parseResult(path, primitivesText(times));

/** Noise of `share` around a time, from a generator with a seed. */
function noisy(time: number, share: number, seed: number): number[] {
  let state = seed >>> 0;
  return Array.from({ length: 15 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return time * (1 + share * (state / 2 ** 32 - 0.5));
  });
}
const verdict = (before: readonly number[], after: readonly number[]) =>
  compare(resultOf("a", { x: before }), resultOf("b", { x: after })).changes[0]?.verdict;

describe("compare", () => {
  it("shows no change for samples of one distribution", () => {
    for (const share of [0, 0.02, 0.5])
      for (let seed = 1; seed <= 50; seed++)
        expect(verdict(noisy(1, share, seed), noisy(1, share, seed + 1000)), `${share} ${seed}`).toBe(
          "noise",
        );
  });

  it("shows a shift that is larger than the noise of both, and its direction", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const [slow, fast] = [noisy(1.2, 0.1, seed), noisy(1, 0.1, seed + 1000)];
      expect(verdict(fast, slow)).toBe("slower");
      expect(verdict(slow, fast)).toBe("faster");
    }
  });

  it("does not report a shift that is within the noise of either file, or less than 1 %", () => {
    expect(verdict(noisy(1, 1, 1), noisy(1.1, 0, 2))).toBe("noise");
    expect(verdict(noisy(1, 0, 1), noisy(1.1, 1, 2))).toBe("noise");
    expect(verdict(noisy(1, 0, 1), noisy(1.009, 0, 2))).toBe("noise");
    expect(verdict(noisy(1, 0, 1), noisy(1.011, 0, 2))).toBe("slower");
  });

  it("pairs rows by name and size, and lists rows that only one file has", () => {
    const result = compare(resultOf("a", { x: [1], y: [2] }), resultOf("b", { z: [9], y: [1] }));
    expect(result.changes).toEqual([
      { name: "y", n: 1024, beforeMs: 2, afterMs: 1, ratio: 0.5, verdict: "faster" },
    ]);
    expect([result.onlyBefore, result.onlyAfter]).toEqual([["x of 1024"], ["z of 1024"]]);
    const text = printComparison(result, true);
    expect(text).toContain("| y | 1024 | 2.000 | 1.000 | 0.500 | faster |");
    expect(text).toContain("only before: x of 1024");
    expect(text).toContain("only after: z of 1024");
  });

  it("does not judge files from before the stop rule, and prints them", () => {
    const at = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));
    const names = readdirSync(at("")).filter((name) => /primitives.*\.json$/.test(name));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const file = readResult(at(name));
      const { rows } = JSON.parse(readFileSync(at(name), "utf8"));
      const { changes } = compare(file, file);
      expect(changes.length).toBe(rows.length);
      changes.forEach((change, i) => {
        expect(change).toMatchObject({ ratio: 1, verdict: rows[i].quartilesMs ? "noise" : "unknown" });
      });
    }
  });

  it.each([
    ["text that is no JSON", "{", "bad-file"],
    ["JSON of something else", "[]", "bad-file"],
    ["no rows", primitivesText({}), "bad-file"],
    ["a wrong result", primitivesText({ x: [1] }, { wrong: "at 3" }), "bad-file"],
    ["a negative time", primitivesText({ x: [1] }, { medianMs: -1 }), "bad-file"],
    ["two rows of one name and size", primitivesText({ x: [1], y: [1] }, { primitive: "x" }), "bad-file"],
  ])("refuses %s with a typed error", (_, text, code) => {
    expect(() => parseResult("a.json", text)).toThrowError(expect.objectContaining({ code }));
  });

  it("refuses files that do not exist, or have no row in common", () => {
    const file = resultOf("a", { x: [1] });
    const bad = expect.objectContaining({ code: "bad-file" });
    expect(() => readResult("no-such-file.json")).toThrowError(
      expect.objectContaining({ code: "missing-file" }),
    );
    expect(() => compare(file, resultOf("b", { y: [1] }))).toThrowError(bad);
  });
});
