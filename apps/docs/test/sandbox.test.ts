import { readFileSync } from "node:fs";
import { parsePipeline } from "@groupwise/core/schema";
import { describe, expect, test, vi } from "vitest";
import { declarationIn, EXAMPLES, loadExample } from "../.vitepress/theme/playground/examples.ts";
import { lineOf } from "../.vitepress/theme/playground/lines.ts";
import { documentOf } from "../.vitepress/theme/sandbox/evaluate.ts";
import { builtFrom } from "../.vitepress/theme/sandbox/frame.ts";
import { Limits } from "../.vitepress/theme/sandbox/limits.ts";

const SUMS = `import { f32, pipeline, type Pipe } from "@groupwise/dsl";
const name: string = "sums";

export default pipeline(name, { x: f32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
}));
`;
const problemOf = (code: string): unknown => {
  try {
    return documentOf(code);
  } catch (error) {
    return (error as { problem: unknown }).problem;
  }
};

describe("the sandbox's code", () => {
  test("returns the document of the pipeline that the text exports", () => {
    const { pipeline } = parsePipeline(documentOf(SUMS));
    expect(pipeline.name).toBe("sums");
    expect(pipeline.nodes.some(({ at }) => at?.startsWith("pipeline.ts:5:"))).toBe(true);
  });

  test.each(Object.keys(EXAMPLES))("builds the example %s", async (name) => {
    const code = await loadExample(name);
    expect(code).not.toMatch(/support\/|Session/);
    expect(parsePipeline(documentOf(code)).sinks.length).toBeGreaterThan(0);
  });

  test.each([
    ["a rule", SUMS.replace('"add"', '"and"'), { code: "op-type", line: 5 }],
    ["syntax", SUMS.replace("string =", "string = = "), { code: "bad-usage", line: 2 }],
    ["a throw", SUMS.replace("const name", "null.x; const name"), { code: "bad-usage", line: 2 }],
    ["a package", 'import "fs";', { code: "bad-usage" }],
    ["no pipeline", "export const x = 1;", { code: "bad-usage" }],
  ])("reports the location of %s", (_, code, want) => {
    expect(problemOf(code)).toMatchObject(want);
  });

  test("accepts only a text or an error from the frame", () => {
    expect(builtFrom({ document: "{}" })).toBe("{}");
    for (const data of [null, 1, {}, { document: {} }, { problem: { code: 1 } }, { failed: {} }])
      expect(() => builtFrom(data)).toThrow(expect.objectContaining({ problem: expect.anything() }));
  });
});

test("the code's time begins when the sandbox has started, and once only", () => {
  vi.useFakeTimers();
  try {
    const ended: string[] = [];
    const limits = new Limits((what) => ended.push(what));
    vi.advanceTimersByTime(60_000);
    expect(ended).toEqual([]);
    limits.start();
    vi.advanceTimersByTime(9_000);
    limits.start();
    vi.advanceTimersByTime(1_000);
    expect(ended).toEqual(["the code did not end within 10 s"]);
    const slow = new Limits((what) => ended.push(what));
    new Limits((what) => ended.push(what)).clear();
    vi.advanceTimersByTime(120_000);
    expect(ended.slice(1)).toEqual(["the sandbox did not start within 120 s"]);
    slow.clear();
  } finally {
    vi.useRealTimers();
  }
});

test("declarations are shown without header, support and program", () => {
  const text =
    '/**\n * About.\n */\nimport { f32 } from "@groupwise/dsl";\nimport { run } from "./support/program.ts";\n\nconst a = 1;\nexport default a;\n\nexport async function main() {}\n';
  expect(declarationIn(text)).toBe(
    'import { f32 } from "@groupwise/dsl";\n\nconst a = 1;\nexport default a;\n',
  );
});

test("lines of problems in documents", () => {
  const text = '{\n "nodes": [\n  { "id": 0 },\n  { "id": 1 },\n  { "id": 10 }\n ]\n}';
  const at = (where: string, what = "") => lineOf({ code: "", hint: "", what, where }, "json", text);
  expect([at("nodes[1].op"), at("nodes[10]"), at("document", "bad (line 3 column 2)"), at("name")]).toEqual([
    4,
    5,
    3,
    undefined,
  ]);
});

describe("the page for users of other libraries", () => {
  const page = readFileSync(new URL("../coming-from.md", import.meta.url), "utf8");
  // The others only show types.
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)]
    .map(([, code]) => code as string)
    .filter((code) => /^export default /m.test(code));

  test.each(blocks)("has code that builds: %s", (code) => {
    expect(parsePipeline(documentOf(code)).sinks.length).toBeGreaterThan(0);
  });

  test("has code", () => expect(blocks.length).toBe(4));
});
