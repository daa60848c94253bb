/** Folders in which drivers keep what they compiled. */
import { scratchDirectory } from "@groupwise/testkit/devices";

/** An environment in which drivers have kept nothing so far. */
export function coldCaches(): Readonly<Record<string, string>> {
  const folder = scratchDirectory();
  const names = [
    "XDG_CACHE_HOME",
    "MESA_SHADER_CACHE_DIR",
    "POCL_CACHE_DIR",
    "CUDA_CACHE_PATH",
    "__GL_SHADER_DISK_CACHE_PATH",
  ];
  return Object.fromEntries(names.map((name) => [name, folder]));
}
