import type { GroupwiseError } from "@groupwise/core";
import { describe, expect, it } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import {
  argmax,
  arrayOf,
  bits,
  bool,
  type F32Value,
  f32,
  i64,
  operator,
  param,
  pipeline,
  scalar,
  select,
  table,
  u8,
  u32,
} from "../src/index.ts";

// Types refuse most of this; programs in JavaScript have none.
// biome-ignore lint/suspicious/noExplicitAny: what a program without types does
type Untyped = any;
const inputs = { x: f32, y: f32, n: u32, wide: table(i64), k: param(f32), on: bool };
const building = (build: (given: Untyped, context: Untyped) => unknown): GroupwiseError =>
  errorFrom(() => pipeline("misused", inputs, (given, context) => build(given, context) as Untyped));

describe("a value that JavaScript reads as a number or a text", () => {
  it.each<[string, (given: Untyped) => unknown]>([
    ["a sum", ({ x }) => ({ y: x + 1 })],
    ["a difference", ({ x, y }) => ({ y: x - y })],
    ["a negation", ({ x }) => ({ y: -x })],
    ["a comparison", ({ x }) => ({ y: x < 3 ? x : 1 })],
    // biome-ignore lint/suspicious/noDoubleEquals: the mistake
    ["an equality", ({ x, y }) => ({ y: x == 3 ? x : y })],
    ["a text", ({ x }) => ({ [`${x}`]: x })],
    ["a table", ({ wide }) => ({ y: wide + 1 })],
    ["a scatter", ({ x, n }) => ({ y: x.scatter({ to: n }) + 1 })],
    ["a scalar output", ({ x }) => ({ y: scalar(x.reduce("add") as Untyped) + (1 as Untyped) })],
  ])("%s", (_, build) => {
    const error = building(build);
    expect(error.code).toBe("bad-usage");
    expect(error.hint).toContain("select");
    expect(error.where).toMatch(/^misuse\.test\.ts:\d+:\d+$/);
  });
});

describe("a condition that JavaScript takes as true", () => {
  const whichOf = (x: Untyped, y: Untyped) => {
    if (x.eq(y)) return { z: x };
    return { z: y };
  };
  it.each<[string, (given: Untyped) => unknown]>([
    ["?:", ({ x, y }) => ({ z: x.gt(3) ? x : y })],
    ["if", ({ x, y }) => whichOf(x, y)],
    ["!", ({ x }) => ({ z: !x.gt(3) ? x : x.neg() })],
    ["&&", ({ x, y }) => ({ z: x.gt(3) && y.lt(2) })],
    ["?: of a combined one", ({ x, y, on }) => ({ z: on.and(x.gt(3)).not() ? x : y })],
  ])("%s", (_, build) => {
    const error = building(build);
    expect(error.code).toBe("unused-condition");
    expect(error.hint).toContain("select");
    expect(error.where).toMatch(/^misuse\.test\.ts:\d+:\d+$/);
  });

  it("in the function of an operator", () => {
    const error = errorFrom(() =>
      operator(
        "largest",
        { x: f32 },
        { combine: (left, right) => (left.x.gt(right.x) ? left : right), identity: { x: 0 } },
      ),
    );
    expect(error.code).toBe("unused-condition");
  });

  it("counts as used by select, an output, a scatter, a collective or another condition", () => {
    const used = pipeline("used", inputs, ({ x, y, n, on }, { index }) => ({
      selected: x.gt(y).select(x, y),
      chosen: select(x.ge(y), x, y),
      output: x.lt(1),
      one: scalar(x.lt(2).any()),
      both: x.le(2).and(on.not()),
      slots: index().scatter({ to: n, where: n.eq(3) }),
      parts: x.reduce("add", { segments: n.eq(0) }),
      best: argmax(f32).reduce({ value: x, index: index() }).index,
    }));
    expect(Object.keys(used.outputs)).toHaveLength(8);
  });

  it("may be unused if the options allow it", () => {
    const unused = ({ x }: { x: F32Value }): { y: F32Value } => {
      x.gt(3);
      return { y: x };
    };
    const made = pipeline("left", { x: f32 }, unused, { unusedConditions: true });
    expect(made.ir.nodes).toHaveLength(2);
    expect(errorFrom(() => pipeline("left", { x: f32 }, unused)).code).toBe("unused-condition");
  });
});

