import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publishedPackages } from "./published.mjs";
import { licencesOf, refusedLicences } from "./sbom.mjs";

const packages = publishedPackages();

describe.each(packages.map((one) => [one.manifest.name, one]))("%s", (name, { folder, manifest }) => {
  test("states its description, its licence, the version of Node, and its files", () => {
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/.{20}/),
      license: "MIT",
      engines: { node: ">=20.19" },
      publishConfig: { access: "public" },
    });
    expect(manifest.keywords.length).toBeGreaterThanOrEqual(4);
    expect(manifest.files).toContain("CHANGELOG.md");
    for (const file of ["LICENSE", "README.md", "CHANGELOG.md"])
      expect(existsSync(join(folder, file)), file).toBe(true);
  });

  test("depends on the released packages in their exact version", () => {
    for (const [other, version] of Object.entries(manifest.dependencies ?? {})) {
      const own = packages.find((one) => one.manifest.name === other);
      if (own) expect(version, `${name} on ${other}`).toBe(own.manifest.version);
    }
  });
});

const commands = packages.flatMap(({ folder, manifest: { bin = {} } }) =>
  Object.entries(bin).map(([name, path]) => [name, folder, path]),
);

test.each(commands)(
  "the command %s can be linked before it is built, and says so: %s",
  (name, from, path) => {
    expect(path).not.toContain("dist");
    const folder = mkdtempSync(join(tmpdir(), "groupwise-unbuilt-"));
    try {
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      cpSync(join(from, path), join(folder, path));
      const { status, stderr } = spawnSync(process.execPath, [join(folder, path), "--version"], {
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([2, `${name} is not built: run \`npm run build\` in this checkout\n`]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

describe("licences", () => {
  const component = (name, licenses) => ({ name, version: "1.0.0", ...(licenses && { licenses }) });
  const bill = {
    components: [
      component("b", [{ license: { id: "GPL-3.0-only" } }]),
      component("a", [{ license: { id: "MIT" } }]),
      component("c"),
      component("d", [{ expression: "MIT OR GPL-2.0" }]),
    ],
  };

  test("are listed by name, also packages without one", () => {
    expect(licencesOf(bill).map(({ name, licence }) => `${name} ${licence}`)).toEqual([
      "a MIT",
      "b GPL-3.0-only",
      "c unknown",
      "d MIT OR GPL-2.0",
    ]);
  });

  test("that require more than a notice, or are unknown, are refused", () => {
    expect(refusedLicences(bill).map(({ name }) => name)).toEqual(["b", "c", "d"]);
  });
});
