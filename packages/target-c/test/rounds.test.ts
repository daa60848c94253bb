import { found } from "@groupwise/testkit/devices";
import { rounds } from "@groupwise/testkit/rounds";
import { keepingRuntime } from "./support.ts";

rounds("C", async () => found(await keepingRuntime({ compiler: "gcc" })));
