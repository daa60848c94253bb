/** Checks that a run leaves to the full run, reported with their test file. */
import { readFileSync } from "node:fs";
import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Numbers of checks, by suite. */
    leftToFullRun?: Record<string, number>;
  }
}

/** Reports that so many checks of `what` are run in full runs only. */
export function leaveToFullRun({ task }: TestContext, what: string, count: number): void {
  if (count === 0) return;
  const { meta } = task.file;
  meta.leftToFullRun = { ...meta.leftToFullRun, [what]: count };
}

/**
 * Checks of a test file that need not run, because their emitted text is unchanged. `npm run test:changed` lists them in the
 * file that GROUPWISE_UNCHANGED names.
 */
export function unchangedChecks(testPath: string | undefined): ReadonlySet<string> {
  const list = process.env.GROUPWISE_UNCHANGED;
  if (!list || testPath === undefined) return new Set();
  const { files, unchanged } = JSON.parse(readFileSync(list, "utf8")) as Record<string, string[]>;
  const path = testPath.replaceAll("\\", "/");
  return new Set(files?.some((file) => path.endsWith(`/${file}`)) ? unchanged : []);
}
