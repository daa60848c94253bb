import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { testFilesOf } from "./scripts/vitest/device-files.mjs";
import { keepBetweenRuns } from "./scripts/vitest/kept.mjs";
import { SlowestFirst } from "./scripts/vitest/slowest-first.mjs";

keepBetweenRuns();
// Outside of full runs the LLVM of Mesa and of PoCL does not optimise: it compiles in less time, and Mesa's own passes stay.
if (!process.env.GROUPWISE_FULL) {
  process.env.GALLIVM_PERF ??= "nopt";
  process.env.POCL_EXTRA_BUILD_FLAGS ??= "-cl-opt-disable";
}

// Tests read the packages' sources, so that they need no build.
const conditions = ["@groupwise/source", "module", "node", "development|production"];

// What takes longer than this hangs. No test is judged by the time that it takes.
const HANGING_MS = 15 * 60_000;

const QUICK = fileURLToPath(new URL("scripts/vitest/quick.mjs", import.meta.url));
const MODULES = fileURLToPath(new URL(".cache/modules", import.meta.url));

const project = (
  name: string,
  root: string,
  include: readonly string[],
  isolate: boolean = false,
): TestProjectInlineConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name,
    root,
    include: [...include],
    isolate,
    setupFiles: process.env.GROUPWISE_FULL ? [] : [QUICK],
    pool: "forks", // native device libraries do not survive worker threads
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
  },
});

/**
 * A package's tests, and those that open devices: `--project @groupwise/core`, `--project @groupwise/target-wgsl:devices`. Files of a
 * project share processes, and the modules and device libraries that these have loaded; those that cannot are in `:alone`.
 */
function projectsOf(name: string, root: string): TestProjectInlineConfiguration[] {
  const { pure, devices, alone } = testFilesOf(fileURLToPath(new URL(root, import.meta.url)));
  return [
    ...(pure.length > 0 ? [project(name, root, pure)] : []),
    ...(devices.length > 0 ? [project(`${name}:devices`, root, devices)] : []),
    ...(alone.length > 0 ? [project(`${name}:alone`, root, alone, true)] : []),
  ];
}

export default defineConfig({
  test: {
    passWithNoTests: true,
    // What Vite makes of each module, by its text: the next run need not make it again.
    experimental: { fsModuleCache: true, fsModuleCachePath: MODULES },
    // Vitest leaves one processor to itself, which is half of two. Device libraries have threads of their own.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
    projects: [
      ...readdirSync(new URL("packages", import.meta.url)).flatMap((name) =>
        projectsOf(`@groupwise/${name}`, `packages/${name}`),
      ),
      ...projectsOf("examples", "examples"),
      ...projectsOf("@groupwise/docs", "apps/docs"),
      project("scripts", "scripts", ["**/*.test.mjs"]),
    ],
  },
});
