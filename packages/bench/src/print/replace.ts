import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a result as JSON, at once: if this process is ended, the earlier file remains. */
export function replaceFile(path: string, result: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(result, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}
