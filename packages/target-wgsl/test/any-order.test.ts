import { anyOrder, isFullRun } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

// Doubles take long to compile there. What stands beside such sums is in every run on PoCL, in C and in JavaScript.
const types = isFullRun() ? (["f16", "f32", "f64"] as const) : (["f32"] as const);
anyOrder("WGSL on lavapipe", () => runtimeOn("lavapipe"), types, !isFullRun());
