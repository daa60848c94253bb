import { hostile } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

hostile("WGSL on lavapipe", () => runtimeOn("lavapipe"));
