/** Commands of tutorials as a reader runs them: in an empty folder, with packages from tarballs and the registry. */
import { runProcess } from "@groupwise/testkit/devices";
import { installIn, textOfPage } from "@groupwise/testkit/packed";

/** Containers run as root, and have fewer cores than ranks. */
const ENVIRONMENT = {
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
  OMPI_MCA_rmaps_base_oversubscribe: "1",
  OMPI_MCA_btl: "self,vader",
  NO_COLOR: "1",
  npm_config_loglevel: "error",
};

/** Node 20 runs no TypeScript. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const typed = major > 22 || (major === 22 && minor >= 18) ? "" : "--import jiti/register ";

/** What the commands print, one after the other; after `npx vite`, what its page shows. */
export async function runOutside(
  commands: readonly string[],
  folder: string,
  wanted?: RegExp,
): Promise<string> {
  let written = "";
  for (const line of commands) {
    const install = /^npm install (.*)$/.exec(line)?.[1];
    if (install !== undefined) await installIn(folder, install.split(" "));
    else if (line === "npx vite") written += await textOfPage(folder, { wanted, env: ENVIRONMENT });
    else {
      const own = line.replace(/^npx /, "npx --no-install ").replace(/^node (?=\S+\.ts)/, `node ${typed}`);
      const { code, stdout, stderr } = await runProcess("sh", ["-c", own], { cwd: folder, env: ENVIRONMENT });
      written += `${stdout}${stderr}${code === 0 ? "" : `exit code ${code}\n`}`;
    }
  }
  return written;
}
