import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, extname, join, resolve, sep } from "node:path";
import type { LaunchOptions } from "playwright-core";
import { type Found, found, missing } from "./found.ts";
import { HANGING_MS } from "./process.ts";

export interface BrowserOptions {
  /** Served at `/`. The page can import the ES modules in it, for example `import("/packages/x/dist/index.js")`. */
  readonly dir?: string;
  /** The page's import map: bare names to paths, for example `{ "@groupwise/core": "/packages/core/dist/index.js" }`. */
  readonly imports?: Readonly<Record<string, string>>;
  /** True: the page is isolated, so that it may share memory with its workers. */
  readonly isolated?: boolean;
  /** Default: `chromium`. Another one is started as its users have it, by WebDriver BiDi. */
  readonly browser?: "chromium" | "firefox";
  /** The browser's program; the installed one when not given. */
  readonly executable?: string;
}

export interface BrowserGpu {
  readonly origin: string;
  readonly version: string;
  /** What the page wrote to its console, and uncaught errors. */
  readonly messages: readonly string[];
  /**
   * Runs the body of an async function in the page, with `input` in scope; its result is returned. Both pass
   * through playwright: JSON, and also typed arrays, bigints, NaN, infinities and -0. It is a text and not a function,
   * because test runners rewrite the `import()` in functions.
   */
  run<R>(body: string, input?: unknown): Promise<R>;
  close(): Promise<void>;
}

const PROGRAMS: readonly string[] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ELSEWHERE: readonly string[] = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

// --enable-unsafe-webgpu makes requestAdapter() return SwiftShader; the other options suppress messages and network access.
const FLAGS: readonly string[] = [
  "--enable-unsafe-webgpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How playwright starts a browser, besides its program. */
const LAUNCHES: Readonly<Record<NonNullable<BrowserOptions["browser"]>, LaunchOptions>> = {
  chromium: { chromiumSandbox: false, args: [...FLAGS] },
  firefox: {
    channel: "moz-firefox",
    firefoxUserPrefs: { "dom.webgpu.enabled": true, "gfx.webgpu.ignore-blocklist": true },
  },
};

/** The headers that isolate a page. */
const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".wgsl": "text/plain",
};

/** The path of an installed Chromium or Chrome. */
export function findChromium(): Found<string> {
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((directory) => PROGRAMS.map((name) => join(directory, name)));
  const file = [...onPath, ...ELSEWHERE].find((path) => existsSync(path));
  return file ? found(file) : missing("no Chromium or Chrome is installed");
}

function serve(options: BrowserOptions): Promise<Server> {
  const root = options.dir === undefined ? undefined : resolve(options.dir);
  const map = JSON.stringify({ imports: options.imports ?? {} }).replaceAll("<", "\\u003c");
  const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="importmap">${map}</script>`;
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const file = root && path !== "/" ? resolve(join(root, path)) : undefined;
    const body =
      path === "/"
        ? page
        : file?.startsWith(root + sep)
          ? await readFile(file).catch(() => undefined)
          : undefined;
    const type = path === "/" ? ".html" : extname(path);
    response.writeHead(body === undefined ? 404 : 200, {
      "content-type": TYPES[type] ?? "application/octet-stream",
      ...(options.isolated && ISOLATED),
    });
    response.end(body);
  });
  return new Promise((done, failed) => {
    server.on("error", failed);
    server.listen(0, "127.0.0.1", () => done(server));
  });
}

/** A headless browser with an open page that has `navigator.gpu`. About one second; `close()` it. */
export async function findBrowserGpu(options: BrowserOptions = {}): Promise<Found<BrowserGpu>> {
  const executable = options.executable ? found(options.executable) : findChromium();
  if (!executable.found) return executable;
  const playwright = await import("playwright-core").catch(() => undefined);
  if (!playwright)
    return missing("the package `playwright-core` is not installed", "run: npm install playwright-core");
  const server = await serve(options);
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const messages: string[] = [];
  try {
    const { browser: name = "chromium" } = options;
    const browser = await playwright[name].launch({
      executablePath: executable.value,
      headless: true,
      timeout: HANGING_MS,
      ...LAUNCHES[name],
    });
    const close = async (): Promise<void> => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    };
    const page = await browser.newPage();
    page.setDefaultTimeout(HANGING_MS);
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(String(error)));
    await page.goto(`${origin}/`);
    const run = <R>(body: string, input?: unknown): Promise<R> =>
      page.evaluate(
        ([code, value]) => {
          const AsyncFunction = (async () => {}).constructor as new (
            ...args: string[]
          ) => (x: unknown) => unknown;
          return new AsyncFunction("input", code as string)(value);
        },
        [body, input] as const,
      ) as Promise<R>;
    const why = await run<string>(
      "return !navigator.gpu ? 'no navigator.gpu' : (await navigator.gpu.requestAdapter()) ? '' : 'no adapter';",
    );
    if (why === "") return found({ origin, version: browser.version(), messages, run, close });
    await close();
    return missing(`the browser ${executable.value} has no WebGPU: ${why}`);
  } catch (error) {
    server.close();
    return missing(
      `the browser ${executable.value} did not start: ${(error as Error).message.split("\n")[0]}`,
    );
  }
}
