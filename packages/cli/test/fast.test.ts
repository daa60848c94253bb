import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FUNCTION_ROWS, type FunctionName, isElementary } from "@groupwise/core/target";
import { expect, test } from "vitest";
import { cli, folder } from "./support.ts";

const DOCUMENT = JSON.stringify({
  ...{ format: "groupwise-pipeline", version: 1, name: "fast", workGroupSize: [64] },
  nodes: [
    { id: 0, kind: "input", name: "x", type: "f32" },
    { id: 1, kind: "function", op: "exp", of: [0], fast: true },
    { id: 2, kind: "output", name: "y", of: 1 },
    { id: 3, kind: "output", name: "z", of: 0 },
  ],
});
const at = folder({ "p.json": DOCUMENT });

test("check lists the outputs whose bits may differ between targets", async () => {
  const { out } = await cli(at, "check", "p.json");
  expect(out).toContain("fast: exp:");
  expect(out).toMatch(/bits may differ between targets: y\n/);
  const { fast } = (await cli(at, "check", "p.json", "--json")).json();
  expect(fast).toEqual({ functions: ["exp"], outputs: ["y"] });
});

test.each([
  ["wgsl", "fast exp: the language's own, error at most (3 + 2 |x|) ulp"],
  ["opencl", "fast exp: the language's own, error at most 3 ulp"],
  ["js", "fast exp: the exact function"],
])("explain reports the bound in %s", async (target, line) => {
  const { out } = await cli(at, "explain", "p.json", "--target", target);
  expect(out).toContain(line);
  expect(out).toContain("not equal bit for bit on all targets: y\n");
});

test("emitted text has the language's own function if the language states a bound", async () => {
  const { code } = await cli(at, "emit", "p.json", "--target", "wgsl,opencl,js", "--out", "made");
  expect(code).toBe(0);
  const textOf = (file: string): string => readFileSync(join(at, "made", file), "utf8");
  expect(textOf("fast.wgsl")).toMatch(/return exp\(x\);/);
  expect(textOf("fast.cl")).toMatch(/return exp\(x\);/);
  expect(textOf("fast.mjs")).not.toContain("Math.exp");
});

const ELEMENTARY = (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter(isElementary);
/** Functions that languages have of their own, all of them inexact. */
const LANGUAGES_OWN = new RegExp(`\\b(native_|half_)?(${[...ELEMENTARY, "inverseSqrt"].join("|")})\\(`);
const withAll = (isFast: boolean): string => {
  const functions = ELEMENTARY.map((op, i) => ({
    ...{ id: i + 1, kind: "function", op, of: [0, ...FUNCTION_ROWS[op].rest.map(() => 0)] },
    ...(isFast && { fast: true }),
  }));
  const outputs = ELEMENTARY.map((op, i) => ({
    ...{ id: functions.length + i + 1, kind: "output", name: `of_${op}`, of: i + 1 },
  }));
  const nodes = [{ id: 0, kind: "input", name: "x", type: "f32" }, ...functions, ...outputs];
  return JSON.stringify({ ...JSON.parse(DOCUMENT), name: "all", nodes });
};

test.each(["wgsl", "opencl"])(
  "no function of %s's own is used unless the author requests it",
  async (target) => {
    const textOf = async (isFast: boolean): Promise<string> => {
      const made = folder({ "all.json": withAll(isFast) });
      await cli(made, "emit", "all.json", "--target", target, "--out", "made");
      const text = readFileSync(join(made, "made", target === "wgsl" ? "all.wgsl" : "all.cl"), "utf8");
      return text.replace(/\/\/.*$/gm, "");
    };
    expect(await textOf(true)).toMatch(LANGUAGES_OWN);
    expect(await textOf(false)).not.toMatch(LANGUAGES_OWN);
  },
);
