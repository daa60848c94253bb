import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { wasmRuntime } from "../src/runtime.ts";

// In the effort of JavaScript, whose results of the reference it takes.
conformance("WebAssembly", () => found(wasmRuntime()), { effort: isFullRun() ? "full" : "quick" });
