/** The same command in another process, for devices that this one cannot open. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type OpenClPlatform, runNodeOn } from "@groupwise/testkit/devices";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const HOURS = 3_600_000;

/** The output of `bench <args> --json` for the only OpenCL device of a platform. */
export async function runElsewhere<T>(platform: OpenClPlatform, args: readonly string[]): Promise<T> {
  if (!existsSync(MAIN)) throw new Error("the packages are not built; run: npm run build");
  const line = [MAIN, ...args, "--json", "--alone", "--device", "OpenCL"];
  const result = await runNodeOn(platform, line, { timeoutMs: HOURS });
  const begin = result.stdout.indexOf("{\n");
  if (begin < 0)
    throw new Error(`on ${platform}: ${result.stderr.trim().slice(-2000) || `exit code ${result.code}`}`);
  return JSON.parse(result.stdout.slice(begin)) as T;
}
