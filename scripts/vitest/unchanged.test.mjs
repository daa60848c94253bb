import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepPassed, leftOut, withoutUnchanged } from "./unchanged.mjs";

const A = "packages/a/test/a.test.ts";
const B = "packages/b/test/b.test.ts";
const LISTS = "packages/b/test/lists.test.ts";
const TESTS = [A, B, LISTS];

describe("test files that need not run again", () => {
  let root;
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const pass = (...paths) =>
    keepPassed(
      root,
      paths.map((path) => ({ path, isPassed: true, tests: 3 })),
    );

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "groupwise-unchanged-"));
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    write(".gitignore", ".cache\n");
    write("README.md", "what it is\n");
    write("packages/a/src/add.ts", "export const add = (a, b) => a + b;\n");
    write("packages/a/src/index.ts", 'export { add } from "./add.ts";\n');
    write("packages/b/src/other.ts", "export const other = 1;\n");
    write(A, 'import { add } from "../src/index.ts";\n');
    write(B, 'import { other } from "../src/other.ts";\n');
    write(LISTS, 'import { readdirSync } from "node:fs";\n');
    expect(withoutUnchanged(root, TESTS)).toEqual(TESTS);
    pass(...TESTS);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("are those that passed, except those that read directories", () => {
    expect(withoutUnchanged(root, TESTS)).toEqual([LISTS]);
    expect(leftOut(root)).toEqual({ files: 2, tests: 6 });
  });

  it.each([
    ["a module that another names", "packages/a/src/add.ts", [A, LISTS]],
    ["the test itself", B, [B, LISTS]],
    ["a module that none names", "packages/b/src/unused.ts", [LISTS]],
    ["a file that is no module", "README.md", TESTS],
    ["a new file that is no module", "docs/new.md", TESTS],
    ["what runs the tests", "scripts/vitest/reporter.mjs", TESTS],
  ])("run after a change of %s", (_, path, expected) => {
    write(path, `${path === B ? 'import { other } from "../src/other.ts";\n' : ""}// changed\n`);
    expect(withoutUnchanged(root, TESTS)).toEqual(expected);
  });

  it("all run where passes are only noted, and are left out afterwards", () => {
    expect(withoutUnchanged(root, TESTS, "note")).toEqual(TESTS);
    expect(leftOut(root)).toEqual({ files: 0, tests: 0 });
    pass(A);
    expect(withoutUnchanged(root, TESTS)).toEqual([LISTS]);
  });

  it("run again after a failure, until they pass", () => {
    write("packages/a/src/add.ts", "export const add = 1;\n");
    withoutUnchanged(root, TESTS);
    keepPassed(root, [{ path: A, isPassed: false, tests: 3 }]);
    expect(withoutUnchanged(root, TESTS)).toEqual([A, LISTS]);
    pass(A);
    expect(withoutUnchanged(root, TESTS)).toEqual([LISTS]);
  });

  it("run if they passed with an earlier version of a changed file", () => {
    write("packages/a/src/add.ts", "export const add = 1;\n");
    withoutUnchanged(root, TESTS);
    write("packages/a/src/add.ts", "export const add = 2;\n");
    pass(A);
    expect(withoutUnchanged(root, TESTS)).toContain(A);
  });

  it("are none outside of a checkout", () => {
    rmSync(join(root, ".git"), { recursive: true });
    expect(withoutUnchanged(root, TESTS)).toEqual(TESTS);
  });
});
