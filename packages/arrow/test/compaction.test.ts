import { f32, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { Float32 } from "apache-arrow";
import fc from "fast-check";
import { expect, test } from "vitest";
import { overColumns } from "../src/index.ts";
import { listOf, plans, vectorOf } from "./support.ts";

const positive = pipeline("positive", { x: f32 }, ({ x }) => {
  const where = x.gt(0);
  const counted = where.toU32();
  return {
    kept: x.scatter({ to: counted.scanExclusive("add"), where, length: counted.reduce("add") }),
    count: counted.reduce("add"),
  };
});

test("compactions of chunked columns are those of one array, nulls included", async () => {
  const program = overColumns(jsRuntime(), positive);
  await fc.assert(
    fc.asyncProperty(plans(fc.integer({ min: -9, max: 9 })), async (plan) => {
      const { kept, count } = await program.run({ x: vectorOf(plan, new Float32()) });
      const want = plan.items.filter((item) => item !== null && item > 0);
      expect(listOf(kept)).toEqual(want);
      expect(listOf(count)).toEqual([want.length]);
    }),
    { numRuns: 100 },
  );
});

test("a column without nulls runs chunk by chunk", async () => {
  const program = overColumns(jsRuntime(), positive);
  const items = [1, -1, 2, 3, -2, -3, 4];
  const { kept } = await program.run({ x: vectorOf({ items, cuts: [2, 4, 6], margin: 3 }, new Float32()) });
  expect(listOf(kept)).toEqual([1, 2, 3, 4]);
  expect(kept.data.map(({ length }) => length)).toEqual([1, 2, 0, 1]);
});
