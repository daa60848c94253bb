import { existsSync, readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FULL_ONLY, whyLater } from "./full-only.mjs";
import { LONGER, longer } from "./longer.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const projects = [
  ...readdirSync(resolve(root, "packages")).map((name) => `packages/${name}`),
  "examples",
  "apps/docs",
].filter((name) => existsSync(resolve(root, name, "test")));
const filesIn = (project) =>
  readdirSync(resolve(root, project, "test"), { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name.replaceAll("\\", "/")}`);

/** As in Vitest: a part of the path within the project, or of the path from the root. */
const isNamed = (part) =>
  existsSync(resolve(root, `${part}.test.mjs`)) ||
  projects.some((project) => {
    const inside = relative(project, part).replaceAll("\\", "/");
    return filesIn(project).some((file) => file.includes(part) || file.includes(inside));
  });

test.each([...LONGER.ci, ...LONGER.rest])("%s names a test file", (part) => {
  expect(isNamed(part)).toBe(true);
});

test("a named file is not in the table", () => {
  expect(isNamed("target-wgsl/test/suite.test")).toBe(false);
  expect(longer(["one", "ci"])).toEqual(["one", ...LONGER.ci]);
  expect(longer([])).toEqual([...LONGER.ci, ...LONGER.rest]);
});

test.each(FULL_ONLY)(
  "the tests of $file that are left to the full run are run there, and listed",
  ({ file, why }) => {
    const [, project, inside] = /^((?:packages|apps)\/[^/]+|examples)\/(.*)$/.exec(file);
    expect(filesIn(project)).toContain(inside);
    expect(longer([]).some((part) => inside.includes(part) || file.includes(part))).toBe(true);
    expect(why).not.toBe("");
  },
);

test("only the listed tests of a file are left to the full run", () => {
  const [{ file }] = FULL_ONLY;
  expect(whyLater(`/somewhere/${file}`, "opencl unary")).toMatch(/^in the full run: ./);
  expect(whyLater(`/somewhere/${file}`, "wgsl unary")).toBeUndefined();
  expect(whyLater("/somewhere/else.test.ts", "opencl unary")).toBeUndefined();
});
