import { conformance } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { cRuntime } from "../src/runtime.ts";

conformance("C by gcc", async () => found(await cRuntime({ compiler: "gcc" })));
