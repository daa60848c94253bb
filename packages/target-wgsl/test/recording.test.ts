import { isFullRun, recording } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

recording("WGSL on lavapipe", () => runtimeOn("lavapipe"));
// In other runs a device with the features, and PoCL, have these kernels.
if (isFullRun())
  recording("WGSL on lavapipe without optional features", () =>
    runtimeOn("lavapipe", { features: [], limits: "default" }),
  );
