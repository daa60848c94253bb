import { isFullRun, recording } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

recording("WGSL on lavapipe", () => runtimeOn("lavapipe"));
// Outside of full runs what has other words and bindings there.
recording(
  "WGSL on lavapipe without optional features",
  () => runtimeOn("lavapipe", { features: [], limits: "default" }),
  (name) => isFullRun() || /^arrays of|slices|in place: (a scan of words|two of two)$/.test(name),
);
