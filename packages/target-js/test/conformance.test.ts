import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { jsRuntime } from "../src/runtime.ts";

// A loop has no tiles: more lengths and sizes of work-groups are in full runs. The faulty runtimes of the testkit are found by these.
conformance("plain JavaScript", () => found(jsRuntime()), { effort: isFullRun() ? "full" : "quick" });
