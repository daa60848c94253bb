import { FUNCTION_ROWS, type FunctionName, isElementary } from "@groupwise/core/target";
import { expect, test } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import { f16, f32, pipeline } from "../src/index.ts";
import { nodesOf } from "./support.ts";

const OPS = (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter(isElementary);

test.each(OPS)("%s is fast if the author requests it", (op) => {
  const others = FUNCTION_ROWS[op].rest.map(() => 2);
  const made = (options: unknown) =>
    pipeline("made", { x: f32, h: f16 }, ({ x, h }) => {
      const call = (value: unknown) =>
        (value as Record<string, (...args: unknown[]) => typeof x>)[op]?.(...others, options) as typeof x;
      return { single: call(x), half: call(h) };
    });
  const fastIn = (options: unknown) => nodesOf(made(options), "function").map(({ fast }) => fast);
  expect(fastIn({ fast: true })).toEqual([true, true]);
  expect(fastIn({ fast: false })).toEqual([undefined, undefined]);
  expect(fastIn(undefined)).toEqual([undefined, undefined]);
  expect(errorFrom(() => made({ fast: 1 })).code).toBe("bad-argument");
});

test("a fast value and an exact one are two values", () => {
  const made = pipeline("made", { x: f32 }, ({ x }) => ({ near: x.exp({ fast: true }), exact: x.exp() }));
  expect(nodesOf(made, "function")).toHaveLength(2);
});
