import { anyOrder } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { jsRuntime } from "../src/runtime.ts";

anyOrder("plain JavaScript", () => found(jsRuntime()));
