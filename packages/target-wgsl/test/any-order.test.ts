import { anyOrder } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

anyOrder("WGSL on lavapipe", () => runtimeOn("lavapipe"));
