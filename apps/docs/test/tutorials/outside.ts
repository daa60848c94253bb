/** Commands of tutorials as a reader runs them: in an empty folder, with packages from tarballs and the registry. */
import { spawn } from "node:child_process";
import { findChromium, orThrow, runProcess } from "@groupwise/testkit/devices";
import { installIn } from "@groupwise/testkit/packed";
import { chromium } from "playwright-core";

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

/** What a page shows once it has settled: its text, from the development server. @throws Error for errors of the page */
async function pageOf(folder: string, wanted: RegExp | undefined): Promise<string> {
  const server = spawn("npx", ["--no-install", "vite", "--port", "0", "--clearScreen", "false"], {
    cwd: folder,
    env: { ...process.env, ...ENVIRONMENT },
    detached: true,
  });
  let printed = "";
  const address = new Promise<string>((resolve, reject) => {
    const read = (text: Buffer): void => {
      printed += text;
      const found = /http:\/\/localhost:\d+/.exec(printed);
      if (found) resolve(found[0]);
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.on("close", () => reject(new Error(`vite ended: ${printed}`)));
  });
  const executablePath = orThrow(findChromium());
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ["--enable-unsafe-webgpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(await address);
    const text = (): Promise<string> => page.innerText("body");
    // The server may load the page again when it has seen what the page imports, which ends what runs there.
    for (let tries = 0; tries < 300; tries++) {
      if (!wanted || wanted.test((await text()).trim())) return await text();
      await page.waitForTimeout(100);
    }
    if (errors.length > 0) throw new Error(errors.join("\n"));
    return await text();
  } finally {
    await browser.close();
    process.kill(-(server.pid as number));
  }
}

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
    else if (line === "npx vite") written += await pageOf(folder, wanted);
    else {
      const own = line.replace(/^npx /, "npx --no-install ").replace(/^node (?=\S+\.ts)/, `node ${typed}`);
      const { code, stdout, stderr } = await runProcess("sh", ["-c", own], { cwd: folder, env: ENVIRONMENT });
      written += `${stdout}${stderr}${code === 0 ? "" : `exit code ${code}\n`}`;
    }
  }
  return written;
}
