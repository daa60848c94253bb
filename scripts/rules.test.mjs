/** The sources keep the rules, and each rule can be broken. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { againstOrder, circlesOf, refusalOf, sharedNames } from "./rules.mjs";
import { sourceOf, sourcesOf } from "./sources.mjs";

/** Exported names with several meanings: how many are left of those before the rule. It only falls. */
const SHARED = 121;

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const sources = sourcesOf(ROOT);
const CORE = "packages/core/src";
const STRATEGIES = `${CORE}/compiler/strategies`;

test("no import is against the order", () => {
  expect(againstOrder(sources)).toEqual([]);
});

test("no circle of imports remains at run time", () => {
  // The methods of a value make collectives, which make values.
  const known = (circle) => circle.split(" ").every((path) => path.startsWith("packages/dsl/src/build/"));
  expect(circlesOf(sources).filter((circle) => !known(circle))).toEqual([]);
});

test(`at most ${SHARED} names of exported types have several definitions`, () => {
  const names = sharedNames(sources);
  expect(names.length, names.join(" ")).toBeLessThanOrEqual(SHARED);
});

test.each([
  [`${CORE}/ir/tables/op.ts`, `${CORE}/compiler/lower.ts`],
  [`${CORE}/ir/tables/op.ts`, `${CORE}/ir/state/state.ts`],
  [`${CORE}/compiler/kernel/stmt.ts`, `${CORE}/compiler/lanes/lanes.ts`],
  [`${CORE}/compiler/lanes/lanes.ts`, `${CORE}/host/plan/explain.ts`],
  [`${CORE}/host/run/step.ts`, `${CORE}/host/streams/stream.ts`],
  [`${CORE}/host/run/step.ts`, `${CORE}/index.ts`],
  ["packages/ir/src/tables/op.ts", "packages/lower/src/lower.ts"],
  [`${STRATEGIES}/chunks/lower.ts`, `${STRATEGIES}/look-back/lower.ts`],
  [`${STRATEGIES}/stages.ts`, `${STRATEGIES}/look-back/lower.ts`],
  [`${CORE}/compiler/lanes/lanes.ts`, `${STRATEGIES}/stages.ts`],
  [`${CORE}/compiler/carry/kernels.ts`, `${STRATEGIES}/chunks/lower.ts`],
  [`${CORE}/host/plan/explain.ts`, `${CORE}/compiler/print/names.ts`],
  ["packages/target-wgsl/src/emit.ts", "packages/target-wgsl/src/tools.ts"],
  ["packages/target-wgsl/src/runtime.ts", "packages/target-wgsl/src/node/device.ts"],
])("%s may not import %s", (from, to) => {
  expect(refusalOf(from, to)).toBeTruthy();
});

test.each([
  [`${CORE}/compiler/strategies.ts`, `${STRATEGIES}/look-back/lower.ts`],
  [`${STRATEGIES}/look-back/lower.ts`, `${STRATEGIES}/stages.ts`],
  [`${STRATEGIES}/look-back/lower.ts`, `${STRATEGIES}/look-back/tiles/shape.ts`],
  [`${CORE}/compiler/carry/kernels.ts`, `${STRATEGIES}/look-back/tiles/shape.ts`],
  [`${CORE}/host/plan/explain.ts`, `${CORE}/compiler/lower.ts`],
  ["packages/target-wgsl/src/tools.ts", "packages/target-wgsl/src/tools/quirks.ts"],
  ["packages/target-wgsl/src/tools/dawn.ts", "packages/target-wgsl/src/node/device.ts"],
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

test("a source has its types and its assertions", () => {
  const text = "export interface A {}\ntype B = 1;\nexport const c = [1 as B, 2 as const];\n";
  const source = sourceOf("p/a.ts", text);
  expect([source.types, source.assertions]).toEqual([["A"], 1]);
  expect(sharedNames([source, { ...source, path: "p/b.ts" }])).toEqual(["A"]);
});
