import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { onCpu } from "./cpu/runtime.ts";

conformance("CUDA C++ on the CPU", () => onCpu(), {
  effort: isFullRun() ? "normal" : "quick",
  share: "some",
});
