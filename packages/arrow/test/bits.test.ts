/** Bool outputs and validities of one run are written as bits by the device. */
import { bool, f32, i32, param, pipeline, scalar, table, u32 } from "@groupwise/dsl";
import { gpuJsRuntime } from "@groupwise/target-js/gpu-js/runtime";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { Bool, Int32, vectorFromArray } from "apache-arrow";
import fc from "fast-check";
import { expect, test } from "vitest";
import { overColumns, withBitmaps } from "../src/index.ts";
import { listOf, plans, vectorOf } from "./support.ts";

const flags = pipeline("flags", { x: i32, p: bool, least: param(i32) }, ({ x, p, least }) => ({
  big: x.gt(least),
  other: p.not(),
  both: x.gt(least).and(p),
  sum: x.scanInclusive("add"),
  more: x.scanInclusive("add").gt(p.select(x, 0)),
  all: scalar(p.all()),
}));

test("flags and nulls of outputs are those of plain loops, for any lengths, slices and chunks", async () => {
  const program = overColumns(jsRuntime(), flags);
  const numbers = plans(fc.integer({ min: -9, max: 9 }), 100);
  await fc.assert(
    fc.asyncProperty(numbers, fc.nat(40), fc.boolean(), async (x, margin, isCut) => {
      const ps = x.items.map((_, i) => (i % 7 === 4 ? null : (i * 5) % 3 === 0));
      const cuts = isCut ? x.cuts : [];
      const got = await program.run({
        x: vectorOf({ ...x, cuts }, new Int32()),
        p: vectorOf({ items: ps, cuts: [], margin }, new Bool()),
        least: 2,
      });
      const big = x.items.map((item) => (item === null ? null : item > 2));
      let sum = 0;
      const sums = x.items.map((item) => (sum += item ?? 0));
      const more = x.items.map((item, i) => {
        const p = ps[i] as boolean | null;
        const chosen = p === null || (p && item === null) ? null : p ? (item as number) : 0;
        return chosen === null ? null : (sums[i] as number) > chosen;
      });
      expect(listOf(got.big)).toEqual(big);
      expect(listOf(got.other)).toEqual(ps.map((p) => (p === null ? null : !p)));
      expect(listOf(got.both)).toEqual(big.map((b, i) => (b === null || ps[i] === null ? null : b && ps[i])));
      expect(listOf(got.more)).toEqual(more);
      expect(got.all).toBe(ps.every((p) => p !== false));
    }),
    { numRuns: 60 },
  );
});

test("a uniform value is written for each item, and a scalar output remains one value", async () => {
  const built = pipeline("shared", { x: i32, t: table(i32), s: param(i32) }, ({ x, t, s }) => ({
    first: x
      .mul(0)
      .add(t.at(u32(0)))
      .eq(3),
    one: s.gt(1),
  }));
  const items = Array.from({ length: 70 }, (_, i) => i);
  const run = (t: (number | null)[]) =>
    overColumns(jsRuntime(), built).run({
      x: Int32Array.from(items),
      t: vectorFromArray(t, new Int32()),
      s: 4,
    });
  const known = await run([3, null]);
  expect(listOf(known.first)).toEqual(items.map(() => true));
  expect(listOf(known.one)).toEqual([true]);
  expect(listOf((await run([null, 3])).first)).toEqual(items.map(() => null));
});

test("outputs of one run have a word for 32 items, those of chunks an element for each", () => {
  const names = { nullable: ["x", "p"], packed: ["p"], packOutputs: true };
  const { pipeline: written, packedOutputs, validity } = withBitmaps(flags, names);
  expect(packedOutputs).toEqual(["big", "other", "both", "both_valid", "more", "more_valid"]);
  expect(validity.both).toEqual({ output: "both_valid", when: false });
  const named = (kind: string): readonly string[] =>
    written.nodes.flatMap((node) => (node.kind === kind && "name" in node ? [node.name] : []));
  expect(named("scatter")).toEqual(packedOutputs);
  expect(named("output")).toEqual(["sum", "all"]);
  expect(withBitmaps(flags, { ...names, packOutputs: false }).packedOutputs).toEqual([]);
});

test("a runtime without scatters that combine writes an element for each item", async () => {
  const built = pipeline("plain", { x: f32 }, ({ x }) => ({ big: x.gt(2) }));
  const runtime = await gpuJsRuntime({ mode: "cpu" });
  const { big } = await overColumns(runtime, built).run({ x: Float32Array.of(1, 3, 2, 5) });
  expect(listOf(big)).toEqual([false, true, false, true]);
  runtime.dispose();
});
