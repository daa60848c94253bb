/** The texts of the first page, which a run in the browser reproduces, and its claim. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { demoTexts } from "../.vitepress/theme/landing/texts.ts";
import { RESULTS } from "../prepare/benchmarks.mjs";

test("the demonstration has its text in every language from the first kernel on, without paths of this machine", async () => {
  const { wgsl, opencl, c, js } = await demoTexts();
  expect(wgsl).toMatch(/^@compute/);
  expect(opencl).toMatch(/^__kernel/);
  expect(c).toMatch(/^void \w+\(uint32_t n/);
  expect(js).toMatch(/^export function kernel/);
  for (const text of [wgsl, opencl, c, js]) expect(text).not.toContain(process.cwd());
});

test.each(["scans-28", "scans-28-opencl"])(
  "float scans are faster than CUB's in %s, as the first page says",
  (name) => {
    const { rows, peers } = JSON.parse(readFileSync(join(RESULTS, `nvidia-h100-${name}.json`), "utf8"));
    const what = "scan add f32";
    const ours = rows.find(({ primitive }: { primitive: string }) => primitive === what);
    const theirs = peers[0].rows.find(
      ({ name: other, n }: { name: string; n: number }) => other === what && n === ours.n,
    );
    expect(peers[0].peer).toBe("CUB");
    expect(theirs.medianMs / ours.medianMs).toBeGreaterThan(1.1);
  },
);
