import { isFullRun, storedValues } from "@groupwise/testkit/conformance";
import { poclInChunks, poclInTiles, poclLookingBack } from "./support.ts";

// Outside of full runs each way to store them once, in the texts that differ most; JavaScript has all pipelines.
const few = (...names: readonly string[]) => (isFullRun() ? {} : { only: names });

storedValues("PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), {
  scanned: 1,
  ...few("softmax-of-segments"),
});

// Tiles of 32 items, two rows of four to a work-item, and a tail.
const tile = { workGroupSize: 4, itemsPerWorkItem: 8 };
storedValues("PoCL in tiles", () => poclInTiles(tile), { scanned: 1, ...few("in-both") });
storedValues("PoCL looking back", () => poclLookingBack({ workGroupSize: 32, rows: 1 }), few("both-scopes"));
