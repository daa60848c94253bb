import { conformanceBy, isFullRun } from "@groupwise/testkit/conformance";
import { pocl6 } from "./pocl6.ts";

// Outside of full runs PoCL 3.1 has chunks, whose texts call no function of this driver.
if (isFullRun())
  conformanceBy("PoCL 6 in short chunks", (effort, isThrifty) => pocl6(effort, isThrifty, true), {
    slowCompiler: true,
    effort: "normal",
    fullShare: "sample",
  });
// PoCL 3.1 runs all checks; the texts differ in work-group functions, for which `native.test.ts` has all cases.
conformanceBy("PoCL 6", pocl6, {
  slowCompiler: true,
  effort: isFullRun() ? "normal" : "quick",
  share: "least",
  fullShare: "sample",
});
