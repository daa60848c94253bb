import { readFileSync } from "node:fs";
import { pipeline, u32 } from "@groupwise/dsl";
import { afterEach, describe, expect, it } from "vitest";
import { callerOf, placeIn } from "../src/base/place.ts";
import lineIndex from "./fixtures/line-index.ts";
import { nodesOf, placeOfText } from "./support.ts";

const source = readFileSync(new URL("fixtures/line-index.ts", import.meta.url), "utf8");

describe("source locations", () => {
  const engine = Error as unknown as Record<string, unknown>;
  const { captureStackTrace, stackTraceLimit, prepareStackTrace } = engine;
  afterEach(() => Object.assign(engine, { captureStackTrace, stackTraceLimit, prepareStackTrace }));
  const small = (options?: { places: boolean }) =>
    pipeline("small", { a: u32 }, ({ a }) => ({ b: a.add(1) }), options);

  it.each<[string, string, string, number]>([
    ["binary", "eq", "text.eq", 5],
    ["cast", "u32", "isBreak.toU32().scan", 8],
    ["scan-exclusive", "add", "scanExclusive", 0],
    ["query", "global-linear-id", "index()", 0],
    ["scatter", "starts", "scatter(", 0],
    ["reduce", "add", "reduce(", 0],
    ["output", "line", "pipeline(", 0],
  ])("of %s %s are the author's", (kind, detail, text, offset) => {
    const node = lineIndex.ir.nodes.find((one) => one.kind === kind && Object.values(one).includes(detail));
    expect(node?.at).toBe(`line-index.ts:${placeOfText(source, text, offset)}`);
  });

  it("can be omitted", () => {
    expect(small().ir.nodes.every(({ at }) => at !== undefined)).toBe(true);
    expect(small({ places: false }).ir.nodes.some(({ at }) => at !== undefined)).toBe(false);
  });

  it("do not change the engine's limit", () => {
    engine.stackTraceLimit = 7;
    small();
    expect(engine.stackTraceLimit).toBe(7);
  });

  it("are present if stack traces are short or off", () => {
    engine.stackTraceLimit = 0;
    expect(nodesOf(small(), "binary")[0]?.at).toMatch(/^place\.test\.ts:\d+:\d+$/);
    expect(engine.stackTraceLimit).toBe(0);
  });

  it("are absent if the engine has no stack traces", () => {
    engine.captureStackTrace = undefined;
    expect(small().ir.nodes.some(({ at }) => at !== undefined)).toBe(false);
  });

  it("are absent if stacks have another form, or throw", () => {
    engine.prepareStackTrace = () => [];
    expect(callerOf(undefined)).toBeUndefined();
    engine.captureStackTrace = () => {
      throw new Error("no");
    };
    expect(callerOf(undefined)).toBeUndefined();
    expect(small().ir.nodes).toHaveLength(4);
  });

  it.each([
    ["Error\n    at build (file:///a/b/line%20index.ts:4:22)", "line index.ts:4:22"],
    ["Error\n    at C:\\work\\a.ts:4:22", "a.ts:4:22"],
    ["Error\n    at Object.<anonymous> (/a/b (c)/d.test.ts:10:1)", "d.test.ts:10:1"],
    ["Error\n    at async http://localhost:5173/src/main.ts?t=17:3:5", "main.ts:3:5"],
    ["build@http://localhost:5173/src/main.ts:3:5\n", "main.ts:3:5"],
    ["Error\n    at eval (eval at <anonymous> (x.ts:1:2), <anonymous>:1:1)", undefined],
    ["Error\n    at http://localhost/:10:5", undefined],
    ["Error\n    at native", undefined],
    ["Error\n    at f (/a/%E0%A4%A.ts:1:2)", "_E0_A4_A.ts:1:2"],
    ["Error\n    at f (/a/x*\u202e\u0007.ts:1:2)", "x___.ts:1:2"],
    ["", undefined],
    [undefined, undefined],
    [[], undefined],
  ])("in %j are %j", (stack, place) => {
    expect(placeIn(stack)).toBe(place);
  });
});
