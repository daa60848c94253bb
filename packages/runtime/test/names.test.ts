import { Names } from "@groupwise/ir/base/names.js";
import { check } from "@groupwise/ir/document/check.js";
import { LIMITS } from "@groupwise/ir/document/limits.js";
import { fixed, marked, spellNames, wordsIn } from "@groupwise/kernel/print/names.js";
import { lower } from "@groupwise/lower/lower.js";
import { describe, expect, it, vi } from "vitest";
import { collective, constant, type Draft, documentOf, input, output } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { manifestOf, OWN_ARRAYS } from "../src/plan/manifest.ts";

describe("names of a text", () => {
  const spell = (text: string): string => spellNames(text, (word) => word === "while");

  it("get an underscore if they are words of the text, or reserved", () => {
    const [min, whil, price] = ["min", "while", "price"].map(marked);
    expect(spell(`let ${min} = min(${whil}, ${price});`)).toBe("let min_ = min(while_, price);");
  });

  it("are unchanged if the word occurs only in a comment, a string, an attribute or after a dot", () => {
    const x = marked("x");
    const text = `@builtin(x) @x /* x\nx */ f("x \\" x", v.x, ${x}); // x`;
    expect(spell(text)).toBe(text.replace(x, "x"));
    expect([...wordsIn(text)]).toEqual(["f", "v"]);
  });

  it("are words after three dots", () => {
    expect([...wordsIn("f(...rest)")]).toEqual(["f", "rest"]);
  });

  it("never collide with fixed words, whose properties use the shorthand if possible", () => {
    const property = (name: string): string => `${fixed(name)}: ${marked(name)}`;
    const text = `${fixed("run")}(${marked("run")}) { ${property("a")}, ${property("while")}, ${property("b")}.length }`;
    expect(spell(text)).toBe("run(run) { a, while: while_, b: b.length }");
  });
});

describe("fresh names", () => {
  it("are the hint, then the hint with the first free number, in inner blocks too", () => {
    const names = new Names(["x", "x_3"]);
    expect([names.fresh("x"), names.fresh("x"), names.fresh("y")]).toEqual(["x_2", "x_4", "y"]);
    const inner = names.inner();
    expect([inner.fresh("x"), inner.fresh("y"), inner.fresh("z")]).toEqual(["x_5", "y_2", "z"]);
    expect([names.fresh("z"), names.fresh("x")]).toEqual(["z", "x_5"]);
  });

  it("take one or two look-ups each, for any number of requests of a hint", () => {
    const looks = vi.spyOn(Set.prototype, "has");
    try {
      const names = new Names(["x"]);
      for (let i = 0; i < 10_000; i++) names.fresh("x");
      expect(looks.mock.calls.length).toBeLessThan(30_000);
    } finally {
      looks.mockRestore();
    }
  });
});

describe("an output whose length is hidden", () => {
  const scatter = (name: string): Draft => ({ kind: "scatter", name, value: 0, slot: 0, length: 1 });
  const drafts = (names: readonly string[]): Draft[] => [
    ...[input("u32"), collective("reduce", "add", "u32")],
    ...names.map(scatter),
  ];
  it.each([57, 58, 60, 63, 64])("may have a name of %i characters", (length) => {
    const names = ["a", "b", "c"].map(
      (last) =>
        `${"n_"
          .repeat(40)
          .slice(0, length - 1)
          .replace(/_$/, "n")}${last}`,
    );
    const plan = lower(check(documentOf(drafts(names))), SIMT);
    const parts = {
      ...{ generator: "", command: "", target: "", file: "", requires: [], flags: {} },
      arrays: OWN_ARRAYS,
    };
    const { bindings } = manifestOf(plan, parts);
    const told = bindings.filter(({ lengthFrom }) => lengthFrom !== undefined);
    expect(told.map(({ name }) => name)).toEqual(names);
    for (const { lengthFrom } of told) {
      const hidden = bindings.find(({ name }) => name === lengthFrom);
      expect(hidden?.name.length).toBeLessThanOrEqual(LIMITS.name);
    }
  });
});

it("kernels have parameters, and a value that an output depends on", () => {
  const dead: Draft[] = [
    ...[input("u32"), constant(1)],
    { kind: "broadcast", of: 0, index: [1], scope: "device" },
    ...[collective("reduce", "add", "u32"), collective("scan-inclusive", "add", "u32"), output(1, "out")],
  ];
  const { module } = lower(check(documentOf(dead)), SIMT);
  expect(module.kernels.map(({ name }) => name)).toHaveLength(1);
  expect(module.buffers.map(({ name }) => name)).toEqual(expect.arrayContaining(["x", "out"]));
});
