#!/usr/bin/env node
/**
 * Prints measures of the sources beside those of an earlier commit: `npm run measures -- [COMMIT [BUILTIN]]`. BUILTIN is a commit that adds a builtin to the kernel
 * language, as e9e89492 did.
 */
import { execSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { circlesOf, reachedFrom, sharedNames } from "./rules.mjs";
import { sourcesOf } from "./sources.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [before = "e6ab42b3", builtin] = process.argv.slice(2);
const git = (args) => execSync(`git ${args}`, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 28 });

/** Lowest first, with their folders in core, in which they were before they became packages. */
const ROOMS = {
  ir: ["ir"],
  kernel: ["kernel", "capabilities", "passes", "print", "routines", "soft", "functions"].map(
    (name) => `compiler/${name}`,
  ),
  lower: ["compiler"],
  runtime: ["host"],
  streams: ["ir/state", "ir/rounds", "compiler/carry", "host/state", "host/streams", "host/across"],
  core: [""],
};
const ORDER = Object.keys(ROOMS);
const FOLDERS = Object.entries(ROOMS)
  .flatMap(([room, folders]) => [
    { room, prefix: `packages/${room}/src/` },
    ...folders.map((folder) => ({ room, prefix: `packages/core/src/${folder}${folder && "/"}` })),
  ])
  .sort((a, b) => b.prefix.length - a.prefix.length);

/** The room of a file: that of the longest of the folders that contain it. */
const roomOf = (path) => FOLDERS.find(({ prefix }) => path.startsWith(prefix))?.room;

const isUpwards = (from, to) => {
  const [own, other] = [roomOf(from), roomOf(to)];
  return own !== undefined && ORDER.indexOf(own) < ORDER.indexOf(other);
};

/** The sources at a commit. */
function sourcesAt(commit) {
  const folder = mkdtempSync(join(tmpdir(), "measures-"));
  try {
    execSync(`git archive ${commit} packages | tar -x -C ${folder}`, { cwd: ROOT });
    return sourcesOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Files of look-back, and of lanes, that its lowering reaches. */
function lookBackFiles(sources) {
  const next = new Map(sources.map(({ path, imports }) => [path, imports]));
  const isOwn = (path) => /look-back|\/lanes?[/.]/.test(path);
  return sources
    .filter(({ path }) => /\/look-back(\/lower)?\.ts$/.test(path) && roomOf(path) === "lower")
    .flatMap(({ path }) => [path, ...reachedFrom(path, next)].filter(isOwn));
}

/** By file, the lines of the compiler that mention chunks, outside of the room of streams. */
const carryingLines = (sources) =>
  sources
    .filter(({ path }) => ["kernel", "lower"].includes(roomOf(path)))
    .map(
      ({ text }) => text.split("\n").filter((line) => /carrying|carries|carried|inchunk/i.test(line)).length,
    )
    .filter((lines) => lines > 0);

const touchedBy = (commit) =>
  git(`diff-tree --no-commit-id --name-only -r ${commit}`)
    .split("\n")
    .filter((path) => /^packages\/[^/]+\/src\//.test(path)).length;

const linesAt = (commit) =>
  git(`grep -c "" ${commit} -- "*.ts" "*.mts" "*.mjs" "*.js" ":!*/golden/*"`)
    .trimEnd()
    .split("\n")
    .reduce((sum, line) => sum + Number(line.split(":").at(-1)), 0);

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** The values of all rows. */
function columnOf(sources, commit, builtinCommit) {
  const carrying = carryingLines(sources);
  return {
    "source files touched by a new builtin": builtinCommit ? touchedBy(builtinCommit) : "not tried",
    "files of look-back and lanes to read for its kernel": new Set(lookBackFiles(sources)).size,
    "imports against the order": sum(
      sources.map(({ path, imports }) => imports.filter((to) => isUpwards(path, to)).length),
    ),
    "circles of values": circlesOf(sources).length,
    "exported type names with two or more definitions": sharedNames(sources).length,
    "lines about chunks in the compiler, outside their room": `${sum(carrying)} in ${carrying.length} files`,
    "type assertions in core": sum(sources.filter(({ path }) => roomOf(path)).map((one) => one.assertions)),
    "lines of TypeScript and scripts": linesAt(commit),
  };
}

const columns = [columnOf(sourcesAt(before), before, "e9e89492"), columnOf(sourcesOf(ROOT), "", builtin)];
console.log(`| measure | ${before} | now |\n| --- | --- | --- |`);
for (const name of Object.keys(columns[0]))
  console.log(`| ${name} | ${columns.map((column) => column[name]).join(" | ")} |`);
