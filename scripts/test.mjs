// The tests of the package in the current directory, as a task of turbo: `node ../../scripts/test.mjs`.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(fileURLToPath(new URL("..", import.meta.url)));
const place = relative(ROOT, process.cwd()).replaceAll("\\", "/");
const files = place === "" ? ["scripts/", "examples/test/"] : [`${place}/test/`];
const { status } = spawnSync(
  process.execPath,
  [
    ...[resolve(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--root", ROOT, ...files],
    // turbo runs two packages at once.
    `--maxWorkers=${Math.ceil(availableParallelism() / 2)}`,
    ...["--reporter=./scripts/vitest/reporter.mjs", "--reporter=json"],
    `--outputFile.json=${resolve(".cache/tests.json")}`,
  ],
  { cwd: ROOT, stdio: "inherit" },
);
process.exitCode = status ?? 1;
