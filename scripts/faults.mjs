/**
 * Runs the tests with each fault of `packages/testkit/src/faults`, one at a time, and requires that they fail.
 *
 *     npm run test:faults -- [ID...] [--sample COUNT]
 *
 * The exit code is 1 if a fault is not caught.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";

/** Longer than any of the tests takes: a fault may make a loop endless. */
const HANGING_MS = 10 * 60_000;
const root = fileURLToPath(new URL("..", import.meta.url));
const report = join(root, ".cache", `faults-${process.pid}.json`);
const { module } = await runnerImport(join(root, "packages/testkit/src/faults/table.ts"), {
  configFile: false,
});
const { FAULTS } = module;

function chosen(args) {
  const options = { sample: { type: "string" } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = positionals.filter((id) => !FAULTS.some((row) => row.id === id));
  if (unknown.length > 0) throw new Error(`unknown faults: ${unknown.join(", ")}`);
  if (positionals.length > 0) return FAULTS.filter(({ id }) => positionals.includes(id));
  if (values.sample === undefined) return FAULTS;
  const count = Number(values.sample);
  if (!(Number.isInteger(count) && count > 0))
    throw new Error(`--sample takes a number, not ${values.sample}`);
  const step = Math.max(1, Math.floor(FAULTS.length / count));
  return FAULTS.filter((_, i) => i % step === 0).slice(0, count);
}

/** The outcome of the tests whose names have one of some parts, by file, with a fault or without. */
function run(tests, parts, fault) {
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const args = ["run", ...tests, `--testNamePattern=${pattern}`, "--reporter=json", `--outputFile=${report}`];
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), ...args, ...(fault ? ["--isolate", "--bail=1"] : [])],
    {
      // The tests of `npm test` must catch them, without the longer sweeps.
      env: { ...process.env, GROUPWISE_FULL: "", GROUPWISE_FAULT: fault ?? "" },
      cwd: root,
      encoding: "utf8",
      timeout: HANGING_MS,
    },
  );
  try {
    return JSON.parse(readFileSync(report, "utf8")).testResults;
  } catch {
    const lines = `${stdout}${stderr}`.trim().split("\n").slice(-5).join("\n");
    throw new Error(error?.message ?? `no report: ${lines}`);
  }
}

/** The names of tests with a status in the files of a row. */
const named = ({ tests }, results, status) =>
  results
    .filter(({ name }) => tests.some((test) => name.endsWith(test)))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((test) => test.status === status)
    .map((test) => test.fullName);
const problemOf = (results) => {
  const broken = results.find((file) => file.status === "failed" && file.assertionResults.length === 0);
  return broken && `${broken.name} does not load: ${broken.message}`;
};

const rows = chosen(process.argv.slice(2));
const distinct = (list) => [...new Set(list)];
const without = run(
  distinct(rows.flatMap(({ tests }) => tests)),
  distinct(rows.map(({ expects }) => expects)),
);

const counts = { caught: 0, missed: 0, skipped: 0 };
for (const row of rows) {
  const problem = problemOf(without) ?? named(row, without, "failed")[0];
  if (problem) throw new Error(`without a fault, ${row.tests.join(" ")} fails: ${problem}`);
  if (!named(row, without, "passed").some((name) => name.includes(row.expects))) {
    counts.skipped++;
    console.log(`${row.id}: skipped, since no test "${row.expects}" runs here`);
    continue;
  }
  const outcome = run(row.tests, [row.expects], row.id);
  const caught = named(row, outcome, "failed").find((name) => name.includes(row.expects));
  counts[caught ? "caught" : "missed"]++;
  console.log(
    caught
      ? `${row.id}: caught by ${caught}`
      : `${row.id}: NOT CAUGHT (${row.about}): ${problemOf(outcome) ?? "the tests pass"}`,
  );
}
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(
  `${rows.length} of ${FAULTS.length} faults: ${counts.caught} caught, ${counts.missed} not caught${skipped}`,
);
rmSync(report, { force: true });
process.exitCode = counts.missed > 0 ? 1 : 0;
