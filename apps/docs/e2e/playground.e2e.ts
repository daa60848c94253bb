/** The playground: edit, build, run, share. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumFound, open, PHONE, shoot, taken, useSite } from "./browser.ts";

const SUMS = `import { f32, pipeline } from "@groupwise/dsl";

export default pipeline("sums", { x: f32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
}));
`;

/** Puts a text into the editor, as pasting does. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").waitFor();
  await page.locator(".cm-content").focus(); // a tooltip may cover it
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

async function build(page: Page, text: string): Promise<void> {
  await write(page, text);
  await page.keyboard.press("ControlOrMeta+Enter");
}

describe.skipIf(!chromiumFound.found)("playground", () => {
  useSite();

  test("copies what is built as a project", async () => {
    const page = await open("/playground");
    await build(page, SUMS);
    await page.getByRole("heading", { name: "sums" }).waitFor();
    // The text that was built, not the one that is edited meanwhile.
    await write(page, "changed");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy as project" }).click();
    await page.getByText("The project is copied").waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain(`cat > pipeline.ts <<'EOF'\n${SUMS}EOF\n`);
    expect(text).toContain("x: Float32Array.from(");
  });

  test("builds an edited pipeline, shows what it becomes, and runs it with equal bits", async () => {
    const page = await open("/playground");
    await build(page, SUMS);
    await page.getByRole("heading", { name: "sums" }).waitFor();
    const texts = {
      Document: '"kind": "collective"',
      WGSL: "@compute",
      "OpenCL C": "__kernel",
      C: "for (",
      WebAssembly: "(func",
      JavaScript: "export function kernel",
    };
    for (const [title, part] of Object.entries(texts)) {
      await page.getByRole("tab", { name: title, exact: true }).click();
      const panel = page.getByRole("tabpanel");
      await expect.poll(() => panel.innerText()).toContain(title === "Document" ? '"name": "sums"' : part);
    }
    await page.getByRole("tab", { name: "Plan" }).click();
    await page.getByText(/[\d,]+ bytes moved in all/).waitFor();
    await page.getByLabel("Items").fill("4099");
    await page.getByRole("button", { name: /^Run on/ }).click();
    const bits = (4099 * 32).toLocaleString("en-US");
    await page.getByText(`${bits} of ${bits} bits equal`, { exact: true }).waitFor();
    await page.getByText(/^WebGPU: /).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(page, "playground-desktop");
  });

  test("runs on typed values, and plots each output", async () => {
    const page = await open("/playground", { gpu: false });
    await build(page, SUMS);
    await page.getByLabel("x, f32: typed").fill("1 2 3.5");
    await page.getByRole("button", { name: /^Run on/ }).click();
    await page.getByText("1, 3, 6.5", { exact: true }).waitFor();
    // The library of plots is loaded once there is something to plot.
    await expect.poll(() => page.locator(".gw-plot rect").count()).toBe(3);
    await page.getByLabel("x, f32: typed").fill("1 two");
    await page.getByRole("button", { name: /^Run on/ }).click();
    await page.getByRole("alert").getByText('"two" is not a number').waitFor();
  });

  test("runs on the numbers of a dropped file, without a GPU, on a phone", async () => {
    const page = await open("/playground", { gpu: false, size: PHONE, dark: true });
    await build(page, SUMS);
    const numbers = { name: "numbers.csv", mimeType: "text/csv", buffer: Buffer.from("x\n1\n2\n3.5\n") };
    await page.getByLabel("x, f32: a file").setInputFiles(numbers);
    await page.getByText("x, f32: numbers.csv").waitFor();
    await page.getByRole("button", { name: /^Run on/ }).click();
    await page.getByText("1, 3, 6.5", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "add of f32 over the first 3 items" }).waitFor();
    await page.getByText("Prefix of 3 of 3: 6.5").waitFor();
    await page.getByText(/Not compared: /).waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(page, "playground-phone-dark");
  });

  test.each([
    [
      "a rule of the language",
      SUMS.replace('x.scanInclusive("add")', 'x.scanInclusive("and")'),
      "op-type",
      4,
    ],
    ["a syntax error", SUMS.replace("=> ({", "=> ({ {"), "bad-usage", 3],
    ["a throw", SUMS.replace("({ x }) =>", "({ x, y }) =>").replace("x.scan", "y.scan"), "bad-usage", 4],
    ["an unknown package", SUMS.replace("@groupwise/dsl", "left-pad"), "bad-usage", 1],
  ])("shows %s with its code at its line", async (_, text, code, line) => {
    const page = await open("/playground");
    await build(page, text);
    const alert = page.getByRole("alert");
    await alert.getByRole("link", { name: code }).waitFor();
    await page.getByText(`Line ${line}:`, { exact: true }).waitFor();
    // TypeScript, once it is loaded, may find the same and more.
    await expect.poll(() => page.locator(".cm-lint-marker-error").count()).toBeGreaterThan(0);
  });

  test("loads TypeScript when the editor is entered: errors, types and completion, beside the page", async () => {
    taken();
    const page = await open("/playground");
    await page.locator(".cm-content").waitFor();
    const before = [...taken().values()].reduce((sum, size) => sum + size, 0);
    expect(before).toBeLessThan(500_000);
    await write(page, SUMS.replace("x.scanInclusive", "x.scanInclusiv"));
    await page.getByText(/^TypeScript checks the text/).waitFor();
    const after = [...taken()];
    expect(after.some(([path]) => /types\.worker/.test(path))).toBe(true);
    await page.locator(".cm-lintRange-error").hover();
    await page.getByText(/Did you mean 'scanInclusive'/).waitFor();
    await write(page, SUMS);
    await expect.poll(() => page.locator(".cm-lint-marker-error").count()).toBe(0);
    await page.locator(".cm-line").nth(3).getByText("scanInclusive").hover();
    await page
      .locator(".gw-hover code")
      .getByText(/scanInclusive/)
      .waitFor();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText("pipelin");
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-tooltip-autocomplete").getByText("pipeline", { exact: true }).waitFor();
  });

  test("links the lines of the declaration with those of the texts, both ways", async () => {
    const page = await open("/playground");
    await build(page, SUMS);
    await page.getByRole("heading", { name: "sums" }).waitFor();
    await page.locator(".cm-line").nth(3).click();
    const linked = page.locator(".gw-line-of-text.is-linked");
    await expect.poll(() => linked.count()).toBeGreaterThan(0);
    expect((await linked.allInnerTexts()).join("\n")).toMatch(/\bsums\b/);
    await page.locator(".cm-line").nth(0).click();
    await expect.poll(() => linked.count()).toBe(0);
    // The array x belongs to the line that declares it and to the one that scans it: a further click shows the next one.
    const array = page.locator(".gw-line-of-text.has-link").first();
    const active = page.locator(".cm-activeLine");
    await array.click();
    await expect.poll(() => linked.count()).toBeGreaterThan(0);
    expect(await active.innerText()).toContain("x: f32");
    await array.click();
    await expect.poll(() => active.innerText()).toContain("scanInclusive");
  });

  test("opens shared code without running it, and a shared document as what it becomes", async () => {
    const page = await open("/playground");
    const pathOf = async (name: string) => {
      await page.getByRole("button", { name: "Share" }).click();
      await expect.poll(() => page.url()).toMatch(new RegExp(`#${name}=z\\.[\\w-]+$`));
      return page.url().slice(new URL(page.url()).origin.length);
    };
    await write(page, `${SUMS}throw new Error("it ran");\n`);
    const other = await open(await pathOf("code"));
    await other.getByText("This code came by the link, and has not run.").waitFor();
    expect(await other.locator(".cm-content").innerText()).toContain("it ran");
    expect(await other.getByRole("alert").count()).toBe(0);
    await other.getByRole("button", { name: "Build" }).click();
    await other.getByRole("alert").getByText("it ran").waitFor();
    await build(page, SUMS);
    await page.getByRole("button", { name: "Edit the document" }).click();
    const third = await open(await pathOf("document"));
    await third.getByRole("heading", { name: "sums" }).waitFor();
    expect(await third.locator(".cm-content").innerText()).toContain('"name": "sums"');
    expect(await third.locator(".gw-report").count()).toBe(0);
    await third.getByRole("button", { name: /^Run on/ }).click();
    await third.getByText(/^([\d,]+) of \1 bits equal$/).waitFor();
  });

  test("opens every pipeline of the gallery", async () => {
    const page = await open("/gallery");
    const links = page.getByRole("link", { name: "Open in the playground" });
    const paths = await links.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).hash));
    expect(new Set(paths).size).toBe(20);
    await links.first().click();
    for (const path of paths) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, path);
      await page.getByText("This code came by the link, and has not run.").waitFor();
      await page.getByRole("button", { name: "Build" }).click();
      await page.getByText("This code came by the link").waitFor({ state: "detached" });
      expect(await page.getByRole("alert").allInnerTexts(), path).toEqual([]);
    }
  });

  const hash = (text: string): string => `#document=j.${Buffer.from(text).toString("base64url")}`;
  const NODES = '"format":"groupwise.pipeline","version":1,"workGroupSize":[256]';
  test.each([
    ["a broken link", "#document=z.AAAA"],
    ["a part of a link", "#code=z.y0jNyclX"],
    ["another form", "#document=javascript:alert(1)"],
    ["no JSON", hash("alert(1)")],
    ["no document", hash('{"nodes":"alert(1)"}')],
    ["code in a name", hash(`{${NODES},"name":"a*/globalThis.hit=1/*","nodes":[]}`)],
    ["a key of all objects", hash('{"__proto__":{"hit":1},"nodes":[]}')],
    ["markup in a name", hash(`{${NODES},"name":"<img src=x onerror=hit=1>","nodes":[]}`)],
    ["deep lists", hash("[".repeat(100_000))],
  ])("answers %s with an error, and runs nothing", async (_, link) => {
    const page = await open(`/playground${link}`);
    await page.getByRole("alert").locator(".gw-problem-code").waitFor();
    expect(await page.locator(".gw-report").count()).toBe(0);
    expect(await page.getByRole("tab").count()).toBe(0);
    expect(await page.evaluate(() => "hit" in globalThis)).toBe(false);
  });

  test("gives the pipeline's code no network, no page and no storage, and ends endless loops", async () => {
    const hits: string[] = [];
    const server = createServer((request, response) => {
      hits.push(request.url ?? "");
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("export default 1");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const elsewhere = `http://localhost:${(server.address() as AddressInfo).port}`;
    const page = await open("/playground", { quiet: false });
    const attempts = [
      `fetch("${elsewhere}/fetch").catch(() => {});`,
      `import("${elsewhere}/import").catch(() => {});`,
      `try { importScripts("${elsewhere}/scripts"); } catch {}`,
      `try { const x = new XMLHttpRequest(); x.open("GET", "${elsewhere}/xhr", false); x.send(); } catch {}`,
      `try { new WebSocket("${elsewhere.replace("http", "ws")}/socket"); } catch {}`,
      `try { new Worker("${elsewhere}/worker"); } catch {}`,
      `if (typeof document !== "undefined" || typeof localStorage !== "undefined") throw new Error("a page");`,
    ];
    await build(page, `${SUMS}\n${attempts.join("\n")}\n`);
    await page.getByRole("heading", { name: "sums" }).waitFor();
    await build(page, `${SUMS}\nfor (;;) {}\n`);
    await page
      .getByRole("alert")
      .getByText(/did not end within/)
      .waitFor();
    expect(hits).toEqual([]);
    server.close();
  });

  test("opens every example", async () => {
    const page = await open("/playground");
    const menu = page.getByLabel("Example");
    const names = await menu
      .locator("option")
      .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    for (const name of names) {
      await menu.selectOption(name);
      await page.getByRole("button", { name: "Build" }).click();
      await page.getByRole("button", { name: "Build", exact: true }).waitFor();
      expect(await page.getByRole("alert").allInnerTexts(), name).toEqual([]);
    }
    expect(names.length).toBeGreaterThan(5);
  });
});
