import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { done } from "@groupwise/testkit/packed";
import { expect, test } from "vitest";

const FULL = Boolean(process.env.GROUPWISE_FULL);

test("the packed packages, their API reports and licences are ready for a release", async (context) => {
  if (!FULL) context.skip("in the full run: npm packs and lints all packages");
  const { releaseProblems } = await import("./release.mjs"); // its packages are those of scripts/package.json
  const out = mkdtempSync(join(tmpdir(), "groupwise-bill-"));
  try {
    expect(await releaseProblems({ out, say: () => {} })).toEqual([]);
    const bill = JSON.parse(readFileSync(join(out, "sbom.cdx.json"), "utf8"));
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["@groupwise/core", "create-groupwise", "zod", "commander"]),
    );
    expect(names).not.toContain("@groupwise/testkit");
    expect(JSON.stringify(bill)).not.toContain("file:");
    expect(existsSync(join(out, "licences.md"))).toBe(true);
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("a package whose types are not found, or whose files are missing, has findings", async (context) => {
  if (!FULL) context.skip("in the full run: npm packs and lints all packages");
  const { findingsOf } = await import("./packages/lint.mjs");
  const folder = mkdtempSync(join(tmpdir(), "groupwise-wrong-"));
  try {
    const manifest = {
      name: "wrong",
      version: "1.0.0",
      type: "module",
      exports: { ".": "./index.js", "./gone": "./gone.js" },
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "index.js"), "export const a = 1;\n");
    await done("npm", ["pack", "--loglevel=error"], { cwd: folder });
    const findings = await findingsOf({ name: "wrong", tarball: join(folder, "wrong-1.0.0.tgz") });
    expect(findings.join("\n")).toMatch(/no types/);
    expect(findings.join("\n")).toMatch(/gone\.js/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
