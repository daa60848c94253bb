/** Random expressions and pipelines in a real browser. */
import { randomBy } from "@groupwise/testkit/conformance";
import { chromium } from "./chromium.ts";

randomBy("WGSL in headless Chromium", () => chromium("quick"), {
  quick: { trees: { f16: 0, f32: 24, f64: 0 }, pipelines: 3 },
  full: { trees: { f16: 192, f32: 960, f64: 48 }, pipelines: 48 },
  size: "small",
});
