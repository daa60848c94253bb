/** The suites of every runtime on threads: every run is computed by them, in parts where that is possible. */
import type { Runtime } from "@groupwise/core";
import { conformance, hostile, recording } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";

const open = async (): Promise<Found<Runtime>> => found(jsWorkersRuntime({ workers: 3, leastItems: 0 }));

conformance("JavaScript workers", open, { slow: true, share: "few", fullShare: "sample" });
recording("JavaScript workers", open);
hostile("JavaScript workers", open);
