import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { publishedPackages, ROOT } from "./published.mjs";
import { fieldsOf, withFields } from "./repository.mjs";
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

describe("the address of the repository", () => {
  const address = "https://github.com/owner/name";

  test("is in all manifests, or in none", () => {
    const root = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    for (const { folder, manifest } of packages) {
      const { homepage, bugs, repository } = manifest;
      const link = root.repository?.url.replace(/^git\+|\.git$/g, "");
      const want = link ? fieldsOf(link, relative(ROOT, folder), root.homepage) : {};
      expect({ bugs, repository }, manifest.name).toEqual({ bugs: want.bugs, repository: want.repository });
      expect(Boolean(homepage)).toBe(Boolean(link));
    }
  });

  test.each([address, `${address}/`, `${address}.git`])("%s becomes npm's fields", (given) => {
    expect(fieldsOf(given, "packages\\core")).toEqual({
      homepage: `${address}#readme`,
      bugs: { url: `${address}/issues` },
      repository: { type: "git", url: `git+${address}.git`, directory: "packages/core" },
    });
    expect(fieldsOf(given, "", "https://groupwise.example").homepage).toBe("https://groupwise.example/");
    expect(fieldsOf(given, "").repository).not.toHaveProperty("directory");
  });

  test("replaces another one, and keeps the order of the manifest", () => {
    const manifest = { name: "a", license: "MIT", bugs: "old", type: "module" };
    const made = withFields(manifest, fieldsOf(address, ""));
    expect(Object.keys(made)).toEqual(["name", "license", "homepage", "bugs", "repository", "type"]);
    expect(made.bugs).toEqual({ url: `${address}/issues` });
  });

  test("of another host is refused, so that no link of the site is wrong", () => {
    for (const wrong of ["", "owner/name", "https://example.com/owner/name", `${address}/tree/main`])
      expect(() => fieldsOf(wrong, "")).toThrow("https://github.com/OWNER/NAME");
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
