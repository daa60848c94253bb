/** The packages that are published, and the modules that their users import. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** @returns the folder and the manifest of each published package */
export function publishedPackages() {
  return readdirSync(join(ROOT, "packages"))
    .map((name) => {
      const folder = join(ROOT, "packages", name);
      return { folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) };
    })
    .filter(({ manifest }) => !manifest.private);
}

/** @returns the public entries of a package that have types made from sources: the path below its name, and the built declarations */
export function entriesOf({ folder, manifest }) {
  return Object.entries(manifest.exports).flatMap(([path, { types }]) =>
    types?.default && !path.startsWith("./internal/") && !path.includes("*")
      ? [{ path, declarations: join(folder, types.default) }]
      : [],
  );
}

/** The name of each package whose modules are all open, but only to packages of this project. */
export const internalPackages = () =>
  publishedPackages()
    .filter(({ manifest }) => "./*.js" in manifest.exports)
    .map(({ manifest }) => manifest.name);
