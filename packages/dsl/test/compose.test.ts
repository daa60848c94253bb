import { readFileSync } from "node:fs";
import { f32, param, pipeline, u32 } from "@groupwise/dsl";
import { describe, expect, it } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import lineIndex from "./fixtures/line-index.ts";
import { nodesOf, placeOfText, run, withoutPlaces } from "./support.ts";

const scale = pipeline("scale", { v: f32, by: param(f32) }, ({ v, by }) => ({
  scaled: v.mul(by),
  top: v.reduce("max"),
}));
const text = [...Buffer.from("one\ntwo\n\nthree")];

describe("a pipeline applied to values of another", () => {
  it("returns what it returns alone", () => {
    const whole = pipeline("whole", { text: u32 }, ({ text }) => ({ ...lineIndex({ text }) }));
    expect(run(whole, { text })).toEqual(run(lineIndex, { text }));
    expect({ ...withoutPlaces(whole), name: "" }).toEqual({ ...withoutPlaces(lineIndex), name: "" });
  });

  it("returns what two return one after the other", () => {
    const both = pipeline("both", { x: f32, k: param(f32) }, ({ x, k }) => {
      const { scaled } = scale({ v: x, by: k });
      return scale({ v: scaled.add(1), by: 0.1 });
    });
    const x = [1.5, -2, 0.25, Math.fround(0.1)];
    const first = run(scale, { v: x }, { by: 3 });
    const second = run(
      scale,
      { v: (first.scaled as number[]).map((s) => Math.fround(s + 1)) },
      { by: Math.fround(0.1) },
    );
    expect(run(both, { x }, { k: 3 })).toEqual(second);
  });

  it("shares equal expressions, and omits unused ones", () => {
    const twice = pipeline("twice", { x: f32 }, ({ x }) => {
      const once = scale({ v: x, by: 2 });
      const again = scale({ v: x, by: 2 });
      return { a: once.scaled, b: again.scaled };
    });
    expect(nodesOf(twice, "binary")).toHaveLength(1);
    expect(nodesOf(twice, "reduce")).toHaveLength(0);
  });

  it("spreads a uniform value to an input", () => {
    const spread = pipeline("spread", { x: f32 }, ({ x }) => ({ ...scale({ v: x.reduce("add"), by: 2 }) }));
    expect(nodesOf(spread, "spread")).toHaveLength(1);
    expect(run(spread, { x: [1, 2, 4] })).toEqual({ scaled: [14, 14, 14], top: [7] });
  });

  it("takes a uniform value for a parameter", () => {
    const norm = pipeline("norm", { x: f32 }, ({ x }) => ({
      y: scale({ v: x, by: x.reduce("max") }).scaled,
    }));
    expect(run(norm, { x: [1, 2, 4] })).toEqual({ y: [4, 8, 16] });
  });

  it("uses the caller's work-group size", () => {
    const sums = pipeline("sums", { a: u32 }, ({ a }) => ({
      s: a.scanInclusive("add", { scope: "work-group" }),
    }));
    const caller = pipeline("caller", { a: u32 }, ({ a }) => ({ ...sums({ a }) }), { workGroupSize: 2 });
    expect(run(caller, { a: [1, 1, 1, 1, 1] })).toEqual({ s: [1, 2, 1, 2, 1] });
  });

  it("composes more than once", () => {
    const nested = pipeline("nested", { x: f32 }, ({ x }) => ({ y: scale({ v: x, by: 2 }).scaled }));
    const deep = pipeline("deep", { x: f32 }, ({ x }) => ({ z: nested({ x: nested({ x }).y }).y }));
    expect(run(deep, { x: [1, 3] })).toEqual({ z: [4, 12] });
  });

  it("keeps source locations", () => {
    const file = readFileSync(new URL("fixtures/line-index.ts", import.meta.url), "utf8");
    const whole = pipeline("whole", { text: u32 }, ({ text }) => ({ ...lineIndex({ text }) }));
    const [scan] = nodesOf(whole, "scan-exclusive");
    expect(scan?.at).toBe(`line-index.ts:${placeOfText(file, "scanExclusive")}`);
  });

  it.each<[string, (v: Record<string, unknown>) => object]>([
    ["missing-input", ({ x }) => ({ v: x })],
    ["missing-input", ({ x }) => ({ v: undefined, by: x })],
    ["unknown-input", ({ x }) => ({ v: x, by: 1, w: x })],
    ["type-mismatch", ({ n }) => ({ v: n, by: 1 })],
    ["type-mismatch", () => ({ v: 1, by: 1 })],
    ["type-mismatch", ({ x, n }) => ({ v: x, by: n })],
    ["bad-literal", ({ x }) => ({ v: x, by: "1" })],
    ["not-uniform", ({ x }) => ({ v: x, by: x })],
  ])("%s", (code, values) => {
    const act = () =>
      pipeline("caller", { x: f32, n: u32 }, (inputs) => ({
        ...scale(values(inputs) as Parameters<typeof scale>[0]),
      }));
    const error = errorFrom(act);
    expect(error.code).toBe(code);
    expect(error.where).toMatch(/^compose\.test\.ts:\d+:\d+$/);
  });

  it("refuses the values of two pipelines at once", () => {
    pipeline("outer", { x: f32 }, ({ x }) => {
      const act = () =>
        pipeline("inner", { y: f32 }, ({ y }) => ({ z: scale({ v: y, by: x.reduce("add") }).scaled }));
      expect(errorFrom(act).code).toBe("foreign-value");
      return { y: x };
    });
  });
});
