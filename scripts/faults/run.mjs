/** Runs tests of the copy and reads their results. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Longer than any set of tests takes; a fault may make a loop endless. */
const HANGING_MS = 10 * 60_000;

/** The arguments that select a row's tests. */
const filtersOf = ({ tests, name }) => [...tests, ...(name === undefined ? [] : ["-t", name])];
/** Rows with the same key run the same tests. */
export const testsKey = (row) => JSON.stringify(filtersOf(row));

/** Runs a row's tests. Returns the names of those that failed, the number that passed, and other problems. */
export function runTests(tree, row) {
  const report = join(tree, ".cache", "report.json");
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const args = [
    "vitest",
    "run",
    ...filtersOf(row),
    "--bail",
    "1",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  const { stderr, stdout, error } = spawnSync("npx", args, {
    // The tests of `npm test` must catch them, without the longer sweeps. The copy has no built command line.
    env: { ...process.env, GROUPWISE_FULL: "", GROUPWISE_BUILT: "" },
    cwd: tree,
    encoding: "utf8",
    timeout: HANGING_MS,
  });
  let read;
  try {
    read = JSON.parse(readFileSync(report, "utf8"));
  } catch {
    const reason = error ? error.message : `${stdout}${stderr}`.trim().split("\n").slice(-5).join("\n");
    return { failed: [], passed: 0, problem: `no report: ${reason}` };
  }
  const results = read.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  const broken = read.testResults.find(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    failed,
    passed: read.numPassedTests,
    problem: broken && `${broken.name} does not load: ${broken.message}`,
  };
}
