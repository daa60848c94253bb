/**
 * Puts each fault of a table into a copy of the project, one at a time, and asserts that its tests fail.
 *
 *     npm run test:faults -- [--only ID...] [--sample COUNT]
 *
 * The exit code is 1 if a fault is not caught.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { faulty, sampleOf } from "./faults/fault.mjs";
import { runTests, testsKey } from "./faults/run.mjs";
import { FAULTS } from "./faults/table.mjs";
import { copyTree } from "./faults/tree.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tree = join(root, ".cache", "faults", "tree");

function rowsOf(args) {
  const options = { only: { type: "boolean" }, sample: { type: "string" } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = positionals.filter((id) => !FAULTS.some((row) => row.id === id));
  if (unknown.length > 0) throw new Error(`unknown faults: ${unknown.join(", ")}`);
  if (positionals.length > 0) return FAULTS.filter(({ id }) => positionals.includes(id));
  if (values.sample === undefined) return FAULTS;
  const count = Number(values.sample);
  if (!(Number.isInteger(count) && count > 0))
    throw new Error(`--sample takes a number, not ${values.sample}`);
  return sampleOf(FAULTS, count);
}

/** Why a fault is not caught; undefined if it is. */
function missed({ expects }, { failed, problem }) {
  if (problem) return problem;
  if (failed.length === 0) return "all tests pass";
  if (expects !== undefined && !failed.some((name) => name.includes(expects)))
    return `caught by another test than "${expects}": ${failed[0]}`;
  return undefined;
}

function withFault(row, run) {
  const path = join(tree, row.file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, faulty(row, text));
  try {
    return run();
  } finally {
    writeFileSync(path, text);
  }
}

const rows = rowsOf(process.argv.slice(2));
for (const row of rows) faulty(row, readFileSync(join(root, row.file), "utf8"));
copyTree(root, tree);

const without = new Map();
const counts = { caught: 0, missed: 0, skipped: 0 };
for (const row of rows) {
  const key = testsKey(row);
  if (!without.has(key)) without.set(key, runTests(tree, row));
  const { failed, problem, passed } = without.get(key);
  if (problem || failed.length > 0) throw new Error(`without a fault, ${key} fails: ${problem ?? failed[0]}`);
  if (passed === 0) {
    counts.skipped++;
    console.log(`${row.id}: skipped, because its device is missing`);
    continue;
  }
  const outcome = withFault(row, () => runTests(tree, row));
  const reason = missed(row, outcome);
  counts[reason === undefined ? "caught" : "missed"]++;
  console.log(
    reason === undefined
      ? `${row.id}: caught by ${outcome.failed[0]}`
      : `${row.id}: NOT CAUGHT (${row.about}): ${reason}`,
  );
}
console.log(
  `${rows.length} of ${FAULTS.length} faults: ${counts.caught} caught, ${counts.missed} not caught, ${counts.skipped} skipped`,
);
process.exitCode = counts.missed > 0 ? 1 : 0;
