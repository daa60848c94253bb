import { readdirSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// Tests read the packages' sources, so that they need no build.
const conditions = ["@groupwise/source", "module", "node", "development|production"];

// What takes longer than this hangs. No test is judged by the time that it takes.
const HANGING_MS = 15 * 60_000;

const project = (name: string, root: string, include: string): TestProjectInlineConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name,
    root,
    include: [include],
    pool: "forks", // native device libraries do not survive worker threads
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
  },
});

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      ...readdirSync(new URL("packages", import.meta.url)).map((name) =>
        project(`@groupwise/${name}`, `packages/${name}`, "test/**/*.test.ts"),
      ),
      project("examples", "examples", "test/**/*.test.ts"),
      project("scripts", "scripts", "**/*.test.mjs"),
    ],
  },
});
