/** Folders in which tutorials are followed. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileStep, Run, Tutorial } from "./page.ts";

/** Writes the files and runs the commands, in the order of the page. */
export async function follow(
  { steps }: Tutorial,
  folder: string,
  run: (step: Run) => Promise<void>,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const step of steps) {
    if (step.kind === "run") await run(step);
    else writeIn(folder, step);
  }
}

export function writeIn(folder: string, { name, text }: FileStep): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
