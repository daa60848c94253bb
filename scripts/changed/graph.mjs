// Which test files a change can reach: a file depends on everything that it names as a module or as a path.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Any quoted text that may name a module or a file: imports, and programs that tests bundle or start. */
const QUOTED = /["'`]((?:\.{1,2}\/|@groupwise\/|[\w-]+\.[a-z])[^"'`\s$]*)["'`]/g;

const isFile = (path) => existsSync(path) && statSync(path).isFile();

/** The source that `@groupwise/x/y` stands for. */
function sourceOf(root, name) {
  const [, short, rest = ""] = /^@groupwise\/([^/]+)(?:\/(.*))?$/.exec(name) ?? [];
  const directory = join(root, "packages", short ?? "");
  const manifest = join(directory, "package.json");
  if (!short || !isFile(manifest)) return undefined;
  const { exports = {} } = JSON.parse(readFileSync(manifest, "utf8"));
  const entry = exports[rest ? `./${rest}` : "."]?.["@groupwise/source"];
  return entry && join(directory, entry);
}

/** Files that a file names. */
export function namedBy(root, file) {
  const names = [...readFileSync(file, "utf8").matchAll(QUOTED)].map(([, name]) => name);
  const places = names.flatMap((name) => {
    if (name.startsWith("@groupwise/")) return [sourceOf(root, name)];
    // Built files are replaced by the sources that they are built from.
    const path = resolve(dirname(file), name);
    return [path, path.replace("/dist/", "/src/").replace(/\.js$/, ".ts")];
  });
  return [...new Set(places.filter((path) => path && isFile(path) && /\.(ts|mjs|js|json)$/.test(path)))];
}

/** All test files, as paths from the root. */
export function allTests(root) {
  const roots = [
    ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/test`),
    "examples/test",
    "apps/docs/test",
    "scripts",
  ];
  return roots.flatMap((directory) => {
    const at = join(root, directory);
    if (!existsSync(at)) return [];
    return readdirSync(at, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.(ts|mjs)$/.test(name))
      .map((name) => `${directory}/${name.replaceAll("\\", "/")}`);
  });
}

/** For each test file the files that it reaches, including itself, as paths from the root. */
export function reachOf(root, tests) {
  const named = new Map();
  const next = (file) => {
    const known = named.get(file) ?? namedBy(root, file);
    named.set(file, known);
    return known;
  };
  return new Map(
    tests.map((test) => {
      const seen = new Set([join(root, test)]);
      for (const file of seen) for (const other of next(file)) seen.add(other);
      return [test, new Set([...seen].map((file) => relative(root, file).replaceAll("\\", "/")))];
    }),
  );
}
