/** Random documents in kernels of work-groups. Devices have a few of them: their compilers take seconds for each. */
import type { Capabilities } from "@groupwise/core";
import { isFullRun } from "../src/conformance.ts";
import { found } from "../src/devices/found.ts";
import { random } from "../src/random/tests.ts";
import { storedValues } from "../src/stored.ts";
import { interpretedRuntime, WHOLE_VALUES } from "./interpreted.ts";

const NO_TREES = { f16: 0, f32: 0, f64: 0 };

const inChunks = (least: number): Capabilities => ({ ...WHOLE_VALUES, chunks: { most: 4, least } });

random("kernels of work-groups, interpreted", async () => found(interpretedRuntime()), {
  follows: true,
  // Ranks that read a stored value at another place are found within six pipelines.
  quick: { trees: NO_TREES, pipelines: 30 },
  full: { trees: NO_TREES, pipelines: 600, pairs: 512 },
  size: "small",
  // JavaScript and lavapipe have the others.
  only: ({ about }) => isFullRun() || about.startsWith("Work-groups"),
});
// One chunk, and several.
for (const least of [4, 64])
  random(
    `chunks of at least ${least} items, interpreted`,
    async () => found(interpretedRuntime(inChunks(least))),
    {
      quick: { trees: NO_TREES, pipelines: 6, pairs: 32 },
      full: { trees: NO_TREES, pipelines: 120, pairs: 512 },
      size: "small",
      only: ({ about }) => isFullRun() || about.startsWith("Chunks"),
    },
  );

// Devices have others in full runs.
const LOOKING: Capabilities = {
  ...WHOLE_VALUES,
  surplusGroups: false,
  lookBack: { workGroupSize: 32, rows: 1, groups: 1, polls: 2 },
};
const inTiles = { ...WHOLE_VALUES, tile: { workGroupSize: 4, itemsPerWorkItem: 8 } };
const only = ["in-both", "both-scopes"];
storedValues("look-back, interpreted", async () => found(interpretedRuntime(LOOKING)), { only });
storedValues("tiles, interpreted", async () => found(interpretedRuntime(inTiles)), {
  scanned: 1,
  only: [...only, "scanned", "softmax-of-segments"],
});
