/** The texts of the first page, which a run in the browser reproduces. */
import { expect, test } from "vitest";
import { demoTexts } from "../.vitepress/theme/landing/texts.ts";

test("the demonstration has its text in every language, without paths of this machine", async () => {
  const { wgsl, opencl, c, js } = await demoTexts();
  expect(wgsl).toContain("@compute");
  expect(opencl).toContain("__kernel");
  expect(c).toContain("for (");
  expect(js).toContain("export function kernel");
  for (const text of [wgsl, opencl, c, js]) expect(text).not.toContain(process.cwd());
});
