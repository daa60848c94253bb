import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sumsBelow } from "./fixtures/worked-example.ts";

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8").trim();

test("the page for authors of libraries shows the current example", () => {
  const page = textOf("../../../apps/docs/libraries.md");
  expect(page).toContain(`\`\`\`ts\n${textOf("fixtures/worked-example.ts")}\n\`\`\``);
});

test("and it returns the documented results", async () => {
  const values = Float32Array.of(1, 9, 2, 8, 3);
  expect(await sumsBelow(values, 5)).toEqual(Float32Array.of(1, 3, 6));
  expect(await sumsBelow(values, 0)).toEqual(new Float32Array(0));
  expect(values).toEqual(Float32Array.of(1, 9, 2, 8, 3));
});
