import { itemsIn } from "@groupwise/core/target";
import { floatsOf, placesOf, queriesOf, type RangeSides, Subject } from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import fc from "fast-check";
import { expect, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

/** A work-group of any shape, a range that has little to do with it, and any offset. */
const ranges = fc.integer({ min: 1, max: 3 }).chain((dimensions) => {
  const sides = (min: number, max: number): fc.Arbitrary<number[]> =>
    fc.array(fc.integer({ min, max }), { minLength: dimensions, maxLength: dimensions });
  return fc.record({
    shape: sides(1, 7) as unknown as fc.Arbitrary<RangeSides>,
    globalSize: sides(0, 11),
    globalOffset: sides(0, 2 ** 32 - 11),
    a: fc.nat(12),
    b: fc.nat(12),
  });
});

it.each([
  ["the work-item functions", queriesOf, false],
  ["collectives", floatsOf, true],
  ["broadcasts and scatters by coordinates", placesOf, true],
] as const)("in any range, %s equal the reference", async (_, make, hasInput) => {
  const subject = new Subject(jsRuntime());
  await fc.assert(
    fc.asyncProperty(ranges, async ({ shape, globalSize, globalOffset, a, b }) => {
      const pipeline = make(shape);
      const n = itemsIn(globalSize);
      const { kind } = pipeline.nodes[0] ?? {};
      expect(kind === "input").toBe(hasInput);
      const x =
        make === floatsOf
          ? Float32Array.from({ length: n }, (_x, i) => Math.sin(i) * 1e3)
          : Uint32Array.from({ length: n }, (_x, i) => i * 7919);
      const values = { ...(hasInput && { x }), ...(make === placesOf && { a, b }) };
      expect(await subject.compare(pipeline, values, { globalSize, globalOffset })).toEqual({});
    }),
    { numRuns: isFullRun() ? 150 : 60 },
  );
});
