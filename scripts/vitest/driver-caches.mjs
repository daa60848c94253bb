// Drivers keep what they compiled inside the checkout: runs after the first compile what changed, whatever else
// happens to the home directory. Only clearing `.cache/drivers` makes a run cold again.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../.cache/drivers", import.meta.url));

/** Mesa and PoCL each have a variable; Dawn and SwiftShader keep nothing. */
const VARIABLES = { MESA_SHADER_CACHE_DIR: "mesa", POCL_CACHE_DIR: "pocl" };

/** Sets the variables that the user has not set; processes started from here inherit them. */
export function keepDriverCaches(env = process.env) {
  for (const [name, directory] of Object.entries(VARIABLES)) {
    env[name] ??= join(ROOT, directory);
    mkdirSync(env[name], { recursive: true });
  }
}
