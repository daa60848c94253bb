// A task of turbo: the tests of the package in the current directory, or in the root those of all packages that have no such task.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { placesOfTests } from "./vitest/places.mjs";

const ROOT = resolve(fileURLToPath(new URL("..", import.meta.url)));
const place = relative(ROOT, process.cwd()).replaceAll("\\", "/");
const files = (place === "" ? placesOfTests().others : [`${place}/test`]).map((folder) => `${folder}/`);
// Vitest makes a server for each project: a package has its own, and files that need a process of their own.
const projects = place === "" ? [] : [`${place} *`, "alone", "replaced"];
const { status } = spawnSync(
  process.execPath,
  [
    ...[resolve(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--root", ROOT, ...files],
    ...projects.map((name) => `--project=${name}`),
    // turbo runs two packages at once.
    `--maxWorkers=${Math.ceil(availableParallelism() / 2)}`,
    ...["--reporter=./scripts/vitest/reporter.mjs", "--reporter=json"],
    `--outputFile.json=${resolve(".cache/tests.json")}`,
  ],
  { cwd: ROOT, stdio: "inherit" },
);
process.exitCode = status ?? 1;
