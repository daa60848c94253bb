/** What holds for all kinds of pages: no errors, nothing serious that axe finds, no request elsewhere. */
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumFound, open, PHONE, shoot, useSite } from "./browser.ts";

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

describe.skipIf(!chromiumFound.found)("every page", () => {
  useSite();

  describe.each([{ dark: false }, { dark: true }])("dark: $dark", ({ dark }) => {
    test.each(["/", "/playground", "/start"])("axe finds nothing serious on %s", async (path) => {
      const page = await open(path, { dark });
      if (path === "/playground") {
        await page.locator(".cm-content").waitFor();
        await page.getByRole("button", { name: "Build" }).click();
        await page.getByRole("region", { name: "Emitted WGSL" }).waitFor();
      }
      expect(await findings(page)).toEqual([]);
    });
  });

  test.each(["/", "/playground", "/start", "/reference/", "/errors"])("%s fits a phone", async (path) => {
    const page = await open(path, { size: PHONE });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await shoot(page, `phone${path.replaceAll("/", "-")}`);
  });
});
