/** The linter reports each import that the rooms of core forbid, and accepts those that they need. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CORE = "packages/core/src";
const STRATEGIES = `${CORE}/compiler/strategies`;
const namesIn = (folder, isFile) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() === isFile)
    .map(({ name }) => name);

const entries = namesIn(CORE, true).map((name) => `${CORE}/${name}`);
const strategies = [...namesIn(STRATEGIES, false), "another"].map((name) => `${STRATEGIES}/${name}`);
const IR = [`${CORE}/ir/tables`];
const COMPILER = [`${CORE}/compiler`, `${CORE}/compiler/lanes`, `${CORE}/compiler/passes/types`];
const SHARED = [STRATEGIES, ...strategies];

/** Each with folders, and a file that none of their files may import. */
const FORBIDDEN = [
  ...[...IR, ...COMPILER, ...SHARED].flatMap((from) => [
    [from, `${CORE}/host/plan/explain.ts`],
    ...entries.map((entry) => [from, entry]),
  ]),
  ...IR.map((from) => [from, `${CORE}/compiler/lower.ts`]),
  ...[...COMPILER, STRATEGIES].flatMap((from) => strategies.map((to) => [from, `${to}/lower.ts`])),
  ...strategies.flatMap((from) =>
    strategies.filter((to) => to !== from).map((to) => [from, `${to}/lower.ts`]),
  ),
  ...strategies
    .filter((to) => !to.endsWith("/look-back"))
    .map((to) => [`${CORE}/compiler/carry`, `${to}/lower.ts`]),
  ["packages/target-wgsl/src", "packages/target-wgsl/src/tools.ts"],
  [`${CORE}/host/plan`, `${CORE}/compiler/print/names.ts`],
];
const ALLOWED = [
  ...strategies.flatMap((from) => [
    [from, `${STRATEGIES}/stages.ts`],
    [from, `${from}/inner/kernel.ts`],
    [from, `${CORE}/compiler/bins/kernel.ts`],
    [from, `${CORE}/ir/base/formula.ts`],
  ]),
  [`${CORE}/compiler`, `${CORE}/compiler/strategies.ts`],
  [`${CORE}/compiler/carry`, `${STRATEGIES}/look-back/tiles/shape.ts`],
  [`${CORE}/ir/laws`, `${CORE}/ir/state/state.ts`],
  [`${CORE}/host/plan`, `${CORE}/compiler/lower.ts`],
];

/** The imports, as `from` and `to`, that the linter reports: each is in a file of its own. */
function reported(imports) {
  const folder = mkdtempSync(join(tmpdir(), "lint-"));
  try {
    const settings = JSON.parse(readFileSync(join(ROOT, "biome.json"), "utf8"));
    writeFileSync(join(folder, "biome.json"), JSON.stringify({ ...settings, vcs: { enabled: false } }));
    const names = imports.map(([from, to], i) => {
      const name = `${from}/stub-${i}.ts`;
      const path = posix.relative(from, to);
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      const text = `export * from "${path.startsWith(".") ? path : `./${path}`}";\n`;
      writeFileSync(join(folder, name), text);
      return name;
    });
    const biome = join(ROOT, "node_modules/.bin/biome");
    const args = [
      "lint",
      "--only=style/noRestrictedImports",
      "--reporter=github",
      "--max-diagnostics=none",
      ".",
    ];
    const { stdout } = spawnSync(biome, args, { cwd: folder, encoding: "utf8" });
    return imports.filter((_, i) => stdout.includes(`${names[i]},`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the linter reports each forbidden import", () => {
  expect(reported(FORBIDDEN)).toEqual(FORBIDDEN);
});

test("the linter accepts the imports that strategies and houses need", () => {
  expect(reported(ALLOWED)).toEqual([]);
});
