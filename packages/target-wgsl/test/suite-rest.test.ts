/** The checks that `suite.test.ts` lacks in full runs, without LLVM's optimiser: it has seen each kind of kernel there. */
import { conformance } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

process.env.GALLIVM_PERF ??= "nopt"; // read when the driver is loaded

conformance("WGSL on lavapipe, not optimised", () => runtimeOn("lavapipe"), {
  slowCompiler: true,
  effort: "normal",
  rest: "sample",
});
