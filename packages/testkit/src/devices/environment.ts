import { existsSync, readFileSync } from "node:fs";
import { basename, delimiter } from "node:path";
import { installedDrivers, swiftShader } from "@groupwise/target-wgsl/internal/dawn";
import { sharedDirectory } from "./process.ts";

export interface VulkanDriver {
  /** `lavapipe`, `swiftshader`, `nvidia`, …; the file's name if the driver is unknown. */
  readonly name: string;
  /** The driver's JSON file, for VK_DRIVER_FILES. */
  readonly file: string;
}

/** File names of Vulkan drivers, without `.json` and any text before or after. */
const DRIVERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^lvp_icd/, "lavapipe"],
  [/swiftshader/, "swiftshader"],
  [/^nvidia/, "nvidia"],
  [/^radeon|^amd/, "amd"],
  [/^intel/, "intel"],
  [/^virtio/, "virtio"],
];

function driverName(file: string): string {
  const name = basename(file, ".json");
  return DRIVERS.find(([pattern]) => pattern.test(name))?.[1] ?? name;
}

/** Whether the library of this file exists; distributions with several architectures install the files of all. */
function isUsable(file: string): boolean {
  try {
    const { ICD } = JSON.parse(readFileSync(file, "utf8")) as { ICD?: { library_path?: string } };
    const library = ICD?.library_path;
    if (library === undefined) return false;
    return library.startsWith("/") ? existsSync(library) : !/\.(i[36]86|i586)\.json$/.test(file);
  } catch {
    return false;
  }
}

/** The Vulkan drivers of this machine: named by the environment, installed, or inside a browser. */
export function vulkanDrivers(): readonly VulkanDriver[] {
  const named = [process.env.VK_DRIVER_FILES, process.env.VK_ICD_FILENAMES]
    .flatMap((list) => list?.split(delimiter) ?? [])
    .filter((file) => file.endsWith(".json") && existsSync(file));
  const browser = swiftShader();
  const files = new Set([...named, ...installedDrivers(), ...(browser === undefined ? [] : [browser])]);
  return [...files].filter(isUsable).map((file) => ({ name: driverName(file), file }));
}

/**
 * Variables for the environment of a process in which Vulkan sees only this driver. Both names are set: loaders before
 * 1.3.207 read VK_ICD_FILENAMES, and VK_DRIVER_FILES takes precedence over it, even if empty.
 */
export function vulkanEnvironment(file: string): Record<string, string> {
  return { VK_DRIVER_FILES: file, VK_ICD_FILENAMES: file };
}

/** Sets the XDG_RUNTIME_DIR that drivers require, if this process has none. */
export function prepareEnvironment(): void {
  if (process.platform === "linux" && !process.env.XDG_RUNTIME_DIR) {
    process.env.XDG_RUNTIME_DIR = sharedDirectory("run");
  }
}
