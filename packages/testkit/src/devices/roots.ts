/** Debian roots beside this system, which scripts/setup/roots.mjs makes. Programs of this machine run in them. */
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Found, found, missing } from "./found.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The folder of a root. */
export const rootFolder = (name: string): string =>
  join(process.env.GROUPWISE_CACHE || join(homedir(), ".cache/groupwise"), name);

/**
 * The first words of a command that runs in a root, by bubblewrap, as `/`: drivers look for their own files there. It sees this machine's Node, the
 * checkout, temporary files and `folders` at their paths.
 */
export function inRoot(name: string): Found<readonly [string, ...string[]]> {
  const root = rootFolder(name);
  if (!existsSync(join(root, "usr")))
    return missing(`there is no root ${name}`, "run: sudo node scripts/setup-devices.mjs --matrix");
  const bound = [CHECKOUT, tmpdir()].flatMap((folder) => ["--bind", folder, folder]);
  return found([
    ...(["bwrap", "--die-with-parent", "--bind", root, "/"] as const),
    ...["--dev-bind", "/dev", "/dev", "--proc", "/proc", "--ro-bind", "/sys", "/sys", ...bound],
    ...["--ro-bind", process.execPath, process.execPath],
    // The root has no such file.
    ...["--unsetenv", "NODE_EXTRA_CA_CERTS"],
  ]);
}
