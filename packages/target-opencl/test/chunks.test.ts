/**
 * Chunks on PoCL, as its runtime uses them: short chunks make several of small ranges. Other files of tests have the capabilities of GPUs, whose
 * texts run nowhere else where tests run.
 */
import { conformance } from "@groupwise/testkit/conformance";
import { poclInChunks } from "./support.ts";

conformance("PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), {
  slowCompiler: true,
  share: "sample",
});
