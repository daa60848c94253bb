import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EMITTING, hasOnlyChecks, isEmitting } from "./changed/emitting.mjs";
import { allTests, reachOf } from "./changed/graph.mjs";
import { isSameProgram, tokensOf } from "./changed/sources.mjs";
import { changedChecks } from "./changed/texts.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

describe("a change of comments and layout", () => {
  const before =
    "/** Adds. */\nexport const add = (a: number, b: number): number => a + b; // sum\nf('x // y', `x ` + add(1, 2));\n";
  it.each([
    ["comments", before.replace("Adds", "Sums up").replace("// sum", "/* the sum */"), true],
    ["layout", before.replace("=> a + b", "=>\n  a + b"), true],
    ["an operator", before.replace("a + b", "a - b"), false],
    ["a name", before.replace("export const add", "export const sum"), false],
    ["what looks like a comment in a text", before.replace("// y", "// z"), false],
    ["a type", before.replace("a: number", "a: 1"), false],
  ])("is distinguished from a change of %s", (_, after, isSame) => {
    expect(isSameProgram("a.ts", before, after)).toBe(isSame);
  });

  it("is not reported for a new file, a deleted file, or a file that is not a source", () => {
    expect(isSameProgram("a.ts", undefined, before)).toBe(false);
    expect(isSameProgram("a.ts", before, undefined)).toBe(false);
    expect(isSameProgram("a.md", "a  b", "a b")).toBe(false);
    expect(tokensOf("a.ts", "f({ a: [] });").join(" ")).toBe("f ( { a : [ ] } ) ; ");
  });
});

describe("what a change reaches", () => {
  const tests = allTests(ROOT);
  const reach = reachOf(ROOT, tests);
  const reaching = (path) => tests.filter((test) => reach.get(test).has(path));

  it("are all tests, for a file that everything depends on", () => {
    const files = reaching("packages/core/src/ir/document/check.ts");
    for (const name of [
      "core",
      "dsl",
      "primitives",
      "target-c",
      "target-js",
      "target-opencl",
      "target-wgsl",
      "testkit",
      "cli",
      "bench",
    ])
      expect(
        files.some((file) => file.startsWith(`packages/${name}/test/`)),
        name,
      ).toBe(true);
    expect(files.some((file) => file.startsWith("examples/"))).toBe(true);
  });

  it("are the target's own tests and those that print all targets, and none of another target", () => {
    const files = reaching("packages/target-wgsl/src/spelling.ts");
    expect(files).toContain("packages/target-wgsl/test/suite.test.ts");
    expect(files).toContain("packages/target-wgsl/test/browser.test.ts");
    expect(files).toContain("packages/bench/test/goldens.test.ts");
    expect(files.filter((file) => file.startsWith("packages/target-opencl/"))).toEqual([]);
    expect(files.filter((file) => file.startsWith("packages/core/"))).toEqual([]);
  });

  it("are tests that bundle or start a program", () => {
    expect(reaching("packages/target-opencl/test/pocl6-program.ts")).toContain(
      "packages/target-opencl/test/pocl6.test.ts",
    );
  });
});

describe("sources that only decide what is emitted", () => {
  const sources = readdirSync(join(ROOT, "packages"), { recursive: true, encoding: "utf8" })
    .filter((path) => /^[^/]+\/src\/.*\.ts$/.test(path.replaceAll("\\", "/")))
    .map((path) => path.replaceAll("\\", "/"));

  it.each(EMITTING.map((pattern) => [pattern]))("are found by %s", (pattern) => {
    expect(sources.filter((path) => pattern.test(path))).not.toEqual([]);
  });

  it.each([
    ["packages/core/src/compiler/print/c-family.ts", true],
    ["packages/core/src/compiler/capabilities/tiles.ts", false],
    ["packages/core/src/compiler/kernel/memory.ts", false],
    ["packages/core/src/ir/reference/reference.ts", false],
    ["packages/core/src/host/run/layout.ts", false],
    ["packages/target-opencl/src/runtime.ts", false],
    ["packages/target-opencl/src/header.ts", false],
    ["packages/target-wgsl/src/spelling.ts", true],
  ])("%s: %s", (path, isOne) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
    expect(isEmitting(path)).toBe(isOne);
  });

  it("leave out a file only if all its tests are checks", () => {
    expect(hasOnlyChecks('conformance("A", probe, { only: (name) => /b/.test(name) });')).toBe(true);
    expect(hasOnlyChecks('conformance("A", probe);\ndeviceTest<Runtime>("b", probe, f);')).toBe(false);
    expect(hasOnlyChecks('test.each(A)("b", f);')).toBe(false);
  });
});

it("a check with another text is changed, and so is a new one", () => {
  expect(changedChecks({ a: "1", b: "2" }, { a: "1", b: "3", c: "4" })).toEqual(["b", "c"]);
});

// An earlier build may have left a file in dist whose source has moved: the import works here and fails in a clone.
it("scripts import only what the sources of built files export", () => {
  const scripts = readdirSync(dirname(fileURLToPath(import.meta.url))).filter((name) =>
    name.endsWith(".mjs"),
  );
  const imports = scripts.flatMap((name) => {
    const text = readFileSync(join(ROOT, "scripts", name), "utf8");
    const found = [...text.matchAll(/import \{([^}]*)\} from "\.\.\/(packages\/[^"]*\/dist\/[^"]*)"/g)];
    return found.flatMap(([, names, path]) => names.split(",").map((one) => [path, one.trim()]));
  });
  expect(imports.length).toBeGreaterThan(3);
  const isExported = ([path, name]) => {
    const source = join(ROOT, path.replace("/dist/", "/src/").replace(/\.js$/, ".ts"));
    const text = existsSync(source) ? readFileSync(source, "utf8") : "";
    return new RegExp(`^export [^;]*?\\b${name}\\b`, "m").test(text);
  };
  expect(imports.filter((one) => !isExported(one))).toEqual([]);
});
