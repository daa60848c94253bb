import { conformanceBy, isFullRun, randomBy } from "@groupwise/testkit/conformance";
import { pocl6 } from "./pocl6.ts";

/**
 * Starts the process of PoCL 6 without its optimiser, which ends the process on most random cases, whatever they compute ("Instruction
 * Combining did not reach a fixpoint": https://github.com/pocl/pocl/issues/1608); other files of this process keep their flags.
 */
async function withoutOptimiser(): ReturnType<typeof pocl6> {
  const { POCL_EXTRA_BUILD_FLAGS: flags } = process.env;
  process.env.POCL_EXTRA_BUILD_FLAGS = "-cl-opt-disable";
  try {
    return await pocl6("normal", true);
  } finally {
    if (flags === undefined) delete process.env.POCL_EXTRA_BUILD_FLAGS;
    else process.env.POCL_EXTRA_BUILD_FLAGS = flags;
  }
}

// Outside of full runs PoCL 3.1 has chunks and random cases, whose texts call no function of this driver.
if (isFullRun()) {
  conformanceBy("PoCL 6 in short chunks", (effort, isThrifty) => pocl6(effort, isThrifty, true), {
    slowCompiler: true,
    effort: "normal",
    fullShare: "sample",
  });
  const counts = { trees: { f16: 96, f32: 288, f64: 144 }, pipelines: 30 };
  randomBy("PoCL 6", withoutOptimiser, { quick: counts, full: counts, size: "small" });
}
// PoCL 3.1 runs all checks; the texts differ in work-group functions, for which `native.test.ts` has all cases.
conformanceBy("PoCL 6", pocl6, {
  slowCompiler: true,
  effort: isFullRun() ? "normal" : "quick",
  share: "least",
  fullShare: "sample",
});
