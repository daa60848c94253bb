/** The settings that the Vulkan loader reads from the environment and from disk. */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const DIRECTORIES: readonly string[] = [
  "/etc/vulkan/icd.d",
  join(homedir(), ".local/share/vulkan/icd.d"),
  "/usr/local/share/vulkan/icd.d",
  "/usr/share/vulkan/icd.d",
];

/** Where browsers keep the SwiftShader they bring along. */
const BROWSERS: readonly string[] = [
  "/usr/lib/chromium",
  "/usr/lib/chromium-browser",
  "/usr/lib64/chromium-browser",
  "/opt/google/chrome",
];

/** The installed driver files. */
export const installedDrivers = (): readonly string[] =>
  DIRECTORIES.filter((directory) => existsSync(directory)).flatMap((directory) =>
    readdirSync(directory)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(directory, name)),
  );

/** The driver files of this machine: those that the environment names, or the installed ones. */
export const vulkanDrivers = (): readonly string[] => namedDrivers()?.split(delimiter) ?? installedDrivers();

/** SwiftShader's driver file, where a browser brought it. */
export function swiftShader(): string | undefined {
  return BROWSERS.map((directory) => join(directory, "vk_swiftshader_icd.json")).find((file) =>
    existsSync(file),
  );
}

const namedDrivers = (): string | undefined => process.env.VK_DRIVER_FILES || process.env.VK_ICD_FILENAMES;

export type Environment = Readonly<Record<string, string>>;

/** With these variables the Vulkan loader sees a browser's SwiftShader beside the installed drivers. */
export function browserDrivers(): Environment {
  const extra = swiftShader();
  if (process.platform !== "linux" || extra === undefined) return {};
  const named = namedDrivers();
  // The list of additions counts only where no list is named; the older name is that of loaders before 1.3.207.
  if (named === undefined) return { VK_ADD_DRIVER_FILES: extra };
  const files = [...new Set([...named.split(delimiter), extra])].join(delimiter);
  return { VK_DRIVER_FILES: files, VK_ICD_FILENAMES: files };
}

/** Sets variables for the time of a call: the Vulkan loader reads them each time that an instance is made. */
export function withEnvironment<T>(env: Environment, act: () => T): T {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    return act();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Sets the XDG_RUNTIME_DIR that drivers require, if this process has none. */
export function prepareEnvironment(): void {
  if (process.platform !== "linux" || process.env.XDG_RUNTIME_DIR) return;
  process.env.XDG_RUNTIME_DIR = ownDirectory() ?? passingDirectory();
}

/** One for all runs of this user: nothing has to be removed when a signal ends a run. */
function ownDirectory(): string | undefined {
  const uid = process.getuid?.();
  const directory = join(tmpdir(), `groupwise-${uid}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch {
    return undefined;
  }
  // Anybody may have made it: the folder of temporary files is everybody's.
  const stats = lstatSync(directory);
  return stats.isDirectory() && stats.uid === uid ? directory : undefined;
}

function passingDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "groupwise-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
