/** The demonstration of the first page. */
import { describe, expect, test } from "vitest";
import { chromiumFound, open, PHONE, shoot, taken, useSite } from "./browser.ts";

/** Bits of the results: one f32 for each of 2^20 items. */
const BITS = (32 * 2 ** 20).toLocaleString("en-US");

describe.skipIf(!chromiumFound.found)("landing page", () => {
  useSite();

  test("emits each language and runs it with equal bits on the CPU and on WebGPU", async () => {
    const page = await open("/");
    const texts = {
      WGSL: "@compute",
      "OpenCL C": "__kernel",
      C: "_kernel(",
      WebAssembly: "(func",
      JavaScript: "export function kernel",
    };
    for (const [title, part] of Object.entries(texts)) {
      await page.getByRole("tab", { name: title, exact: true }).click();
      await page
        .getByRole("region", { name: `Emitted ${title}` })
        .getByText(part)
        .first()
        .waitFor();
    }
    await page.getByRole("button", { name: /^Run it on/ }).click();
    await page.getByText(`${BITS} of ${BITS} bits equal`, { exact: true }).waitFor();
    await page.getByText(/^WebGPU: /).waitFor();
    await shoot(page, "landing-desktop");
  });

  test("says that there is no WebGPU, and runs on the CPU", async () => {
    const page = await open("/", { gpu: false, size: PHONE, dark: true });
    await page.getByRole("button", { name: /^Run it on/ }).click();
    await page.getByText(/Not compared: this browser has (no )?WebGPU.*\. WebAssembly ran\./).waitFor();
    await shoot(page, "landing-phone-dark");
  });

  test("chooses languages by the keyboard", async () => {
    const page = await open("/");
    await page.getByRole("tab", { name: "WGSL" }).focus();
    await page.keyboard.press("ArrowRight");
    const chosen = page.getByRole("tab", { name: "OpenCL C", selected: true });
    await chosen.waitFor();
    await page.keyboard.press("End");
    await page.getByRole("tab", { name: "JavaScript", selected: true }).waitFor();
  });

  test("loads less than 200 kB", async () => {
    taken();
    const page = await open("/");
    await page.getByRole("region", { name: "Emitted WGSL" }).waitFor();
    const sizes = taken();
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total, JSON.stringify([...sizes], undefined, 1)).toBeLessThan(200_000);
  });
});
