import { recording } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

recording("WGSL on lavapipe", () => runtimeOn("lavapipe"));
recording("WGSL on lavapipe without optional features", () =>
  runtimeOn("lavapipe", { features: [], limits: "default" }),
);
