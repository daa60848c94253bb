/** The page of a project that Vite serves. */
import { spawn } from "node:child_process";
import { chromium } from "playwright-core";
import { findChromium } from "./devices/chromium.ts";
import { orThrow } from "./devices/found.ts";
import { HANGING_MS } from "./devices/process.ts";

export interface PageOptions {
  /** `preview` serves what was built; without it the development server does. */
  readonly command?: "preview";
  /** The text that the page has once it has settled. */
  readonly wanted?: RegExp | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts Vite in a folder. @returns its address, and what ends it */
async function serve(folder: string, { command, env }: PageOptions) {
  const words = [
    ...(command ? [command] : []),
    "--port",
    "0",
    ...(command ? [] : ["--clearScreen", "false"]),
  ];
  const server = spawn("npx", ["--no-install", "vite", ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", ...env },
    detached: true,
  });
  let printed = "";
  const address = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer): void => {
      printed += text;
      const found = /http:\/\/localhost:\d+/.exec(printed);
      if (found) resolve(found[0]);
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.on("close", () => reject(new Error(`vite ended: ${printed}`)));
  });
  return { address, close: () => process.kill(-(server.pid as number)) };
}

/** The text of the page in Chromium with WebGPU, once it is the wanted one. @throws Error for errors of the page */
export async function textOfPage(folder: string, options: PageOptions = {}): Promise<string> {
  const executablePath = orThrow(findChromium());
  const { wanted } = options;
  const { address, close } = await serve(folder, options);
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    timeout: HANGING_MS,
    args: ["--enable-unsafe-webgpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(address);
    const text = (): Promise<string> => page.innerText("body");
    // The server may reload the page when it discovers its imports, which ends the running script.
    for (let tries = 0; tries < 300; tries++) {
      if (!wanted || wanted.test((await text()).trim())) return await text();
      await page.waitForTimeout(100);
    }
    if (errors.length > 0) throw new Error(errors.join("\n"));
    return await text();
  } finally {
    await browser.close();
    close();
  }
}
