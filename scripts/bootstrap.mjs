// Runs a root task from any state of the checkout: `node scripts/bootstrap.mjs <task> [arguments]`.
// Plain Node without dependencies, because it installs them.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { release, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { countTests, formatCount } from "./count.mjs";
import { processorSeconds } from "./processor-time.mjs";
import { keepBetweenRuns } from "./vitest/kept.mjs";
import { placesOfTests } from "./vitest/places.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const WANTED = process.env.CI ? "require" : "warn";
const REPORTER = "--reporter=./scripts/vitest/reporter.mjs";
/** Parts of the names of files that CI runs in full: all checks on one device whose compiler optimises, texts and Python for CUDA, races, and numerics. */
const CI_PART = [
  ...["target-opencl/test/conformance.test", "target-cuda/test/compilers", "target-cuda/test/python"],
  ...["expansions", "header", "races", "exact"],
];
const CI_FAULTS = 6;
/** Seconds of processor time for a run from a clean clone; a run after it has half. */
const BUDGETS = { test: 600, "test:full": 900 };
/** Programs of packages, started without npx, which takes half a second. */
const [TSC, TURBO, VITEST, BIOME, SIZE_LIMIT] = [
  "@typescript/native/bin/tsc",
  "turbo/bin/turbo",
  "vitest/vitest.mjs",
  "@biomejs/biome/bin/biome",
  "size-limit/bin.js",
].map((path) => join(ROOT, "node_modules", path));
// One checker for each project: several check the same declarations several times.
const BUILD = [TSC, "-b", "--checkers", "1"];
const TYPES = [...BUILD, ".", "apps/docs"];
const CHECKS = [[BIOME, "check", "."], TYPES, [SIZE_LIMIT]];
// The compiler of TypeScript collects garbage more rarely: a fifth of its processor time, for half a gigabyte.
process.env.GOGC ??= "400";

/**
 * The preconditions of each task, and the function that runs it; `counts`: the last line is a count of tests; `tools`: the packages of
 * scripts/package.json, a third of all files, which `npm test` does without.
 */
const TASKS = {
  build: { run: build },
  api: { tools: () => true, build: true, run: (args) => node("scripts/packages/api.mjs", ...args) },
  "release:check": { tools: () => true, build: true, run: (args) => node("scripts/release.mjs", ...args) },
  "test:mutants": { tools: () => true, run: (args) => node("scripts/mutants/run.mjs", ...args) },
  typecheck: { run: () => node(...TYPES) },
  docs: { build: true, run: () => turbo("docs") },
  "test:site": { devices: WANTED, build: true, run: () => turbo("test:site") },
  example: { build: true, run: (args) => node("scripts/example.mjs", ...args) },
  // Only the drivers that it runs on, and the packages of the command line; `npm run build` checks types.
  demo: {
    devices: "warn",
    setup: ["--demo"],
    meanwhile: [...BUILD, "--noCheck", "packages/cli"],
    run: (args) => node("scripts/demo.mjs", ...args),
  },
  test: {
    devices: WANTED,
    build: true,
    counts: true,
    run: async (args) => (args.length === 0 ? testAll() : testFiles(args, await check())),
  },
  "test:changed": {
    run: ([revision = "HEAD", ...args]) => node(VITEST, "run", "--changed", revision, REPORTER, ...args),
  },
  "test:full": {
    devices: WANTED,
    tools: (args) => !args.includes("ci"),
    build: true,
    counts: true,
    env: { GROUPWISE_FULL: "1" },
    run: async (args) => {
      const isCi = args.includes("ci");
      const isWhole = args.length === 0 || isCi;
      const files = args.flatMap((arg) => (arg === "ci" ? CI_PART : [arg]));
      return testFiles(files, isWhole ? await siteAndFaults(isCi ? CI_FAULTS : 12) : 0);
    },
  },
};

