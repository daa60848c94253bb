/** The sources are within the limits of each measure, and each limit can be exceeded. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { cyclesOf, LIMITS, measure, percentile } from "./measures/measures.mjs";
import { sourceOf, sourcesOf } from "./measures/sources.mjs";

const rows = measure(sourcesOf(fileURLToPath(new URL("..", import.meta.url))));

test.each(rows.map((row) => [row.name, row]))("%s", (_, { value, limit, look }) => {
  expect(value, look.join("\n")).toBeLessThanOrEqual(limit);
});

describe("a measure", () => {
  const source = (path, imports = [], lines = 10) => ({ path, lines, functions: [], imports });

  test("finds cycles of folders through types and over several folders", () => {
    const text = 'import type { B } from "../b/b.ts";\nexport const a = 1;\n';
    expect(sourceOf("p/a/a.ts", text).imports).toEqual(["p/b/b.ts"]);
    const sources = [source("a/x", ["b/x"]), source("b/x", ["c/x"]), source("c/x", ["a/y"]), source("a/y")];
    expect(cyclesOf(sources)).toEqual(["a b c"]);
    expect(
      cyclesOf(sources.slice(0, 3).map((one) => ({ ...one, imports: one.imports.slice(0, 0) }))),
    ).toEqual([]);
  });

  test("counts the lines of functions of every form", () => {
    const text =
      "const a = () => {\n  b();\n};\nclass C {\n  d() {\n    return 1;\n  }\n}\nfunction e() {}\n";
    const found = sourceOf("p/a.ts", text).functions.map(({ name, lines }) => [name, lines]);
    expect(found).toEqual([
      ["a", 3],
      ["d", 3],
      ["e", 1],
    ]);
  });

  test("counts the parameters of functions and of their types", () => {
    const text = "function a(x, y) {}\ninterface I {\n  b(x: number, y: number, z: number): void;\n}\n";
    const found = sourceOf("p/a.ts", text).functions.map(({ name, lines, parameters }) => [
      name,
      lines,
      parameters,
    ]);
    expect(found).toEqual([
      ["a", 1, 2],
      ["b", 0, 3],
    ]);
  });

  test("is above its limit if a file, a folder or a function is too large", () => {
    const long = {
      ...source("a/long", [], 351),
      functions: [{ name: "f", line: 1, lines: 76, parameters: 6 }],
    };
    const full = Array.from({ length: 17 }, (_, i) => source(`b/${i}`, i === 0 ? ["a/long"] : [], 300));
    const over = measure([{ ...long, imports: ["b/0"] }, ...full]).filter(({ isMet }) => !isMet);
    expect(over.map(({ name }) => name)).toEqual(Object.keys(LIMITS));
  });

  test("is the value that a share of the numbers does not exceed", () => {
    expect([0.5, 0.9, 0.99].map((share) => percentile([5, 1, 4, 2, 3, 10, 9, 8, 7, 6], share))).toEqual([
      5, 9, 10,
    ]);
  });
});
