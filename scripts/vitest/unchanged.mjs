// Pure test files that need not run again: they passed, and nothing that they depend on has changed. Tests of devices
// always run, since drivers are no files of the project.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reachOf } from "../changed/graph.mjs";

const FILE = "unchanged.json";
const MODULE = /\.(ts|mts|mjs|js)$/;
/** Programs and lists of files: such a test depends on more than the modules that it names. */
const MORE = /readdir|globSync|spawn|execFile|fork\(|runProcess|\bdist\b|cwd\(/;
/** Modules that every run depends on. */
const EVERYWHERE = /^(vitest\.config\.ts|scripts\/(vitest|changed)\/)/;

const pathOf = (root) => join(root, ".cache", FILE);

/** Results of earlier runs: for each test file the digest of its dependencies when it passed, and its number of tests. */
function known(root) {
  try {
    return JSON.parse(readFileSync(pathOf(root), "utf8")).passed;
  } catch {
    return {};
  }
}

/** The files of the checkout, as paths from the root. */
function filesOf(root) {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const found = execFileSync("git", list, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return found.split("\0").filter((path) => path && existsSync(join(root, path)));
}

/** A digest of each test file with all its dependencies; none for tests that depend on more than files. */
export function digestsOf(root, tests, reach = reachOf(root, tests), all = filesOf(root)) {
  const texts = new Map();
  const textOf = (path) => {
    if (!texts.has(path)) texts.set(path, readFileSync(join(root, path)));
    return texts.get(path);
  };
  const digestOf = (base, paths) => {
    const hash = createHash("sha256").update(base);
    for (const path of [...paths].sort()) hash.update(`\0${path}\0`).update(textOf(path));
    return hash.digest("hex");
  };
  const isShared = (path) => EVERYWHERE.test(path) || !MODULE.test(path);
  const shared = digestOf(`${process.version} ${process.platform}`, all.filter(isShared));
  const isOpen = (path) =>
    /(^|\/)test\/|^scripts\/|^examples\//.test(path) && MORE.test(textOf(path).toString());
  return new Map(
    tests
      .filter((test) => ![...reach.get(test)].some(isOpen))
      .map((test) => [test, digestOf(shared, reach.get(test))]),
  );
}

/**
 * Splits test files into those to run and those that passed with the same digest, and notes both for {@link keepPassed}.
 * @param how `leave`; `note` if all are to run, so that a later run can leave out those that pass now
 * @returns the files to run
 */
export function withoutUnchanged(root, tests, how = "leave") {
  let digests;
  try {
    digests = digestsOf(root, tests);
  } catch {
    return tests; // not a git checkout
  }
  const passed = known(root);
  const isUnchanged = (test) =>
    how === "leave" && digests.has(test) && passed[test]?.digest === digests.get(test);
  const left = tests.filter(isUnchanged);
  mkdirSync(dirname(pathOf(root)), { recursive: true });
  writeFileSync(pathOf(root), JSON.stringify({ passed, left, digests: Object.fromEntries(digests) }));
  return tests.filter((test) => !isUnchanged(test));
}

/** The files that the last run omitted, and their number of tests. */
export function leftOut(root) {
  if (!existsSync(pathOf(root))) return { files: 0, tests: 0 };
  const { passed, left } = JSON.parse(readFileSync(pathOf(root), "utf8"));
  return { files: left.length, tests: left.reduce((sum, test) => sum + passed[test].tests, 0) };
}

/** Stores the files that passed; `results` contains for each file whether it passed, and its number of tests. */
export function keepPassed(root, results) {
  if (!existsSync(pathOf(root))) return;
  const { passed, left, digests } = JSON.parse(readFileSync(pathOf(root), "utf8"));
  for (const { path, isPassed, tests } of results) {
    delete passed[path];
    if (isPassed && digests[path]) passed[path] = { digest: digests[path], tests };
  }
  writeFileSync(pathOf(root), JSON.stringify({ passed, left, digests }));
}
