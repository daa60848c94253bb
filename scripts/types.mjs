// Checks the types of everything in one process, which reads each file once: `node scripts/types.mjs`.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const tests = readdirSync(new URL("../packages", import.meta.url))
  .map((name) => `packages/${name}/test`)
  .filter((folder) => existsSync(new URL(`../${folder}/tsconfig.json`, import.meta.url)));
const { status } = spawnSync("npx", ["--no-install", "tsc", "-b", ".", ...tests, "apps/docs", "examples"], {
  cwd: ROOT,
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;
