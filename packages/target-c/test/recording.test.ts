import { recording } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { cRuntime } from "../src/runtime.ts";

recording("C", async () => found(await cRuntime({ compiler: "gcc" })));
