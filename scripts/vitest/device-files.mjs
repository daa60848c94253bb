// Which test files open devices, determined by their imports and those of files beside them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Entries that open devices or run checks on them, as names and as paths in the testkit. */
const DEVICES = /^@groupwise\/(testkit\/(devices|conformance|remote)|target-(c|opencl|wgsl)\/runtime)$/;
const PLACES = /\/packages\/testkit\/src\/(devices\/|conformance\.ts)/;

/** The module names that a file imports before it runs, types aside. */
export function importsOf(text) {
  const statement = /^(?:import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm;
  return [...text.matchAll(statement)].map(([, name]) => name);
}

function opensDevices(file, seen = new Set()) {
  if (PLACES.test(file)) return true;
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  return importsOf(readFileSync(file, "utf8")).some(
    (name) =>
      DEVICES.test(name) || (name.startsWith(".") && opensDevices(resolve(dirname(file), name), seen)),
  );
}

/** Files that need a separate process: they replace modules, or set the environment of Oclgrind, which reads it once. */
const ALONE = /\bvi\.(mock|doMock|resetModules)\(|^import [^;]*from "\.\/oclgrind\.ts"/m;

const TEST = /\.test\.m?[jt]s$/;

function directoriesIn(root) {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/test`);
  return [...packages, "examples/test", "apps/docs/test", "scripts"].filter((path) =>
    existsSync(join(root, path)),
  );
}

/** The project's test files in three kinds, relative to its root. */
export function testFilesOf(root) {
  const kinds = { pure: [], devices: [], alone: [] };
  const kindOf = (file) => {
    if (ALONE.test(readFileSync(file, "utf8"))) return "alone";
    return opensDevices(file) ? "devices" : "pure";
  };
  for (const directory of directoriesIn(root)) {
    const all = readdirSync(join(root, directory), { recursive: true, encoding: "utf8" });
    const tests = all
      .map((path) => `${directory}/${path.replaceAll("\\", "/")}`)
      .filter((path) => TEST.test(path));
    for (const path of tests.sort()) kinds[kindOf(resolve(root, path))].push(path);
  }
  return kinds;
}
