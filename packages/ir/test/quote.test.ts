/** What strangers write into documents comes back in messages that no terminal obeys. */
import { expect, it } from "vitest";
import { errorOf, GroupwiseError } from "../src/base/errors.ts";
import { printable, printableLine, quoted, textOf } from "../src/base/quote.ts";
import { parsePipeline } from "../src/schema/parse.ts";

const CONTROLS = [
  ...["\u0000", "\u0007", "\u001b", "\u007f", "\u009b", "\u200f", "\u202e", "\u2066"],
  ...["\u2028", "\ufeff", "\ud800"],
];
const RAW = /[\p{C}\p{Zl}\p{Zp}]/u;

it.each(CONTROLS)("%j is escaped, and nothing else changes", (control) => {
  const code = `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  expect(printable(`a${control}é😀`)).toBe(`a${code}é😀`);
  expect(quoted(`a${control}b`)).not.toMatch(RAW);
  const error = errorOf("bad-operator", { name: control, reason: `a${control}b` }, `node${control}`);
  for (const text of [error.message, error.what, error.where, error.hint]) expect(text).not.toMatch(RAW);
});

it("line breaks are kept in the log of a compiler, but not in locations and quotes", () => {
  expect(printable("a\n\tb")).toBe("a\n\tb");
  expect(printableLine("a\n\tb")).toBe("a\\u000a\\u0009b");
  expect(quoted("a\nb")).toBe('"a\\nb"');
});

it.each([
  [Object.create(null), "an object"],
  [{ toString: 1 }, "an object"],
  [[[]], "a list"],
  [Symbol("s"), "a symbol"],
  [() => 1, "a function"],
  [5n, "5"],
  [undefined, "undefined"],
])("%# has a text", (value, text) => {
  expect(textOf(value)).toBe(text);
});

it.each([{}, [], { toString: 1 }, null, Object.create(null)])(
  "a version that is no number: %#",
  (version) => {
    expect(() => parsePipeline({ format: "groupwise-pipeline", version })).toThrow(GroupwiseError);
  },
);

it("a document with more problems than the stack can hold reports the first", () => {
  const nodes = Array.from({ length: 4000 }, () => ({
    kind: "input",
    id: "a",
    name: 1,
    type: 2,
    at: 3,
    x: 4,
  }));
  const operators = Array.from({ length: 60 }, () => ({ nodes }));
  const document = { format: "groupwise-pipeline", version: 1, name: "p", workGroupSize: [1] };
  const where = (given: object): string => {
    try {
      parsePipeline({ ...document, ...given });
    } catch (error) {
      return (error as GroupwiseError).where;
    }
    return "";
  };
  expect(where({ nodes })).toBe("nodes[0].id");
  expect(where({ nodes: [], operators })).toMatch(/^operators\[0\]/);
});
