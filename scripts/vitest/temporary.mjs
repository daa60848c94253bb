// One temporary directory for all tests of a run, which is removed at the end with all its content.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Variables that name the directory for temporary files, on POSIX systems and on Windows. */
const VARIABLES = ["TMPDIR", "TEMP", "TMP"];

/** Called by Vitest before the processes of tests start, which inherit the variables. @returns what ends it */
export default function setup() {
  const directory = mkdtempSync(join(tmpdir(), "groupwise-run-"));
  for (const name of VARIABLES) process.env[name] = directory;
  return () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}
