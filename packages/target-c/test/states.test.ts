import { found } from "@groupwise/testkit/devices";
import { states } from "@groupwise/testkit/states";
import { keepingRuntime } from "./support.ts";

states("C", async () => found(await keepingRuntime({ compiler: "gcc" })));
