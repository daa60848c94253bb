/** The function for C++, called as those of CUB, on the CPU. */
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { byFunction } from "./cpu/callers.ts";
import { onCpu } from "./cpu/runtime.ts";

const effort = isFullRun() ? "normal" : "quick";
if (isFullRun())
  conformance("the function for C++", () => onCpu({ caller: byFunction(false), wave: 64 }), {
    effort,
    share: "few",
    fullShare: "sample",
  });
conformance("the function for C++ on arrays that begin anywhere", () => onCpu({ caller: byFunction(true) }), {
  effort,
  share: "least",
  fullShare: "sample",
});
