/**
 * Chunks on PoCL, as its runtime uses them: short chunks make several of small ranges. Other files of tests have the capabilities of GPUs, whose
 * texts run nowhere else where tests run.
 */
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { poclInChunks } from "./support.ts";

// Outside of full runs: what compiles as chunks in another way than in tiles. The interpreter has all checks in chunks.
conformance("PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), {
  slowCompiler: true,
  ...(isFullRun() ? {} : { effort: "quick" as const }),
  // Maps have no chunks.
  only: (name) => isFullRun() || !/^(constants|no-algebra|upper-case|every element-wise)/.test(name),
  share: "least",
});
