/** The function for C++, called as those of CUB, on the CPU. */
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { byFunction } from "./cpu/callers.ts";
import { functionOnCpu } from "./cpu/runtime.ts";

const effort = isFullRun() ? "normal" : "quick";
if (isFullRun())
  conformance("the function for C++", () => functionOnCpu(byFunction(false), 64), {
    effort,
    share: "few",
    fullShare: "sample",
  });
conformance("the function for C++ on arrays that begin anywhere", () => functionOnCpu(byFunction(true)), {
  effort,
  share: "least",
  // Outside of full runs bytes, appended elements and a work-group's: `conformance.test.ts` has the kernels.
  only: (name) => isFullRun() || /^(kept|upper-case|every work-group)/.test(name),
  fullShare: "sample",
});
