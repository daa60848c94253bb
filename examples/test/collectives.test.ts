/** The pipeline that the README shows, against loops. */
import { jsRuntime } from "@groupwise/target-js/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import sales from "../collectives.ts";
import { run } from "../support/program.ts";

const runtime = jsRuntime();
// Quarters, so that no sum rounds.
const row = fc.record({ shop: fc.nat(2), price: fc.nat(4000).map((quarters) => quarters / 4) });

test("totals and remainders of each shop, the best sale, the stock, the trend", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
      const shop = Uint32Array.from(rows, (one) => one.shop);
      const price = Float32Array.from(rows, (one) => one.price);
      const found = await run(runtime, sales, { shop, price });
      let [trend, first] = [0, 0];
      for (let i = 0; i < rows.length; i++) {
        if (i > 0 && shop[i] !== shop[i - 1]) first = i;
        const past = rows.findIndex((one, at) => at > i && one.shop !== shop[i]);
        const end = past < 0 ? rows.length : past;
        const sum = (from: number): number => price.slice(from, end).reduce((a, b) => a + b, 0);
        trend = 0.9 * trend + 0.1 * (price[i] ?? 0);
        expect(found.ofShop[i]).toBe(sum(first));
        expect(found.left[i]).toBe(sum(i + 1));
        expect(found.stock[i]).toBe(100 + i);
        expect(Math.abs((found.trend[i] ?? 0) - trend)).toBeLessThan(0.01);
      }
      const best = Math.max(...price);
      expect([found.best_value[0], found.best_index[0]]).toEqual([best, price.indexOf(best)]);
    }),
    { numRuns: 50 },
  );
});
