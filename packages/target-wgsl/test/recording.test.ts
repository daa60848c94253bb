import { isFullRun, recording } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

// Outside of full runs PoCL has the other kinds of steps in place, and `waiting.test.ts` a scan.
recording(
  "WGSL on lavapipe",
  () => runtimeOn("lavapipe"),
  (name) => isFullRun() || !/in place: (?!a map$)/.test(name),
);
// In other runs a device with the features, and PoCL, have these kernels.
if (isFullRun())
  recording("WGSL on lavapipe without optional features", () =>
    runtimeOn("lavapipe", { features: [], limits: "default" }),
  );