describe("a constant outside its type", () => {
  it.each<[string, (given: Untyped) => unknown, string]>([
    ["a negative unsigned", ({ n }) => ({ y: n.add(-1) }), "from 0 to 4294967295"],
    ["a fraction", ({ n }) => ({ y: n.add(1.5) }), "whole numbers"],
    ["a number for 64 bits", ({ wide, n }) => ({ y: wide.at(n).add(1) }), "bigint"],
    ["a number for bool", ({ on }) => ({ y: on.and(1) }), "true and false"],
    ["a text", ({ x }) => ({ y: x.add("1") }), "numbers"],
    ["a function", ({ x, n }) => ({ y: x.scatter({ to: () => n }) }), "what the function returns"],
  ])("%s", (_, build, remedy) => {
    const error = building(build);
    expect(error.code).toBe("bad-literal");
    expect(error.hint).toContain(remedy);
    expect(error.where).toMatch(/^misuse\.test\.ts/);
  });
});

describe("a call in JavaScript that lacks a part", () => {
  const value = ({ x }: Untyped): Untyped => argmax(f32).reduce({ value: x, index: 0 });
  it.each<[string, (given: Untyped) => unknown, string]>([
    ["a scatter without a slot", ({ x, on }) => ({ y: x.scatter({ where: on }) }), "{ to: slot }"],
    ["a record as an output", (given) => ({ best: value(given) }), "outputs({ best: … })"],
    ["a value in place of a record", ({ x }) => ({ y: argmax(f32).reduce(x) }), "pass an object"],
  ])("%s", (_, build, remedy) => {
    const error = building(build);
    expect(error.code).toBe("bad-usage");
    expect(error.hint).toContain(remedy);
    expect(error.where).toMatch(/^misuse\.test\.ts:\d+:\d+$/);
  });
});

describe("a declaration", () => {
  const same = ({ x }: Untyped): Untyped => ({ z: x });
  const sized = (workGroupSize: Untyped) => () => pipeline("p", inputs, same, { workGroupSize });
  const declared = (given: Untyped, build: Untyped) => () => pipeline("p", given, build);
  it.each<[string, string, () => unknown]>([
    ["bad-name", "of a name with a space", () => pipeline("my sums", inputs, same)],
    [
      "bad-name",
      "of an output that every object has",
      declared(inputs, ({ x }: Untyped) => ({ valueOf: x })),
    ],
    ["bad-name", "of an input that every object has", declared({ toString: f32, x: f32 }, same)],
    ["duplicate-name", "of a name twice", declared(inputs, ({ x, y }: Untyped) => ({ y: x.add(y) }))],
    ["bad-work-group", "of a size that is none", sized(0)],
    ["no-output", "without outputs", declared(inputs, () => ({}))],
    ["bad-argument", "without a function", declared(inputs, undefined)],
    ["bad-argument", "of sizes that are no numbers", sized([64n])],
  ])("is refused with %s and its place: %s", (code, _, declare) => {
    const error = errorFrom(declare);
    expect(error.code).toBe(code);
    expect(error.where).toMatch(/^misuse\.test\.ts:\d+:\d+$/);
  });
});

