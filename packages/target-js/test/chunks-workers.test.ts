/** Chunks of streams on several threads: the bits of one run over the whole range in one thread. */
import { divisionOf, stepper } from "@groupwise/core/state";
import { compactionRuns, type Density, states } from "@groupwise/testkit/states";
import { found } from "@groupwise/testkit/devices";
import { expect, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";

states("JavaScript, 3 workers", async () => found(jsWorkersRuntime({ workers: 3, leastItems: 0 })));
