import { storedValues } from "@groupwise/testkit/conformance";
import { poclInChunks } from "./support.ts";

// A scan takes two passes over a chunk.
storedValues("PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), { "one-pass": 1 });
