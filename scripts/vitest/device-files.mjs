// Which test files open devices: told by what they import, themselves or through files beside them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Entries that open devices or run checks on them, as names and as places in the testkit. */
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

/** Files that need a process to themselves: they replace modules, or set the environment of Oclgrind, which reads it once. */
const ALONE = /^vi\.mock\(|^import [^;]*from "\.\/oclgrind\.ts"/m;

/** The test files under a directory, relative to it, in three kinds. */
export function testFilesOf(directory) {
  const root = join(directory, "test");
  const all = existsSync(root)
    ? readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"))
    : [];
  const kinds = { pure: [], devices: [], alone: [] };
  const kindOf = (file) => {
    if (ALONE.test(readFileSync(file, "utf8"))) return "alone";
    return opensDevices(file) ? "devices" : "pure";
  };
  for (const name of all.map((path) => path.replaceAll("\\", "/")).sort())
    kinds[kindOf(resolve(root, name))].push(`test/${name}`);
  return kinds;
}
