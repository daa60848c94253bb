import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tryRelease } from "./registry.mjs";

const README = new URL("../README.md", import.meta.url);

test.skipIf(!process.env.GROUPWISE_FULL)(
  "packages that are published to a local registry install from it in an empty folder, and the read me works there",
  async () => {
    const printed = await tryRelease(() => {});
    const [, breaks] = /^lines: u32 × 1\s+(\d+)$/m.exec(printed);
    expect(Number(breaks)).toBe(readFileSync(README, "utf8").split("\n").length - 1);
  },
);
