/** Texts whose lines and blocks end at arbitrary positions. */
import { jsRuntime } from "@groupwise/target-js/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { startsOf } from "../long-text.ts";

const runtime = jsRuntime();
const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\u{e4}"), maxLength: 40 });

test("lines begin at the same positions as in the whole text, for any blocks", async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 45 }), async (whole, block) => {
      const bytes = new TextEncoder().encode(whole);
      const want = [...bytes.keys()].filter((at) => at === 0 || bytes[at - 1] === 10);
      expect([...(await startsOf(runtime, bytes, block))]).toEqual(want);
    }),
    { numRuns: 200 },
  );
});