describe("a scalar output", () => {
  it("is one value, known by name and type", () => {
    const made = pipeline("made", { x: f32, big: param(i64) }, ({ x, big }, { index }) => ({
      total: scalar(x.reduce("add")),
      next: scalar(big.add(1n)),
      y: index(),
    }));
    expect(made.scalars).toEqual({ total: "f32", next: "i64" });
    expect(made.outputs).toEqual({ total: "f32", next: "i64", y: "u32" });
    const outer = pipeline("outer", { x: f32 }, ({ x }) => ({ twice: made({ x, big: 1n }).total.mul(2) }));
    expect(outer.scalars).toEqual({});
  });

  it.each<[string, string, (given: Untyped) => unknown]>([
    ["not-uniform", "a value of each item", ({ x }) => ({ y: scalar(x) })],
    ["not-uniform", "of a work-group", ({ x }) => ({ y: scalar(x.reduce("add", { scope: "work-group" })) })],
    ["bad-usage", "a number", () => ({ y: scalar(1 as Untyped) })],
    ["bad-usage", "a table", ({ wide }) => ({ y: scalar(wide) })],
    ["bad-usage", "without a name", ({ x }) => scalar(x.reduce("add"))],
  ])("%s: %s", (code, _, build) => expect(building(build).code).toBe(code));
});

describe("options that no method knows", () => {
  const add = operator("plus", { v: f32 }, {
    identity: { v: 0 },
    combine: (a: Untyped, b: Untyped) => ({ v: a.v.add(b.v) }),
  } as Untyped) as Untyped;
  it.each<[string, (given: Untyped) => unknown, string]>([
    ["reduce", ({ x }) => ({ y: x.reduce("add", { reversed: true }) }), "reversed"],
    ["a scan", ({ x }) => ({ y: x.scanInclusive("add", { Order: "any" }) }), "Order"],
    ["scan and total", ({ x }) => ({ y: x.scanWithTotal("add", { seeds: 0 }).scan }), "seeds"],
    ["a user-defined operator has no order", ({ x }) => add.reduce({ v: x }, { order: "any" }), "order"],
    ["all", ({ on }) => ({ y: on.all({ Scope: "work-group" }) }), "Scope"],
    ["broadcast", ({ x }) => ({ y: x.broadcast(0, { scopes: "device" }) }), "scopes"],
    ["rank", ({ n }) => ({ y: n.rank({ bins: 4, bin: 4 }) }), "bin"],
    ["scatter", ({ x, n }) => ({ y: x.scatter({ to: n, when: true } as Untyped) }), "when"],
    ["scatter of bits", ({ on, n }) => ({ y: bits(on).scatter({ to: n, when: true } as Untyped) }), "when"],
    ["scatter of a narrow type", ({ n }) => ({ y: u8(n).scatter({ to: n, when: true } as Untyped) }), "when"],
    ["a function", ({ x }) => ({ y: x.exp({ quick: true }) }), "quick"],
    ["a narrow output", ({ n }) => ({ y: u8(n, { clamp: true } as Untyped) }), "clamp"],
    [
      "a pipeline",
      () => pipeline("inner", inputs, ({ x }) => ({ x }), { groupSize: 64 } as Untyped),
      "groupSize",
    ],
  ])("%s", (_, build, option) => {
    const error = building(build);
    expect(error.code).toBe("bad-usage");
    expect(error.message).toContain(JSON.stringify(option));
    expect(error.where).toMatch(/^misuse\.test\.ts:\d+:\d+$/);
  });

  it.each<[string, (given: Untyped) => unknown]>([
    ["a text", ({ x }) => ({ y: x.reduce("add", "reverse") })],
    ["an index of map()", ({ n }) => ({ y: [n].map(u8 as Untyped)[0] })],
  ])("options that are %s", (_, build) => {
    const error = building(build);
    expect([error.code, /options must be an object/.test(error.message)]).toEqual(["bad-argument", true]);
  });

  it.each<[string, (given: Untyped, context: Untyped) => unknown]>([
    ["bins", ({ n }) => ({ y: n.rank({ bins: 4n }) })],
    ["a dimension", (_, { globalId }) => ({ y: globalId(0n) })],
    ["a length", () => ({ y: arrayOf(f32, 2 ** 32) })],
  ])("numbers of another type: %s", (_, build) => expect(building(build).code).toBe("bad-argument"));

  it("options that are null, or undefined", () => {
    const { ir } = pipeline(
      "none",
      inputs,
      ({ x }: Untyped) => ({ z: x.reduce("add", null).add(x.exp(undefined)) }),
      null as Untyped,
    );
    expect(ir.name).toBe("none");
  });
});
