/** Random expressions and pipelines in a real browser. */
import { isFullRun, randomBy } from "@groupwise/testkit/conformance";
import { test } from "vitest";
import { chromium } from "./chromium.ts";

const counts = { trees: { f16: 96, f32: 288, f64: 24 }, pipelines: 24 };
if (isFullRun())
  randomBy("WGSL in headless Chromium", () => chromium("quick"), {
    quick: counts,
    full: counts,
    size: "small",
  });
else
  test("random cases in Chromium", (context) =>
    context.skip(
      "in the full run: `browser.test.ts` has checks there, and its SwiftShader random cases in Node",
    ));
