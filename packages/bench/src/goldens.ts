/** Writes the goldens again: `npm run goldens`. What changed is for people to read, so CI never does it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { goldenFiles } from "./golden-files.ts";

/** Where they are checked in. */
const GOLDEN: string = fileURLToPath(new URL("../../testkit/golden", import.meta.url));

/** The committed texts, by `case/file`. */
export function checkedIn(): ReadonlyMap<string, string> {
  const names = readdirSync(GOLDEN, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    names.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(GOLDEN.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")];
    }),
  );
}

/** @throws Error under CI */
export function updateGoldens(): number {
  if (process.env.CI)
    throw new Error(
      "goldens are never written under CI: run `npm run goldens` locally and review the change",
    );
  const files = goldenFiles();
  rmSync(GOLDEN, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(join(GOLDEN, path, ".."), { recursive: true });
    writeFileSync(join(GOLDEN, path), text);
  }
  return files.size;
}
