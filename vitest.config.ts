import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { keepBetweenRuns } from "./scripts/vitest/kept.mjs";
import { placesOfTests } from "./scripts/vitest/places.mjs";

keepBetweenRuns();
// Outside of full runs the LLVM of Mesa and of PoCL does not optimise, and Mesa's vectors have 128 bits: they compile in less time, and Mesa's own passes stay.
const isFullRun = !!process.env.GROUPWISE_FULL;
if (!isFullRun) {
  process.env.GALLIVM_PERF ??= "nopt";
  process.env.LP_NATIVE_VECTOR_WIDTH ??= "128";
  process.env.POCL_EXTRA_BUILD_FLAGS ??= "-cl-opt-disable";
}

/**
 * V8 for runs of seconds: it optimises what runs long, no function of thousands of lines such as a kernel in JavaScript, and collects young
 * objects more rarely. A third of the processor time of tests in JavaScript was that of its compiler and its collector.
 */
const BRIEF = [
  "--max-optimized-bytecode-size=10000",
  "--max-semi-space-size=64",
  // Later versions of V8 have no such option.
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=400000"] : []),
];

// By themselves, tests read the packages' sources, so that they need no build.
const conditions = ["module", "node", "development|production"];
const fromSources = { conditions: ["@groupwise/source", ...conditions] };

/**
 * After a build, tests run what it wrote, as modules of Node: the sources would be transformed first, and each use of an import would then call a
 * function. So did an eighth of the processor time of kernels' interpreter. Faults need the sources, and tests that replace modules those of their package.
 */
const isBuilt = !!process.env.GROUPWISE_BUILT && !process.env.GROUPWISE_FAULT;
const BUILT = /\/packages\/[^/]+\/dist\//;
const built: Plugin = {
  name: "groupwise-built",
  enforce: "pre",
  async resolveId(id, importer, options) {
    const found = await this.resolve(id, importer, { ...options, skipSelf: true });
    const path = found?.id.replace(/(\/packages\/[^/]+)\/src\/(.*)\.ts$/, "$1/dist/$2.js") ?? "";
    return BUILT.test(path) && existsSync(path) ? path : found;
  },
};

/** The package in which a test of another one replaces modules. */
const REPLACED_IN = /\/packages\/target-c\/dist\//;

/** Files that `.ci/run` has in full after `npm test`, by parts of their names. */
const LATER = (process.env.GROUPWISE_LATER ?? "").split(" ").filter(Boolean);
/** Files of full runs alone, for which others start no process. */
const FULL = isFullRun ? [] : ["**/*.full.*test.ts"];

// A test that takes longer hangs. No test asserts a time.
const HANGING_MS = 15 * 60_000;

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const SETUP = fileURLToPath(new URL("scripts/vitest/setup.mjs", import.meta.url));
const OF_SETUP = /\/scripts\/(?:vitest\/(?:equal|observed|processor|seed)|processor-time)\.mjs$/;
const FAULT = fileURLToPath(new URL("packages/testkit/src/faults/setup.ts", import.meta.url));
const MODULES = fileURLToPath(new URL(isBuilt ? ".cache/modules-built" : ".cache/modules", import.meta.url));

const project = (
  name: string,
  include: readonly string[],
  { isolate, exclude = [] }: { readonly isolate: boolean; readonly exclude?: readonly string[] },
): TestProjectInlineConfiguration => ({
  ...(isBuilt && name !== "replaced" && { plugins: [built] }),
  resolve: isBuilt ? { conditions } : fromSources,
  ssr: { resolve: isBuilt ? { conditions } : fromSources },
  test: {
    name,
    root: ROOT,
    include: [...include],
    exclude: [
      "**/node_modules/**",
      "**/.cache/**",
      ...LATER.map((part) => `**/*${part}*`),
      ...FULL,
      ...exclude,
    ],
    isolate,
    setupFiles: [SETUP, ...(process.env.GROUPWISE_FAULT ? [FAULT] : [])],
    execArgv: isFullRun ? [] : BRIEF,
    server: { deps: { external: [BUILT, OF_SETUP], inline: name === "replaced" ? [REPLACED_IN] : [] } },
    pool: "forks", // native device libraries do not survive worker threads
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
  },
});

/** Files that need a process of their own: they set the environment of Oclgrind, which reads it once, or replace modules, of which they read the sources. */
const [ALONE, REPLACED] = ["**/*.alone.test.ts", "**/*.replaced.test.ts"];
/** In full runs the suites of JavaScript and of C need the same results of the reference, minutes of it, which the first one stores: the second is last. */
const [FIRST, LAST] = ["packages/target-js", "packages/target-c"];
/** Folders whose files are divided between processes, by the beginnings of their names: drivers of WebGPU keep much memory for each kernel. */
const DIVIDED: Readonly<Record<string, readonly string[]>> = {
  "packages/target-wgsl": ["[a-k]", "[l-r]", "[s-z]"],
};
const { own, others } = placesOfTests();
/** Packages that share a process in the run of all others: in one process for all, heaps and inline caches would grow. */
const APART: readonly (readonly string[])[] = [
  ["packages/bench"],
  ["packages/cli"],
  ["packages/primitives"],
  ["packages/target-cuda", "packages/target-wasm"],
];
const apart = new Set(APART.flat().map((place) => `${place}/test`));
const OWN = [FIRST, ...own.filter((place) => place !== FIRST && place !== LAST), LAST].flatMap((place) =>
  (DIVIDED[place] ?? ["**/"]).map((part) => ({
    name: `${place} ${part}`,
    folders: [`${place}/test/${part}`],
  })),
);
const PLACES = [
  ...OWN,
  ...APART.map((places) => ({ name: places.join(" "), folders: places.map((place) => `${place}/test/**/`) })),
  { name: "others", folders: others.filter((place) => !apart.has(place)).map((place) => `${place}/**/`) },
];

/** Vitest's order, the slowest first, within projects in their order here: a process continues with the next file if it is of the same project. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names = this.ctx.projects.map(({ name }) => name);
    const place = ({ project }: TestSpecification): number => names.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    passWithNoTests: true,
    globalSetup: ["./scripts/vitest/temporary.mjs"],
    // Vite's output for each module, by its text, is cached for the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: MODULES },
    // By default Vitest reserves one processor, which is half of two. Device libraries have their own threads.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: ByProject },
    // Files of a project share processes, and the modules, compiled code and device libraries that these hold. Not so in a full
    // run: drivers keep the code of each kernel, and the system allows a process 65,530 areas of memory.
    projects: [
      project("alone", [ALONE], { isolate: true }),
      project("replaced", [REPLACED], { isolate: true }),
      ...PLACES.map(({ name, folders }) =>
        project(
          name,
          folders.map((folder) => `${folder}*.test.{ts,mjs}`),
          { isolate: isFullRun, exclude: [ALONE, REPLACED] },
        ),
      ),
    ],
  },
});
