// The order of test files: by project, and the slowest first, so that no worker runs a long file alone at the end.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BaseSequencer } from "vitest/node";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const isFullRun = !!process.env.GROUPWISE_FULL;
/** Seconds by file, as the reporter stores them after each run. */
export const DURATIONS = fileURLToPath(
  new URL(`../../.cache/durations${isFullRun ? "-full" : ""}.json`, import.meta.url),
);

/** The first files if no durations are known, as in a clean clone. */
const SLOW_IN_FULL_RUNS = [
  "apps/docs/test/tutorials.test.ts",
  "packages/target-opencl/test/mpi.test.ts",
  "packages/primitives/test/radix-sort.test.ts",
  "packages/target-wgsl/test/suite-limits.test.ts",
  "packages/bench/test/states.test.ts",
  "packages/target-wgsl/test/suite.test.ts",
  "packages/target-opencl/test/conformance.test.ts",
  "packages/bench/test/equivalence.test.ts",
];
const SLOW = [
  ...(isFullRun ? SLOW_IN_FULL_RUNS : []),
  "packages/target-opencl/test/conformance.test.ts",
  "packages/target-wgsl/test/suite.test.ts",
  "packages/target-wgsl/test/suite-limits.test.ts",
  "packages/target-wgsl/test/suite-swiftshader.test.ts",
  "packages/primitives/test/radix-sort.test.ts",
  "packages/target-opencl/test/pocl6.test.ts",
  "packages/target-js/test/conformance.test.ts",
  "packages/target-js/test/gpu-js-conformance.test.ts",
  "packages/target-opencl/test/emit.test.ts",
  "packages/target-opencl/test/races.test.ts",
  "packages/bench/test/equivalence.test.ts",
];

/**
 * In full runs these suites need the same results of the reference, which the first one caches. The second begins after the files that take
 * longer than this, in seconds.
 */
const [LEADER, FOLLOWER] = ["target-js", "target-c"].map(
  (name) => `packages/${name}/test/conformance.test.ts`,
);
const FOLLOWS = 60;

export const pathOf = (file) => relative(ROOT, file).replaceAll("\\", "/");

/** Seconds by file; empty before the first run. */
export function knownDurations() {
  try {
    return existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, "utf8")) : {};
  } catch {
    return {};
  }
}

/** Projects in the order of the configuration: a process continues with the next file if it is of the same project. */
export class SlowestFirst extends BaseSequencer {
  async sort(specifications) {
    const known = knownDurations();
    const weight = ({ moduleId }) => {
      const path = pathOf(moduleId);
      if (isFullRun && path === LEADER) return Number.POSITIVE_INFINITY;
      if (isFullRun && path === FOLLOWER) return FOLLOWS;
      const slow = SLOW.indexOf(path);
      return known[path] ?? (slow >= 0 ? 1000 - slow : 1);
    };
    const names = this.ctx.projects.map(({ name }) => name);
    const place = ({ project }) => names.indexOf(project.name);
    return [...specifications].sort((a, b) => place(a) - place(b) || weight(b) - weight(a));
  }
}
