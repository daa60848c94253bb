/** Links between the lines of a declaration and those of its document and emitted texts. */
import { check } from "@groupwise/core";
import { parsePipeline, stringifyPipeline } from "@groupwise/core/schema";
import { expect, test } from "vitest";
import { emitText } from "../.vitepress/theme/engine/emit.ts";
import { linkedOf } from "../.vitepress/theme/engine/linked.ts";
import { documentOf } from "../.vitepress/theme/sandbox/evaluate.ts";
import { linksOfDocument, linksOfText } from "../.vitepress/theme/text/linked.ts";
import { linesOf } from "../.vitepress/theme/text/tokens.ts";

const CODE = `import { f32, pipeline } from "@groupwise/dsl";
export default pipeline("two", { price: f32, weight: f32 }, ({ price, weight }) => {
  const total = price.reduce("add");
  return {
    total,
    sums: weight.scanInclusive("add"),
  };
});
`;
const { pipeline } = parsePipeline(documentOf(CODE));

test("a line refers to the inputs that it reads and the outputs that it writes", () => {
  const names = new Map(linkedOf(check(pipeline)).map((one) => [one.line, [...one.names].sort()]));
  expect(names.get(3)).toEqual(["price", "total"]);
  expect(names.get(6)).toEqual(["sums", "weight"]);
  expect(names.get(5)).toBeUndefined();
});

test.each(["wgsl", "opencl", "cuda", "js"] as const)(
  "lines of %s contain the names that they refer to",
  async (language) => {
    const linked = linkedOf(check(pipeline));
    const emitted = await emitText(check(pipeline), language);
    const text = "text" in emitted ? emitted.text : "";
    const lines = text.split("\n");
    const links = linksOfText(text, linked);
    expect(links).toHaveLength(lines.length);
    const of = (line: number) => lines.filter((_, i) => links[i]?.includes(line)).join("\n");
    expect(of(3)).toMatch(/\btotal\b/);
    expect(of(6)).toMatch(/\bsums\[/);
    expect(of(6)).not.toMatch(/\btotal\[/);
  },
);

test("a component of a vector is not a name of the pipeline, a parameter is", () => {
  const linked = [{ line: 3, names: ["x"] }];
  expect(linksOfText("let a = group.x;\nlet b = x[i];\nlet c = params.x;", linked)).toEqual([[], [3], [3]]);
});

test("a node of the document belongs to the line of its source location", () => {
  const text = stringifyPipeline(pipeline);
  const links = linksOfDocument(text);
  const at = text.split("\n").findIndex((line) => line.includes('"reduce"'));
  expect(links[at]).toEqual([3]);
  expect(links[0]).toEqual([]);
});

test("lines of coloured pieces concatenate to the text", () => {
  const rows = linesOf([
    { text: "a\n\nb", kind: "x" },
    { text: "c\n", kind: "" },
  ]);
  expect(rows.map((row) => row.map((one) => one.text).join(""))).toEqual(["a\n", "\n", "bc\n", ""]);
});
