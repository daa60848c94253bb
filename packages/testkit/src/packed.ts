/** The public packages as npm publishes them, and projects that install them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ProcessOptions, runProcess, scratchDirectory } from "./devices/process.ts";

const ROOT: string = fileURLToPath(new URL("../../..", import.meta.url));

interface Package {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Of the packages that are published. */
function published(): readonly Package[] {
  return readdirSync(join(ROOT, "packages"))
    .map((name) => JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8")) as Package)
    .filter((one) => !one.private);
}

/** The output of a process on stdout. @throws Error with all output if it fails */
export async function done(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProcess(command, args, options);
  if (code === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")} ended with ${code}\n${stdout}${stderr}`);
}

let packed: Promise<ReadonlyMap<string, string>> | undefined;

async function pack(): Promise<ReadonlyMap<string, string>> {
  const folder = scratchDirectory();
  const workspaces = published().flatMap(({ name }) => ["-w", name]);
  const json = await done("npm", ["pack", "--json", "--pack-destination", folder, ...workspaces], {
    cwd: ROOT,
  });
  const files = JSON.parse(json) as readonly { readonly name: string; readonly filename: string }[];
  return new Map(files.map(({ name, filename }) => [name, join(folder, filename)]));
}

/** The tarball of each published package, by name. They are packed once for each process, from the build. */
export function tarballs(): Promise<ReadonlyMap<string, string>> {
  packed ??= pack();
  return packed;
}

/** The packages of this project that some of them need, themselves included. */
export function closureOf(names: readonly string[]): readonly string[] {
  const all = new Map(published().map((one) => [one.name, one]));
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (!all.has(name) || found.has(name)) return;
    found.add(name);
    Object.keys(all.get(name)?.dependencies ?? {}).forEach(visit);
  };
  names.forEach(visit);
  return [...found];
}

/**
 * `npm install` in a folder, the packages of this project from their tarballs and the others from the registry.
 * @param words names of packages, and options
 * @param env chooses the Node that npm runs on
 */
export async function installIn(
  folder: string,
  words: readonly string[],
  env: ProcessOptions["env"] = {},
): Promise<void> {
  const files = await tarballs();
  const own = closureOf(words).map((name) => files.get(name) as string);
  const rest = words.filter((word) => !files.has(word));
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await done("npm", ["install", ...quiet, ...own, ...rest], { cwd: folder, env });
}

export { fetched, findBun, findNode, findNodeForArm, NODES, unpacked, withNode } from "./fetched.ts";
export { type PageOptions, textOfPage } from "./vite-page.ts";
