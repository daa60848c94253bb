/** Commands of tutorials as a reader runs them: in an empty folder, with packages from tarballs and the registry. */
import { runProcess } from "@groupwise/testkit/devices";
import { done, installIn, textOfPage, withNode } from "@groupwise/testkit/packed";

/** Containers run as root. */
const ENVIRONMENT = {
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
  OMPI_MCA_btl: "self,vader",
  NO_COLOR: "1",
  npm_config_loglevel: "error",
};

/** Lines that are not compared: the note for Node without TypeScript, and Dawn's warnings about limits on software devices. */
const UNTYPED = /^(?:v20\.|v22\.(?:\d|1[0-7])\.)/;
const LIMITS = /^Warning: max.*\n/gm;

/**
 * The output of the commands in order; after `npx vite`, the text of its page.
 * @param node the program of Node that runs them
 */
export async function runOutside(
  commands: readonly string[],
  folder: string,
  wanted?: RegExp,
  node: string = process.execPath,
): Promise<string> {
  const env = { ...ENVIRONMENT, ...withNode(node) };
  const isUntyped = UNTYPED.test(await done("node", ["--version"], { env }));
  let written = "";
  for (const line of commands) {
    const install = /^npm install (.*)$/.exec(line)?.[1];
    if (install !== undefined) await installIn(folder, install.split(" "), env);
    else if (line === "npx vite") written += await textOfPage(folder, { wanted, env });
    else {
      const own = isUntyped ? line.replace(/^node (?=\S+\.ts)/, "npx jiti ") : line;
      const offline = own.replace(/^npx /, "npx --no-install ");
      const { code, stdout, stderr } = await runProcess("sh", ["-c", offline], { cwd: folder, env });
      written += `${stdout}${stderr.replace(LIMITS, "")}${code === 0 ? "" : `exit code ${code}\n`}`;
    }
  }
  return written;
}
