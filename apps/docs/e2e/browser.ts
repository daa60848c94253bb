/** Chromium on the built site. Every page records what it wrote and what it asked for from elsewhere. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "@groupwise/testkit/devices";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { DIST, type Site, serveSite } from "./server.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Screenshots of a run. */
const SHOTS = here("../../../.cache/site");

/** With it Chromium offers SwiftShader as a GPU; without it and without a GPU there is no adapter. */
const WEBGPU = "--enable-unsafe-webgpu";

/** What takes longer hangs, as a test does: on a busy machine the playground builds for minutes. */
const PATIENCE_MS = 15 * 60_000;

export const DESKTOP = { width: 1280, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;

export interface OpenOptions {
  readonly size?: { readonly width: number; readonly height: number };
  readonly dark?: boolean;
  readonly gpu?: boolean;
  /** False: the page may write errors, as a policy does that refuses something. */
  readonly quiet?: boolean;
}

/** Why there is no browser; tests are skipped with it, and fail under CI. */
export const chromiumFound = findChromium();
if (!chromiumFound.found && process.env.CI) throw new Error(chromiumFound.reason);

let site: Site;
const browsers = new Map<boolean, Promise<Browser>>();

const browserOf = (executablePath: string, gpu: boolean): Promise<Browser> =>
  chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ["--disable-background-networking", ...(gpu ? [WEBGPU] : [])],
  });

/** Starts the server before the tests of a file, and ends it and the browsers after them. */
export function useSite(): void {
  beforeAll(async () => {
    site = await serveSite(DIST);
    mkdirSync(SHOTS, { recursive: true });
  });
  afterAll(async () => {
    for (const browser of browsers.values()) await (await browser).close();
    browsers.clear();
    await site.close();
  });
}

export const taken = (): ReadonlyMap<string, number> => site.taken();

/**
 * Opens a page of the site. When the test ends, the page and others of its context must have written no error and asked for nothing
 * elsewhere.
 */
export async function open(path: string, options: OpenOptions = {}): Promise<Page> {
  const { size = DESKTOP, dark = false, gpu = true, quiet = true } = options;
  if (!chromiumFound.found) throw new Error("no Chromium");
  const browser = browsers.get(gpu) ?? browserOf(chromiumFound.value, gpu);
  browsers.set(gpu, browser);
  const context = await (await browser).newContext({
    viewport: size,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const wrong: string[] = [];
  context.on("console", (message) => {
    if (quiet && ["error", "warning"].includes(message.type()))
      wrong.push(`${message.page()?.url()}: ${message.text()}`);
  });
  context.on("weberror", (error) => wrong.push(`${error.page()?.url()}: ${error.error()}`));
  // With quiet false a test counts at the other end: what a policy refuses is announced here all the same.
  context.on("request", (request) => {
    const url = request.url();
    if (quiet && !url.startsWith(site.origin) && !/^(blob|data|about):/.test(url))
      wrong.push(`asked for ${url}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(site.origin + path, { waitUntil: "networkidle" });
  return page;
}

export const shoot = (page: Page, name: string): Promise<unknown> =>
  page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
