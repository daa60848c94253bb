import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tryRelease } from "./registry.mjs";

const README = new URL("../README.md", import.meta.url);

test("packages that are published to a local registry can be installed from it in an empty folder, and the README works there, on Node 20, 22 and 24", async (context) => {
  if (!process.env.GROUPWISE_FULL) context.skip("in the full run: npm publishes and installs all packages");
  const printed = await tryRelease(() => {});
  expect([...printed.keys()]).toEqual(["20", "22", "24"]);
  const lines = readFileSync(README, "utf8").split("\n").length - 1;
  for (const text of printed.values()) expect(text).toMatch(new RegExp(`^lines: u32 × 1\\s+${lines}$`, "m"));
});
