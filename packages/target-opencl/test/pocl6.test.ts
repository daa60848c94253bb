import { conformanceBy } from "@groupwise/testkit/conformance";
import { pocl6 } from "./pocl6.ts";

conformanceBy("PoCL 6 in short chunks", (effort, isThrifty) => pocl6(effort, isThrifty, true), {
  slowCompiler: true,
  effort: "normal",
  share: "least",
  fullShare: "sample",
});
// PoCL 3.1 runs all checks; the texts differ in work-group functions, for which `native.test.ts` has all cases.
conformanceBy("PoCL 6", pocl6, { slowCompiler: true, effort: "normal", share: "least", fullShare: "sample" });
