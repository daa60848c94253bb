import { found } from "@groupwise/testkit/devices";
import { states } from "@groupwise/testkit/states";
import { cRuntime } from "../src/runtime.ts";

states("C", async () => found(await cRuntime({ compiler: "gcc" })));
