/** Conformance in a real browser. Its driver is the SwiftShader that runs in Node too. */
import { conformanceBy } from "@groupwise/testkit/conformance";
import { chromium } from "./chromium.ts";

conformanceBy("WGSL in headless Chromium", chromium, {
  effort: "quick",
  slowCompiler: true,
  share: "least",
  fullShare: "some",
});
