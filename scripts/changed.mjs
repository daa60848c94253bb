// Runs the tests that a change can affect: `npm run test:changed [REVISION]`, by default since the last commit.
// By package: test files that reach a changed source. By emitted text: where only what decides the text has changed,
// checks on devices whose text is the same are left out.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { hasOnlyChecks, isEmitting } from "./changed/emitting.mjs";
import { allTests, reachOf } from "./changed/graph.mjs";
import { revisionOf, sortChanges } from "./changed/sources.mjs";
import { changedChecks, emittedAt, emittedBy } from "./changed/texts.mjs";
import { testFilesOf } from "./vitest/device-files.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const SCRATCH = join(ROOT, ".cache", "changed");
const CHECKS = join(SCRATCH, "checks.json");

/** Files that every run depends on. */
const EVERYWHERE =
  /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|scripts\/vitest\/.*|packages\/[^/]+\/package\.json)$/;

const say = (text = "") => console.log(text);
const list = (paths, most = 12) =>
  [...paths.slice(0, most), ...(paths.length > most ? [`and ${paths.length - most} more`] : [])]
    .map((path) => `  ${path}`)
    .join("\n");

const { devices, alone } = testFilesOf(ROOT);
const deviceTests = new Set([...devices, ...alone]);

async function choose(revision) {
  const { real, comments } = sortChanges(ROOT, revision);
  if (comments.length > 0) say(`Only comments or layout differ:\n${list(comments)}`);
  if (real.length > 0) say(`Changed:\n${list(real)}`);
  const tests = allTests(ROOT);
  const reach = reachOf(ROOT, tests);
  const everywhere = real.filter((path) => EVERYWHERE.test(path));
  const reached = (path) => real.some((changed) => reach.get(path).has(changed));
  // A test may read its own lines.
  const own = tests.filter((path) => comments.includes(path));
  const wanted = new Set(everywhere.length > 0 ? tests : [...tests.filter(reached), ...own]);
  const emitting = real.filter(isEmitting);
  const others = real.filter(
    (path) => !isEmitting(path) && reach.size > 0 && tests.some((test) => reach.get(test).has(path)),
  );
  // Texts are compared only if nothing but emitting has changed. Tests that reach another change run all checks.
  if (everywhere.length > 0 || emitting.length === 0) return { tests, wanted };
  say("Emitting the pipelines of all checks, before and now …");
  const [before, now] = [await emittedAt(ROOT, revision, SCRATCH), await emittedBy(ROOT, SCRATCH)];
  const changed = changedChecks(before, now);
  say(`${changed.length} of ${Object.keys(now).length} checks have another text.`);
  const byText = [...wanted].filter(
    (path) => deviceTests.has(path) && !others.some((other) => reach.get(path).has(other)),
  );
  // Other tests have pipelines of their own, whose texts are not compared.
  const isSame = (path) => changed.length === 0 && hasOnlyChecks(readFileSync(join(ROOT, path), "utf8"));
  for (const path of byText.filter(isSame)) wanted.delete(path);
  return { tests, wanted, unchanged: Object.keys(now).filter((name) => !changed.includes(name)), byText };
}

async function main([name = "HEAD", ...more]) {
  if (more.length > 0) return fail("one revision at a time: npm run test:changed -- REVISION");
  let revision;
  try {
    revision = revisionOf(ROOT, name);
  } catch {
    return fail(`there is no revision ${name}`);
  }
  const { tests, wanted, unchanged = [], byText = [] } = await choose(revision);
  const left = tests.filter((path) => !wanted.has(path));
  const leave = () => {
    if (left.length > 0)
      say(
        `Left out, because nothing that they reach has changed: ${left.length} of ${tests.length} test files`,
      );
    const later = byText.filter((path) => wanted.has(path));
    if (unchanged.length > 0 && later.length > 0)
      say(
        `Left out of ${later.length} device test files: ${unchanged.length} checks whose emitted text is the same`,
      );
    say("Left out as well: lint, types, documentation, size, and everything of the full run.");
  };
  if (wanted.size === 0) {
    leave();
    say("Nothing to run.");
    return 0;
  }
  mkdirSync(SCRATCH, { recursive: true });
  writeFileSync(CHECKS, JSON.stringify({ files: byText, unchanged }));
  const args = ["--no-install", "vitest", "run", "--reporter=./scripts/vitest/reporter.mjs", ...wanted];
  const env = { ...process.env, ...(unchanged.length > 0 ? { GROUPWISE_UNCHANGED: CHECKS } : {}) };
  const { status } = spawnSync("npx", args, {
    cwd: ROOT,
    stdio: "inherit",
    env,
    shell: process.platform === "win32",
  });
  leave();
  return status ?? 1;
}

function fail(text) {
  console.error(`groupwise: ${text}`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2));
