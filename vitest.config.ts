import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { testFilesOf } from "./scripts/vitest/device-files.mjs";
import { keepBetweenRuns } from "./scripts/vitest/kept.mjs";
import { SlowestFirst } from "./scripts/vitest/slowest-first.mjs";
import { withoutUnchanged } from "./scripts/vitest/unchanged.mjs";

keepBetweenRuns();
// Outside of full runs the LLVM of Mesa and of PoCL does not optimise: it compiles in less time, and Mesa's own passes stay.
const isFullRun = !!process.env.GROUPWISE_FULL;
if (!isFullRun) {
  process.env.GALLIVM_PERF ??= "nopt";
  process.env.POCL_EXTRA_BUILD_FLAGS ??= "-cl-opt-disable";
}

// Tests read the packages' sources, so that they need no build.
const conditions = ["@groupwise/source", "module", "node", "development|production"];

// A test that takes longer hangs. No test asserts a time.
const HANGING_MS = 15 * 60_000;

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const PROCESSOR = fileURLToPath(new URL("scripts/vitest/processor.mjs", import.meta.url));
const QUICK = fileURLToPath(new URL("scripts/vitest/quick.mjs", import.meta.url));
const OBSERVED = fileURLToPath(new URL("scripts/vitest/observed.mjs", import.meta.url));
const FAULT = fileURLToPath(new URL("packages/testkit/src/faults/setup.ts", import.meta.url));
const MODULES = fileURLToPath(new URL(".cache/modules", import.meta.url));

const project = (
  name: string,
  include: readonly string[],
  isolate: boolean = false,
): TestProjectInlineConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name,
    root: ROOT,
    include: [...include],
    isolate,
    setupFiles: [
      OBSERVED,
      PROCESSOR,
      ...(isFullRun ? [] : [QUICK]),
      ...(process.env.GROUPWISE_FAULT ? [FAULT] : []),
    ],
    pool: "forks", // native device libraries do not survive worker threads
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
  },
});

const { pure, devices, alone } = testFilesOf(ROOT);
/** Packages whose files of devices have processes of their own, and how many projects divide them. */
const APART = { "target-wgsl": 2, "target-opencl": 1 } as const;
const packageOf = (path: string): string => path.split("/")[1] as string;
const apart = Object.entries(APART).flatMap(([name, number]) => {
  const files = devices.filter((path) => packageOf(path) === name);
  return Array.from({ length: number }, (_, part) =>
    project(
      `${name}-${part + 1}`,
      files.filter((_, i) => i % number === part),
      isFullRun,
    ),
  );
});
const how = process.env.GROUPWISE_LEAVE_UNCHANGED;
const changed = how ? withoutUnchanged(ROOT, pure, how) : pure;

export default defineConfig({
  test: {
    passWithNoTests: true,
    globalSetup: ["./scripts/vitest/temporary.mjs"],
    // Vite's output for each module, by its text, is cached for the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: MODULES },
    // By default Vitest reserves one processor, which is half of two. Device libraries have their own threads.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
    // Files of all but the first share processes, and the modules, compiled code and device libraries that these hold. Not so
    // devices in a full run: drivers keep the code of each kernel, and the system allows a process 65,530 areas of memory.
    // One process for the files of all devices would need more than that in any run, and one for those of WebGPU has come to 50,610.
    // They run in this order: short files are last, so that both workers end at the same time.
    projects: [
      project("alone", alone, true),
      ...apart,
      project(
        "devices",
        devices.filter((path) => !(packageOf(path) in APART)),
        isFullRun,
      ),
      project("pure", changed),
    ],
  },
});
