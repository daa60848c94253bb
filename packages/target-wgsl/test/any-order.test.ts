import { anyOrder, isFullRun } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

// Doubles take long to compile there.
anyOrder("WGSL on lavapipe", () => runtimeOn("lavapipe"), [
  "f32",
  ...(isFullRun() ? (["f16", "f64"] as const) : []),
]);
