/** What a run leaves to the full run, told to the reporter through the file that it belongs to. */
import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Numbers of checks, by what they belong to. */
    leftToFullRun?: Record<string, number>;
  }
}

/** Tells that so many checks of `what` are run in full runs only. */
export function leaveToFullRun({ task }: TestContext, what: string, count: number): void {
  if (count === 0) return;
  const { meta } = task.file;
  meta.leftToFullRun = { ...meta.leftToFullRun, [what]: count };
}
