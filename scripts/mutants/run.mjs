// Mutation tests by Stryker, run by hand: `npm run test:mutants -- ir/tables`, or a file `ir/tables/op.ts`,
// which `--tests=op,neutral-identity` gives to these tests alone.
// Results stay in `.cache/mutants`, so that a run repeats only what a change concerns.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";

/** By folder, the tests that are quick enough to run for each mutant. */
const FOLDERS = {
  "ir/tables": "op expr-op scalar literal narrow check neutral-identity combining keys reference",
  "ir/document":
    "check collectives fast operator lanes schema names explain neutral-identity sink keys rows bounds reference",
  "ir/reference":
    "reference reference-slots step ranges lanes blocks arrays side-by-side states pipeline-laws keys narrow",
  "kernel/library": "quick quick-log legalise-types functions subnormals",
  "kernel/passes":
    "definitions fold in-place legalise-casts legalise-types pack prune quick routines rows share-scratch sink split lower unread",
};

const [asked = ""] = process.argv.slice(2);
const chosen = process.argv.find((one) => one.startsWith("--tests="))?.slice("--tests=".length);
for (const [folder, tests] of Object.entries(FOLDERS)) {
  if (!asked.startsWith(folder) && !folder.startsWith(asked)) continue;
  process.env.GROUPWISE_MUTANTS = `packages/{ir,kernel,lower,runtime,streams}/test/{${chosen ?? tests.replaceAll(" ", ",")},}.test.ts`;
  const place = `packages/${(asked.startsWith(folder) ? asked : folder).replace("/", "/src/")}`;
  const cache = `.cache/mutants/${folder.replace("/", "-")}`;
  if (process.argv.includes("--force")) rmSync(`${cache}.json`, { force: true });
  await new Stryker({
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("wording.mjs", import.meta.url))],
    ignorers: ["wording"],
    warnings: { slow: false },
    vitest: { configFile: "scripts/mutants/vitest.config.mjs", related: false },
    mutate: [place.endsWith(".ts") ? place : `${place}/**/*.ts`],
    coverageAnalysis: "perTest",
    // A mutant of a constant needs all tests of the folder: only where constants are the meaning.
    ignoreStatic: folder !== "ir/tables",
    incremental: true,
    incrementalFile: `${cache}.json`,
    tempDirName: cache,
    ignorePatterns: ["dist", ".cache", "/apps", "/docs", "/examples"],
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
    // A busy machine is no endless loop.
    timeoutMS: 30_000,
    timeoutFactor: 3,
    concurrency: process.argv.includes("--alone") ? 1 : 2,
  }).runMutationTest();
}
