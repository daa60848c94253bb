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
    const weight = ({ moduleId }) => known[pathOf(moduleId)] ?? 1;
    const names = this.ctx.projects.map(({ name }) => name);
    const place = ({ project }) => names.indexOf(project.name);
    return [...specifications].sort((a, b) => place(a) - place(b) || weight(b) - weight(a));
  }
}
