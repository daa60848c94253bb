/** Neither shader-f16 nor subgroups, and the limits that every WebGPU device has. */
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

conformance(
  "WGSL on lavapipe without optional features",
  () => runtimeOn("lavapipe", { features: [], limits: "default" }),
  {
    slowCompiler: true,
    effort: isFullRun() ? "normal" : "quick",
    share: "least",
    // Outside of full runs SwiftShader, which lacks the features too, has the others.
    only: (name) => isFullRun() || name.startsWith("kept"),
    fullShare: "sample",
  },
);
