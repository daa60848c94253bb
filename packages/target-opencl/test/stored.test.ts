import { storedValues } from "@groupwise/testkit/conformance";
import { poclInChunks, poclInTiles, poclLookingBack } from "./support.ts";

storedValues("PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), { scanned: 1 });

// Tiles of 32 items, two rows of four to a work-item, and a tail.
const tile = { workGroupSize: 4, itemsPerWorkItem: 8 };
storedValues("PoCL in tiles", () => poclInTiles(tile), { scanned: 1 });
storedValues("PoCL looking back", () => poclLookingBack({ workGroupSize: 32, rows: 1 }));
