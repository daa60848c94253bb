import { conformance } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { jsRuntime } from "../src/runtime.ts";

conformance("plain JavaScript", () => found(jsRuntime()));
