/** Chunks in threads of OpenMP: for any number of them and any chunks, the bits of one loop in JavaScript over the whole range. */
import type { Runtime } from "@groupwise/core";
import { found } from "@groupwise/testkit/devices";
import { states } from "@groupwise/testkit/states";
import { keepingRuntime } from "./support.ts";

/** Parts have an item at least, so that few items are parts too. */
const runtimeOf = (threads: number): Promise<Runtime> =>
  keepingRuntime({ compiler: "gcc", options: ["-O1", "-DGW_PARALLEL_LEAST=1"], threads });

states("C in 3 threads", async () => found(await runtimeOf(3)));
