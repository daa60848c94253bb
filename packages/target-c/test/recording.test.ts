import { recording } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { keepingRuntime } from "./support.ts";

recording("C", async () => found(await keepingRuntime({ compiler: "gcc" })));
