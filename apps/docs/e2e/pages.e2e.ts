/** What holds for all kinds of pages: no errors, nothing serious that axe finds, no request elsewhere. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumFound, open, PHONE, shoot, taken, useSite } from "./browser.ts";
import { DIST } from "./server.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** Serious and critical findings, each with the elements that it is about. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: AXE });
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Addresses of the built pages. */
const pagesOfSite = (): readonly string[] =>
  readdirSync(DIST, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html") && file !== "404.html")
    .map((file) => `/${file.replaceAll("\\", "/").replace(/(^|\/)index\.html$|\.html$/, "$1")}`)
    .sort();

/** Opens the pages one after the other. */
async function visit(page: Page, origin: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const response = await page.goto(origin + path, { waitUntil: "load" });
    expect([path, response?.status()]).toEqual([path, 200]);
    await page.locator("main, .VPContent").first().waitFor();
  }
}

describe.skipIf(!chromiumFound.found)("every page", () => {
  useSite();

  describe.each([{ dark: false }, { dark: true }])("dark: $dark", ({ dark }) => {
    test.each([
      "/",
      "/playground",
      "/start",
      "/tutorials/own-operator",
      "/changelog",
      "/how-scans-run",
      "/implementations",
      "/benchmarks",
      "/gallery",
      "/coming-from",
      "/reference/",
      "/reference/@groupwise/dsl/",
    ])("axe finds nothing serious on %s", async (path) => {
      const page = await open(path, { dark });
      if (path === "/playground") {
        await page.locator(".cm-content").waitFor();
        await page.getByRole("button", { name: "Build" }).click();
        await page.getByRole("region", { name: "Emitted WGSL" }).waitFor();
      }
      // The switch has its title once the page's scripts have run.
      await page.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: "attached" });
      expect(await findings(page)).toEqual([]);
    });
  });

  test.each([
    ...["/", "/playground", "/start", "/reference/", "/errors"],
    ...[
      "/tutorials/",
      "/tutorials/vite",
      "/templates",
      "/changelog",
      "/how-scans-run",
      "/implementations",
      "/benchmarks",
      "/gallery",
    ],
    ...["/coming-from", "/reference/@groupwise/dsl/functions/pipeline"],
  ])("%s fits a phone", async (path) => {
    const page = await open(path, { size: PHONE });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await shoot(page, `phone${path.replaceAll("/", "-")}`);
  });

  test.each(["/start", "/tutorials/", "/how-scans-run", "/errors"])(
    "%s loads less than 200 kB",
    async (path) => {
      taken();
      await open(path);
      const sizes = taken();
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      expect(total, JSON.stringify([...sizes], undefined, 1)).toBeLessThan(200_000);
    },
  );

  test("no page writes an error or asks for anything elsewhere", async () => {
    const page = await open("/");
    const { origin } = new URL(page.url());
    const pages = pagesOfSite();
    expect(pages.length).toBeGreaterThan(150);
    const tabs = await Promise.all([page, ...Array.from({ length: 3 }, () => page.context().newPage())]);
    await Promise.all(
      tabs.map((tab, at) =>
        visit(
          tab,
          origin,
          pages.filter((_, i) => i % tabs.length === at),
        ),
      ),
    );
  });

  test("drawings show what a prefix is made of, by the keyboard too", async () => {
    const page = await open("/how-scans-run");
    const slider = page.getByLabel("Prefix of 8 of 8: abcdefgh");
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("Prefix of 7 of 8: abcdefg").waitFor();
    const used = page.locator(".gw-figure").first().locator(".gw-box.is-used text");
    expect((await used.allTextContents()).sort()).toEqual(
      ["a", "ab", "abcd", "abcd", "abcdef", "abcdefg", "b", "c", "cd", "d", "e", "ef", "f", "g"].sort(),
    );
    await page.getByLabel(/^Tile 14 reads the aggregates of 0–3, 4–7, 8–11, 12, 13\.$/).waitFor();
    await shoot(page, "how-scans-run-desktop");
  });

  test("drawings play to their last prefix, and stop when they are told to", async () => {
    const page = await open("/how-scans-run");
    const figure = page.locator(".gw-figure").first();
    await figure.getByRole("button", { name: "Play" }).click();
    await figure.getByText("Prefix of 1 of 8: a", { exact: true }).waitFor();
    await figure.getByText("Prefix of 8 of 8: abcdefgh", { exact: true }).waitFor();
    await figure.getByRole("button", { name: "Play" }).click();
    await figure.getByText("Prefix of 2 of 8: ab", { exact: true }).waitFor();
    await figure.getByRole("button", { name: "Stop" }).click();
    await figure.getByRole("button", { name: "Play" }).waitFor();
    const other = page.locator(".gw-figure").last();
    await other.getByRole("button", { name: "Play" }).click();
    await other.getByText(/^Tile 15 reads /).waitFor();
  });

  test.each([
    ["jsRuntime", /\/functions\/jsRuntime/],
    ["scanInclusive", /\/reference\//],
    ["GroupwiseError", /\/classes\/GroupwiseError/],
    ["reduceByKey", /\/reference\/@groupwise\/primitives\/.*reducebykey/i], // the function, or the type of its name
  ])("search for %s finds symbols of that name first", async (text, address) => {
    const page = await open("/start");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill(text);
    await page.locator("#localsearch-item-0").waitFor();
    const first = await page.locator("#localsearch-item-0 a").getAttribute("href");
    expect(first).toMatch(address);
  });

  test("search for a function of another library finds its counterpart", async () => {
    const page = await open("/start");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("InclusiveScanByKey");
    await page.locator('#localsearch-list a[href*="/coming-from"]').first().waitFor();
  });

  test("pages are there for language models too, and every link of the list leads to a page", async () => {
    const page = await open("/start");
    const list = await page.evaluate(async () => (await fetch("/llms.txt")).text());
    expect(list).toContain("- [Errors](/errors.md): Every error is a `GroupwiseError`.");
    const links = [...list.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link]) => link as string);
    expect(links.length).toBeGreaterThan(60);
    const missing = await page.evaluate(
      async (all) =>
        (await Promise.all(all.map(async (link) => ((await fetch(link)).ok ? "" : link)))).filter(Boolean),
      links,
    );
    expect(missing).toEqual([]);
    const full = await page.evaluate(async () => (await fetch("/llms-full.txt")).text());
    expect(full).toContain("# One pipeline everywhere");
    expect(full).not.toContain("<!-- /guide/");
  });
});
