// Writes the address of the public repository to all manifests: `node scripts/packages/repository.mjs https://github.com/OWNER/NAME [SITE]`.
// npm shows the fields, and publishes with provenance only if `repository` is the one that the workflow runs in.
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { publishedPackages, ROOT } from "./published.mjs";

const ADDRESS = /^https:\/\/github\.com\/[\w-]+\/[\w.-]+?(?=\.git$|\/?$)/;

/**
 * The fields of a package.
 * @param address of the repository, as `https://github.com/OWNER/NAME`
 * @param folder of the package in it; empty for the root
 * @param site the home page; default: the repository
 */
export function fieldsOf(address, folder, site = address) {
  const [link] = ADDRESS.exec(address) ?? [];
  if (link === undefined) throw new Error(`${address} is not an address like https://github.com/OWNER/NAME`);
  const directory = folder.replaceAll("\\", "/");
  return {
    homepage: site === address ? `${link}#readme` : new URL(site).href,
    bugs: { url: `${link}/issues` },
    repository: { type: "git", url: `git+${link}.git`, ...(directory && { directory }) },
  };
}

/** The manifest with the fields after `license`, where npm's documentation has them. */
export function withFields(manifest, fields) {
  const { homepage: _, bugs: __, repository: ___, ...rest } = manifest;
  const entries = Object.entries(rest);
  const at = 1 + entries.findIndex(([key]) => key === "license");
  return Object.fromEntries([...entries.slice(0, at), ...Object.entries(fields), ...entries.slice(at)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [address = "", site] = process.argv.slice(2);
  for (const folder of [ROOT, ...publishedPackages().map((one) => one.folder)]) {
    const file = join(folder, "package.json");
    const fields = fieldsOf(address, relative(ROOT, folder), site);
    const manifest = withFields(JSON.parse(readFileSync(file, "utf8")), fields);
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
    console.log(`wrote ${relative(ROOT, file)}`);
  }
}
