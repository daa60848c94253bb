/** A copy of the project in which files may be changed. */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Files that git tracks, and new ones that it does not ignore. */
const filesOf = (root) =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)));

/** Hard links to all files of a folder. Symbolic links are copied; relative ones refer to the copy. */
function linkAll(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // Vitest writes there.
    if (entry.name === ".vite" || entry.name === ".vite-temp") continue;
    if (entry.isDirectory()) linkAll(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target);
      }
    }
  }
}

const sameFile = (a, b) => existsSync(b) && readFileSync(a).equals(readFileSync(b));

/** Updates the copy and keeps the compiled kernels of drivers. */
export function copyTree(root, tree) {
  mkdirSync(tree, { recursive: true });
  const files = filesOf(root);
  const known = new Set(files);
  for (const entry of readdirSync(tree, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name).slice(tree.length + 1);
    const isKept = /(^|[/\\])(node_modules|\.cache)([/\\]|$)/.test(file);
    if (entry.isFile() && !isKept && !known.has(file)) rmSync(join(tree, file));
  }
  for (const file of files) {
    const [source, target] = [join(root, file), join(tree, file)];
    if (sameFile(source, target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
  }
  const folders = [
    "node_modules",
    ...files
      .filter((file) => /^(packages|apps)\/[^/]+\/package\.json$/.test(file))
      .map((file) => join(dirname(file), "node_modules")),
  ];
  for (const folder of folders) {
    rmSync(join(tree, folder), { recursive: true, force: true });
    if (existsSync(join(root, folder))) linkAll(join(root, folder), join(tree, folder));
  }
}
