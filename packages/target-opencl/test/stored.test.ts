import { isFullRun, storedValues } from "@groupwise/testkit/conformance";
import { poclInChunks, poclInTiles, poclLookingBack } from "./support.ts";

// Outside of full runs one pipeline of loops in C; JavaScript has all pipelines, `testkit/test/interpreted.test.ts` tiles and look-back.
storedValues("PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), {
  scanned: 1,
  ...(!isFullRun() && { only: ["softmax-of-segments"] }),
});
if (isFullRun()) {
  // Tiles of 32 items, two rows of four to a work-item, and a tail.
  storedValues("PoCL in tiles", () => poclInTiles({ workGroupSize: 4, itemsPerWorkItem: 8 }), { scanned: 1 });
  storedValues("PoCL looking back", () => poclLookingBack({ workGroupSize: 32, rows: 1 }));
}
