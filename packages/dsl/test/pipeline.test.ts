import { parsePipeline, stringifyPipeline } from "@groupwise/core/schema";
import { FORMAT_VERSION } from "@groupwise/core/target";
import { bool, constant, f32, i32, operators, param, pipeline, u32 } from "@groupwise/dsl";
import { describe, expect, it } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import lineIndex from "./fixtures/line-index.ts";
import { nodesOf, run, withoutPlaces } from "./support.ts";

describe("pipeline", () => {
  it("builds the line index of a text", () => {
    const text = [...Buffer.from("ab\n\nc\nd")];
    expect(run(lineIndex, { text })).toEqual({
      line: [0, 0, 0, 1, 2, 2, 3],
      starts: [3, 4, 6, 0, 0, 0, 0],
      lines: [3],
    });
  });

  it("is a document with a name, types and a JSON form", () => {
    expect(lineIndex.name).toBe("line-index");
    expect(lineIndex.inputs).toEqual({ text: "u32" });
    expect(lineIndex.params).toEqual({});
    expect(lineIndex.outputs).toEqual({ line: "u32", starts: "u32", lines: "u32" });
    expect(lineIndex.ir).toMatchObject({
      format: "groupwise-pipeline",
      version: FORMAT_VERSION,
      workGroupSize: [256],
    });
    expect(JSON.parse(JSON.stringify(lineIndex))).toEqual(lineIndex.ir);
    expect(parsePipeline(stringifyPipeline(lineIndex.ir)).pipeline).toEqual(lineIndex.ir);
  });

  it("is deeply frozen, its operators too", () => {
    const { ir } = pipeline("best", { x: f32 }, ({ x }, { index }) => ({
      best: operators.argmax(f32).reduce({ value: x, index: index() }).index,
    }));
    const objectsIn = (value: unknown): unknown[] =>
      typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
    expect(objectsIn(ir).every((part) => Object.isFrozen(part))).toBe(true);
    expect(Object.isFrozen(lineIndex)).toBe(true);
  });

  it("is the same document each time", () => {
    const make = () =>
      pipeline("twice", { x: f32, k: param(f32) }, ({ x, k }, { index }) => {
        const y = x.mul(k).add(index().toF32());
        return { y, total: y.reduce("add"), big: y.gt(0.1).any() };
      });
    expect(stringifyPipeline(make().ir)).toBe(stringifyPipeline(make().ir));
  });

  it("lists nodes in the order of the program, inputs first", () => {
    const { ir } = pipeline("order", { a: u32, k: param(u32), b: u32 }, ({ a, b }) => {
      const sum = b.add(a);
      const product = a.mul(b);
      return { second: product, first: sum };
    });
    const kinds = ir.nodes.map((node) => ("name" in node ? node.name : "op" in node ? node.op : node.kind));
    expect(kinds).toEqual(["a", "k", "b", "add", "mul", "second", "first"]);
  });

  it("contains equal expressions once and omits unused ones", () => {
    const shared = pipeline("shared", { a: u32 }, ({ a }) => {
      a.mul(7).reduce("max");
      return { x: a.add(1).scanInclusive("add"), y: a.add(1).scanInclusive("add"), z: a.add(2) };
    });
    expect(nodesOf(shared, "scan-inclusive")).toHaveLength(1);
    expect(nodesOf(shared, "binary").map(({ op }) => op)).toEqual(["add", "add"]);
    expect(nodesOf(shared, "reduce")).toHaveLength(0);
  });

  it("distinguishes similar constants", () => {
    const zeros = pipeline("zeros", { x: f32 }, ({ x }) => ({
      a: x.mul(0),
      b: x.mul(-0),
      c: x.mul(Number.NaN),
    }));
    expect(nodesOf(zeros, "const").map(({ value }) => value)).toEqual([0, "-0", "nan"]);
    const typed = pipeline("typed", { x: f32, n: u32 }, ({ x, n }) => ({ a: x.add(1), b: n.add(1) }));
    expect(nodesOf(typed, "const").map(({ type }) => type)).toEqual(["f32", "u32"]);
  });

  it("keeps unused inputs, since callers pass them", () => {
    const idle = pipeline("idle", { a: u32, b: u32, k: param(i32) }, ({ a }) => ({ c: a }));
    expect(idle.inputs).toEqual({ a: "u32", b: "u32" });
    expect(idle.params).toEqual({ k: "i32" });
  });

  it("accepts constants from outside and shares them between pipelines", () => {
    const newline = u32(10);
    const offset = constant(u32, 1).add(newline);
    const first = pipeline("first", { a: u32 }, ({ a }) => ({ b: a.eq(newline), c: newline.add(a) }));
    const second = pipeline("second", { a: u32 }, ({ a }) => ({ b: a.add(offset), c: offset }));
    expect(run(first, { a: [10, 3] })).toEqual({ b: [true, false], c: [20, 13] });
    expect(run(second, { a: [10, 3] })).toEqual({ b: [21, 14], c: [11] });
  });

  it("accepts a chain of the largest number of nodes", () => {
    const long = pipeline("long", { a: u32 }, ({ a }) => {
      let sum = a;
      for (let i = 0; i < 4000; i++) sum = sum.add(a);
      return { sum };
    });
    expect(run(long, { a: [1, 3] })).toEqual({ sum: [4001, 12003] });
  });

  it("accepts a work-group size", () => {
    const sized = (workGroupSize: number | [number]) =>
      pipeline("sized", { a: u32 }, ({ a }) => ({ sum: a.reduce("add", { scope: "work-group" }) }), {
        workGroupSize,
      });
    expect(sized(2).ir.workGroupSize).toEqual([2]);
    expect(withoutPlaces(sized([2]))).toEqual(withoutPlaces(sized(2)));
    expect(run(sized(2), { a: [1, 2, 3, 4, 5] })).toEqual({ sum: [3, 7, 5] });
  });
});

