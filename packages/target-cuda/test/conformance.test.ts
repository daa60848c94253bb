import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { onCpu } from "./cpu/runtime.ts";

// The interpreter of kernels, JavaScript and lavapipe have all checks in every run: here is what a spelling can break.
conformance("CUDA C++ on the CPU", () => onCpu(), {
  effort: isFullRun() ? "normal" : "quick",
  share: "few",
  // Ranks take a compiler a second; PoCL has them in every run.
  only: (name) => isFullRun() || !name.startsWith("sort-bytes"),
  fullShare: "sample",
});
