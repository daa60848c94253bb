import { storedValues } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { jsRuntime } from "../src/runtime.ts";

storedValues("JavaScript", async () => found(jsRuntime()));