type Loose = Record<string, (...args: unknown[]) => unknown>;

describe("misuse gives a typed error", () => {
  // What a caller without types may do.
  const untyped = pipeline as unknown as (...args: unknown[]) => unknown;
  const one = (build: (x: Record<string, Loose>) => unknown) => () =>
    untyped("p", { a: u32, f: f32, p: bool }, build);

  it.each<[string, string, () => unknown]>([
    ["no-output", "nothing returned", one(() => undefined)],
    ["no-output", "null returned", one(() => null)],
    ["no-output", "no outputs", one(() => ({}))],
    ["bad-usage", "a number returned", one(() => 5)],
    ["bad-usage", "a bare value returned", one(({ a }) => a)],
    ["bad-usage", "a bare scatter returned", one(({ a }) => a?.scatter?.({ to: a }))],
    ["bad-usage", "a list returned", one(({ a }) => [a])],
    ["bad-usage", "a promise returned", one(async ({ a }) => ({ a }))],
    ["bad-usage", "a number as output", one(() => ({ a: 5 }))],
    ["bad-usage", "undefined as output", one(() => ({ a: undefined }))],
    ["bad-usage", "select of two constants", one(({ p }) => ({ x: p?.select?.(1, 2) }))],
    ["bad-usage", "no slots", one(({ a }) => ({ x: a?.scatter?.() }))],
    ["unknown-type", "a type that is not", () => untyped("p", { a: "u32" }, () => ({}))],
    ["unknown-type", "a parameter of no type", () => (param as (t: unknown) => unknown)({ type: "u32" })],
    ["bad-name", "a name to inject", () => untyped("p", { "x; } evil(": u32 }, (x: object) => x)],
    [
      "bad-name",
      "a pipeline of no name",
      () => untyped("", { a: u32 }, ({ a }: { a: unknown }) => ({ b: a })),
    ],
    [
      "bad-name",
      "a name of every object",
      () => untyped("p", { a: u32 }, ({ a }: { a: unknown }) => ({ constructor: a })),
    ],
    ["duplicate-name", "an output called as an input", one(({ a }) => ({ a }))],
    [
      "bad-work-group",
      "no work-items",
      () => untyped("p", { a: u32 }, ({ a }: { a: unknown }) => ({ b: a }), { workGroupSize: 0 }),
    ],
    [
      "bad-work-group",
      "a part of one",
      () => untyped("p", { a: u32 }, ({ a }: { a: unknown }) => ({ b: a }), { workGroupSize: 1.5 }),
    ],
  ])("%s: %s", (code, _, act) => {
    expect(errorFrom(act).code).toBe(code);
  });

  it.each<[string, string, (v: Record<"a" | "f" | "p", Loose>) => unknown]>([
    ["op-type", "and on floats", ({ f }) => f.and?.(f)],
    ["op-type", "neg on u32", ({ a }) => a.neg?.()],
    ["op-type", "all on floats", ({ f }) => f.all?.()],
    ["op-type", "reduce xor on floats", ({ f }) => f.reduce?.("xor")],
    ["unknown-op", "reduce sum", ({ a }) => a.reduce?.("sum")],
    ["unknown-op", "reduce toString", ({ a }) => a.reduce?.("toString")],
    ["unknown-type", "bits of no type", ({ a }) => a.bitsAs?.("u16")],
    ["type-mismatch", "bits of another width", ({ a }) => ({ x: a.bitsAs?.("f64") })],
    ["type-mismatch", "u32 + f32", ({ a, f }) => a.add?.(f)],
    ["type-mismatch", "f32 shifted", ({ a, p }) => a.shl?.(p)],
    ["type-mismatch", "choices of two types", ({ a, f, p }) => p.select?.(a, f)],
    ["type-mismatch", "a condition that is a number", ({ a }) => a.select?.(a, a)],
    ["type-mismatch", "slots that are floats", ({ a, f }) => a.scatter?.({ to: f })],
    ["type-mismatch", "two coordinates in one dimension", ({ a }) => ({ x: a.broadcast?.([0, 0]) })],
    ["bad-argument", "a scope that is not", ({ a }) => a.reduce?.("add", { scope: "workgroup" })],
    ["bad-argument", "an order that is not", ({ f }) => f.reduce?.("add", { order: "fast" })],
    ["bad-literal", "a text as operand", ({ a }) => a.add?.("1")],
    ["bad-literal", "nothing as operand", ({ a }) => a.add?.()],
    ["not-uniform", "a broadcast from each item's own place", ({ a }) => ({ x: a.broadcast?.(a) })],
    ["not-uniform", "as many slots as each item says", ({ a }) => ({ x: a.scatter?.({ to: a, length: a }) })],
    ["broadcast-outside", "item 256 of 256", ({ a }) => ({ x: a.broadcast?.(256, { scope: "work-group" }) })],
  ])("%s: %s", (code, _, build) => {
    const error = errorFrom(() => untyped("p", { a: u32, f: f32, p: bool }, build));
    expect(error.code).toBe(code);
    expect(error.where).toMatch(/^pipeline\.test\.ts:\d+:\d+$/);
  });

  it("foreign-value: values do not leave their pipeline", () => {
    let leaked: unknown;
    const first = pipeline("first", { a: u32 }, ({ a }) => {
      leaked = a;
      return { b: a.add(1) };
    });
    expect(first.ir.nodes).toHaveLength(4);
    expect(
      errorFrom(() => pipeline("q", { c: u32 }, ({ c }) => ({ d: c.add(leaked as typeof c) }))).code,
    ).toBe("foreign-value");
    expect(errorFrom(() => pipeline("q", { c: u32 }, ({ c }) => ({ d: leaked as typeof c }))).code).toBe(
      "foreign-value",
    );
    expect(
      errorFrom(() => pipeline("q", { c: u32 }, ({ c }) => ({ d: c.scatter({ to: leaked as typeof c }) })))
        .code,
    ).toBe("foreign-value");
  });

  it("does not change the author's errors", () => {
    const mine = new Error("mine");
    expect(() =>
      pipeline("p", { a: u32 }, () => {
        throw mine;
      }),
    ).toThrow(mine);
  });
});
