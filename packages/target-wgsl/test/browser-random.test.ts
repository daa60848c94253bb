/** Random expressions and pipelines in a real browser. */
import { isFullRun, randomBy } from "@groupwise/testkit/conformance";
import { chromium } from "./chromium.ts";

// Outside of full runs lavapipe and JavaScript have the corpus.
randomBy("WGSL in headless Chromium", () => chromium("quick"), {
  ...(isFullRun() ? {} : { only: () => false }),
  quick: { trees: { f16: 0, f32: 8, f64: 0 }, pipelines: 1 },
  full: { trees: { f16: 96, f32: 288, f64: 24 }, pipelines: 24 },
  size: "small",
});
