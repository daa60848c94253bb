import { found } from "@groupwise/testkit/devices";
import { rounds } from "@groupwise/testkit/rounds";
import { jsRuntime } from "../src/runtime.ts";

rounds("JavaScript", async () => found(jsRuntime()));
