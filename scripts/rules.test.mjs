/** The sources keep the rules, and each rule can be broken. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { againstOrder, circlesOf, refusalOf, sharedNames } from "./rules.mjs";
import { sourceOf, sourcesOf } from "./sources.mjs";

/** Exported names with several meanings: how many are left of those before the rule. It only falls. */
const SHARED = 17;

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const sources = sourcesOf(ROOT);
const STRATEGIES = "packages/lower/src/strategies";

test("no import is against the order", () => {
  expect(againstOrder(sources)).toEqual([]);
});

test("no circle of imports remains at run time", () => {
  expect(circlesOf(sources)).toEqual([]);
});

test(`at most ${SHARED} names of exported types have several definitions`, () => {
  const names = sharedNames(sources);
  expect(names.length, names.join(" ")).toBeLessThanOrEqual(SHARED);
});

test.each([
  [`${STRATEGIES}/chunks/lower.ts`, `${STRATEGIES}/look-back/lower.ts`],
  [`${STRATEGIES}/stages.ts`, `${STRATEGIES}/look-back/lower.ts`],
  ["packages/lower/src/lanes/lanes.ts", `${STRATEGIES}/stages.ts`],
  ["packages/streams/src/carry/kernels.ts", `${STRATEGIES}/chunks/lower.ts`],
  ["packages/runtime/src/plan/explain.ts", "packages/kernel/src/print/names.ts"],
  ["packages/target-wgsl/src/print/emit.ts", "packages/target-wgsl/src/tools.ts"],
  ["packages/target-wgsl/src/runtime.ts", "packages/target-wgsl/src/device/node/device.ts"],
])("%s may not import %s", (from, to) => {
  expect(refusalOf(from, to)).toBeTruthy();
});

test.each([
  ["packages/lower/src/strategies.ts", `${STRATEGIES}/look-back/lower.ts`],
  [`${STRATEGIES}/look-back/lower.ts`, `${STRATEGIES}/stages.ts`],
  [`${STRATEGIES}/look-back/lower.ts`, `${STRATEGIES}/look-back/shape.ts`],
  ["packages/streams/src/carry/kernels.ts", `${STRATEGIES}/look-back/shape.ts`],
  ["packages/runtime/src/plan/explain.ts", "packages/lower/src/lower.ts"],
  ["packages/target-wgsl/src/tools.ts", "packages/target-wgsl/src/tools/quirks.ts"],
  ["packages/target-wgsl/src/device/open/dawn.ts", "packages/target-wgsl/src/device/node/device.ts"],
])("%s may import %s", (from, to) => {
  expect(refusalOf(from, to)).toBe(undefined);
});

test("a circle is found through three files, and none through types", () => {
  const files = { "p/a.ts": "./b.ts", "p/b.ts": "./q/c.ts", "p/q/c.ts": "../a.ts" };
  const all = (what) =>
    Object.entries(files).map(([path, to]) => sourceOf(path, `export ${what} from "${to}";\n`));
  expect(circlesOf(all("*"))).toEqual(["p/a.ts p/b.ts p/q/c.ts"]);
  expect(circlesOf(all("type { A }"))).toEqual([]);
});

test("a module of another package is found at its source", () => {
  const text =
    'import "@groupwise/ir/tables/op.js";\nimport type { A } from "@groupwise/core/target";\nimport "zod";\n';
  const { imports, values } = sourceOf("packages/dsl/src/a.ts", text);
  expect(imports).toEqual(["packages/ir/src/tables/op.ts", "packages/core/src/target.ts"]);
  expect(values).toEqual(["packages/ir/src/tables/op.ts"]);
});

test("a source has the types that it exports", () => {
  const source = sourceOf("p/a.ts", "export interface A {}\ntype B = 1;\n");
  expect(source.types).toEqual(["A"]);
  expect(sharedNames([source, { ...source, path: "p/b.ts" }])).toEqual(["A"]);
});
