// Checks the types of everything in one process, which reads each file once: `node scripts/types.mjs`.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TSC = fileURLToPath(new URL("../node_modules/@typescript/native/bin/tsc", import.meta.url));
const tests = readdirSync(new URL("../packages", import.meta.url))
  .map((name) => `packages/${name}/test`)
  .filter((folder) => existsSync(new URL(`../${folder}/tsconfig.json`, import.meta.url)));
const { status } = spawnSync(process.execPath, [TSC, "-b", ".", ...tests, "apps/docs", "examples"], {
  cwd: ROOT,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
