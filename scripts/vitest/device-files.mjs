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

/** The test files under a directory, relative to it, in the two kinds. */
export function testFilesOf(directory) {
  const root = join(directory, "test");
  const all = existsSync(root)
    ? readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"))
    : [];
  const kinds = { pure: [], devices: [] };
  for (const name of all.map((path) => path.replaceAll("\\", "/")).sort())
    kinds[opensDevices(resolve(root, name)) ? "devices" : "pure"].push(`test/${name}`);
  return kinds;
}
