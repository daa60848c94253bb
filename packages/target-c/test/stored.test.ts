import { storedValues } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { keepingRuntime } from "./support.ts";

storedValues("C", async () => found(await keepingRuntime()));
