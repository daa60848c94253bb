import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { cli, folder } from "./support.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(README)?.[1] ?? "";

test("the README shows the current example and its emitted code", async () => {
  expect(readFileSync(join(ROOT, "examples/line-index.ts"), "utf8")).toContain(block("ts"));
  const out = folder();
  await cli(ROOT, "emit", "examples/line-index.ts", "--target", "all", "--out", out);
  for (const [language, file] of [
    ["js", "line-index.mjs"],
    ["wgsl", "line-index.wgsl"],
  ] as const) {
    expect(block(language)).not.toBe("");
    expect(readFileSync(join(out, file), "utf8")).toContain(block(language));
  }
});