async function main([name, ...args]) {
  const task = TASKS[name];
  if (!task) return fail(`no task "${name ?? ""}"; there are: ${Object.keys(TASKS).join(", ")}`, 2);
  checkNode();
  Object.assign(process.env, { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" }, task.env);
  keepBetweenRuns();
  const runtimeDir = ensureRuntimeDir();
  try {
    const unprepared = await prepare(task, args);
    if (unprepared && task.counts) console.log(formatCount({ passed: 0, failed: 1, skipped: 0 }));
    process.exitCode = unprepared || (await task.run(args));
  } finally {
    if (runtimeDir) rmSync(runtimeDir, { recursive: true, force: true });
  }
}

async function prepare(task, args) {
  for (const folder of [".", ...(task.tools?.(args) ? ["scripts"] : [])]) {
    if (!needsInstall(folder)) continue;
    say(`installing the packages of ${join(folder, "package-lock.json")} (npm ci)`);
    if (exec("npm", ["ci", "--loglevel=notice", "--prefix", folder]))
      return fail("npm ci failed; its output is above");
  }
  const built = task.meanwhile && background(task.meanwhile);
  if (task.devices && existsSync(join(ROOT, "scripts/setup-devices.mjs"))) {
    say("looking for devices and their drivers (scripts/setup-devices.mjs)");
    if (node("scripts/setup-devices.mjs", ...(task.setup ?? []))) {
      if (task.devices === "require") return fail("devices are missing, and CI requires them");
      say("some devices are missing; going on with those that are here");
    }
  }
  if (built) {
    say("building the command line");
    if (await built) return fail("the build failed; its output is above");
  }
  if (!task.build) return 0;
  say("building (tsc -b)");
  if (build()) return fail("the build failed; its output is above");
  process.env.GROUPWISE_BUILT = "1"; // tests run what was built
  return 0;
}

/** One process builds all packages, which reads each declaration once; then texts of help are written. */
function build() {
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`);
  return node(...BUILD, ...packages) || node("packages/cli/dist/write-help.js");
}

async function check() {
  say("checking (lint, types, size)");
  const failures = await Promise.all(CHECKS.map(background));
  return failures.some(Boolean) ? 1 : 0;
}

/** Runs the checks and then the tests of the packages whose files, dependencies or drivers have changed; in CI of all, by one Vitest. */
async function testAll() {
  const failedChecks = await check();
  // `.ci/run` has these files in full afterwards.
  if (process.env.GROUPWISE_CI_PART === "later") process.env.GROUPWISE_LATER = CI_PART.join(" ");
  if (process.env.CI) return testFiles([], failedChecks);
  say("running the tests of all packages (turbo run test test:root)");
  const begun = Date.now();
  process.env.GROUPWISE_DRIVERS = driversDigest();
  const options = ["--continue=always", "--concurrency=2", "--output-logs=new-only"];
  const status = node(TURBO, "run", "test", "test:root", ...options);
  const reports = [...placesOfTests().own, ""].map((place) =>
    readReport(join(ROOT, place, ".cache", "tests.json")),
  );
  return conclude(reports, status, failedChecks, begun);
}

/** Runs test files by parts of their names; all where there are none. */
function testFiles(files, failedBefore) {
  say("running tests (vitest run)");
  const report = join(ROOT, ".cache", "vitest.json");
  rmSync(report, { force: true });
  const status = node(VITEST, "run", REPORTER, "--reporter=json", `--outputFile.json=${report}`, ...files);
  return conclude([readReport(report)], status, failedBefore);
}

const readReport = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined);

/** Prints the processor time and, as the last line, the count. @param begun tests of an earlier report have not run again */
function conclude(reports, status, failed, begun = 0) {
  const total = countTests(reports, { status, failed, begun });
  for (const name of total.brokenFiles) say(`did not load: ${name}`);
  if (failed) say("not all that ran before the tests passed, see above; each counts as one failure");
  printProcessorTime();
  console.log(formatCount(total));
  return total.failed ? 1 : status;
}

function printProcessorTime() {
  const used = processorSeconds();
  const budget = BUDGETS[process.argv[2]];
  if (used === undefined || budget === undefined) return;
  const minutes = (seconds) => `${(seconds / 60).toFixed(1)} min`;
  say(`processor time: ${minutes(used)}; budget: ${minutes(budget)} from a clean clone`);
}

/** Changes with every package of the system, drivers among them: turbo does not know them. */
function driversDigest() {
  const packages = spawnSync("dpkg-query", ["-W"], { encoding: "utf8" }).stdout ?? "";
  const icds = process.env.OCL_ICD_VENDORS ?? "";
  return createHash("sha256")
    .update(`${process.version} ${release()} ${icds} ${packages}`)
    .digest("hex")
    .slice(0, 16);
}

/**
 * Makes the documentation, tests its site, and meanwhile runs a sample of the faults that tests must catch: neither keeps two processors busy. Returns
 * the number of the two that failed.
 */
async function siteAndFaults(faults) {
  say("making and testing the site (turbo run docs test:site); meanwhile faults (scripts/faults.mjs)");
  const failures = await Promise.all([
    background(turboArguments("docs", "test:site", "--continue=always")),
    background(["scripts/faults.mjs", "--sample", String(faults)]),
  ]);
  return failures.filter((code) => code !== 0).length;
}

function needsInstall(folder) {
  const stamp = join(ROOT, folder, "node_modules/.package-lock.json");
  const lock = join(ROOT, folder, "package-lock.json");
  return !existsSync(stamp) || statSync(lock).mtimeMs > statSync(stamp).mtimeMs;
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.exit(fail(`Node ${process.versions.node} is too old; install Node 20.19 or newer`, 2));
}

/** Dawn opens no Vulkan device without XDG_RUNTIME_DIR. Returns the directory to remove afterwards, if any. */
function ensureRuntimeDir() {
  if (process.platform !== "linux" || process.env.XDG_RUNTIME_DIR) return undefined;
  const directory = mkdtempSync(join(tmpdir(), "groupwise-"));
  process.env.XDG_RUNTIME_DIR = directory;
  return directory;
}

function exec(command, args) {
  const onWindows = command !== process.execPath && process.platform === "win32"; // npm is a .cmd file there
  const result = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", shell: onWindows });
  if (result.error) console.error(`groupwise: ${command}: ${result.error.message}`);
  return result.status ?? 1;
}

/** Starts a program of Node that runs concurrently with the next ones. @returns {Promise<number>} its status */
function background(args) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

const turboArguments = (...tasks) => [TURBO, "run", ...tasks, "--output-logs=errors-only"];
const turbo = (...tasks) => node(...turboArguments(...tasks));
const node = (...args) => exec(process.execPath, args);
const say = (text) => console.log(`groupwise: ${text}`);

function fail(text, status = 1) {
  console.error(`groupwise: ${text}`);
  return status;
}

await main(process.argv.slice(2));
