// The cache between runs, inside the checkout: the output of drivers' compilers, and the texts that external
// compilers accepted. A run without `.cache` is cold; the home directory is not used.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../.cache", import.meta.url));

/** Directories by the variables that name them. Dawn and SwiftShader have no cache. */
const VARIABLES = {
  MESA_SHADER_CACHE_DIR: "drivers/mesa",
  POCL_CACHE_DIR: "drivers/pocl",
  XDG_CACHE_HOME: "home",
  GROUPWISE_LIBRARIES: "drivers/c",
  GROUPWISE_VERDICTS: "verdicts",
  GROUPWISE_RESULTS: "results",
};

/** Sets the variables that the user has not set; processes started from here inherit them. */
export function keepBetweenRuns(env = process.env) {
  for (const [name, directory] of Object.entries(VARIABLES)) {
    env[name] ??= join(ROOT, directory);
    if (env[name]) mkdirSync(env[name], { recursive: true });
  }
}
