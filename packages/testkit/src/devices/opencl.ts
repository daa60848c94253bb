import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Found, found, missing, orThrow } from "./found.ts";
import { type ProcessOptions, type ProcessResult, runProcess, sharedDirectory } from "./process.ts";
import { rootFolder } from "./roots.ts";

export type OpenClPlatform = "pocl" | "oclgrind" | "pocl6";

/** How to start Node so that it sees only one OpenCL platform. */
export interface OpenClEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** The program and its first arguments: Node itself, or a loader that runs Node. */
  readonly command: readonly [string, ...string[]];
}

export interface OpenClVendor {
  /** The file's name without `.icd`. */
  readonly name: string;
  readonly library: string;
}

const VENDORS: readonly string[] = ["/etc/OpenCL/vendors", "/usr/local/etc/OpenCL/vendors"];
const LIBRARIES: readonly string[] = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"];
const OCLGRIND: readonly string[] = ["/usr/lib/oclgrind", "/usr/local/lib", "/usr/lib"].map((directory) =>
  join(directory, "liboclgrind-rt-icd.so"),
);

/** The drivers that OpenCL's loader finds on this machine: those of OCL_ICD_VENDORS when that is set. */
export function openClVendors(): readonly OpenClVendor[] {
  const named = process.env.OCL_ICD_VENDORS;
  return (named ? [named] : VENDORS)
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => readdirSync(directory).map((name) => join(directory, name)))
    .filter((file) => file.endsWith(".icd"))
    .map((file) => ({ name: basename(file, ".icd"), library: readFileSync(file, "utf8").trim() }));
}

/** A vendor directory that names this one library. */
function onlyVendor(name: string, library: string): Record<string, string> {
  const directory = sharedDirectory(`icd-${name}`);
  const file = join(directory, `${name}.icd`);
  const line = `${library}\n`;
  // Several processes may run this at once: a process that finds it correct does not change it.
  if (!existsSync(file) || readFileSync(file, "utf8") !== line) {
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, line);
    renameSync(fresh, file);
  }
  return { OCL_ICD_VENDORS: directory };
}

/** N of the libpocl.so.2.N that a vendor's file names; -1 if it is not PoCL. */
function minorOfPocl({ library }: OpenClVendor): number {
  const places = library.startsWith("/") ? [library] : LIBRARIES.map((directory) => join(directory, library));
  const file = places.find((place) => existsSync(place));
  return Number(/libpocl\.so\.2\.(\d+)/.exec(file ? realpathSync(file) : "")?.[1] ?? -1);
}

/**
 * PoCL 6 needs a newer glibc than Debian 12 has. It needs no chroot: the root's dynamic loader runs the Node of this machine
 * with the root's libraries, and PoCL finds its files relative to its own path. `process.execPath` is then the loader, so
 * such a Node cannot start another Node with it.
 */
function findPocl6(): Found<OpenClEnvironment> {
  const root = rootFolder("pocl6");
  const lib = join(root, "usr/lib");
  const triple = existsSync(lib) ? readdirSync(lib).find((name) => name.endsWith("-linux-gnu")) : undefined;
  const libraries = join(lib, triple ?? "");
  const loader = ["lib64/ld-linux-x86-64.so.2", "lib/ld-linux-aarch64.so.1"]
    .map((name) => join(root, name))
    .find((file) => existsSync(file));
  const library = join(libraries, "libpocl.so.2");
  // A Debian that has PoCL 6 itself (libpocl 2.13) needs no second root.
  const own = openClVendors().find((vendor) => minorOfPocl(vendor) >= 13);
  if (own) return found({ env: onlyVendor("pocl6", own.library), command: [process.execPath] });
  if (!triple || !loader || !existsSync(library)) {
    return missing("there is no root with PoCL 6");
  }
  const command = [loader, "--library-path", libraries, process.execPath] as const;
  return found({ env: onlyVendor("pocl6", library), command: [...command] });
}

const FINDERS: Readonly<Record<OpenClPlatform, () => Found<OpenClEnvironment>>> = {
  pocl: () => {
    const vendor = openClVendors().find(({ library }) => /libpocl/.test(library));
    if (!vendor) return missing("PoCL is not installed");
    return found({ env: onlyVendor("pocl", vendor.library), command: [process.execPath] });
  },
  oclgrind: () => {
    const library = OCLGRIND.find((file) => existsSync(file));
    if (!library) return missing("Oclgrind is not installed");
    return found({ env: onlyVendor("oclgrind", library), command: [process.execPath] });
  },
  pocl6: findPocl6,
};

/**
 * How to see one OpenCL platform. The loader reads OCL_ICD_VENDORS at the first OpenCL call of a process, so
 * set `env` before that, or start a child with {@link runNodeOn}. PoCL and Oclgrind contain different LLVMs, so a process
 * can load only one of them.
 */
export function findOpenCl(platform: OpenClPlatform): Found<OpenClEnvironment> {
  return FINDERS[platform]();
}

/** Runs a Node program (`args`: Node's arguments, the script's path, the script's arguments) on one platform. */
export function runNodeOn(
  platform: OpenClPlatform,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  const { env, command } = orThrow(findOpenCl(platform));
  const [program, ...first] = command;
  return runProcess(program, [...first, ...args], { ...options, env: { ...env, ...options.env } });
}
