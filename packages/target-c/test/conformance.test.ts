import type { Runtime } from "@groupwise/core";
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import type { CRuntimeOptions } from "../src/runtime.ts";
import { keepingRuntime } from "./support.ts";

const by = (options: CRuntimeOptions) => async (): Promise<Found<Runtime>> =>
  found(await keepingRuntime(options));

// In both the effort of JavaScript, whose results of the reference they take.
const effort = isFullRun() ? "full" : "quick";
conformance("C by gcc", by({ compiler: "gcc", options: ["-O2"] }), { effort, share: "few" });
// The texts are those that gcc compiles for all checks, at all sizes.
conformance("C by clang", by({ compiler: "clang", options: ["-O3"] }), {
  effort: isFullRun() ? "normal" : effort,
  share: "least",
  fullShare: "sample",
});
