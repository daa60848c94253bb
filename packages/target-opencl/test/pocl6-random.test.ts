/**
 * Random expressions and pipelines in OpenCL C, on PoCL 6. Its optimiser ends the process on most of them, whatever they
 * compute ("Instruction Combining did not reach a fixpoint": https://github.com/pocl/pocl/issues/1608), so it is left out.
 */
import { isFullRun, randomBy } from "@groupwise/testkit/conformance";
import { pocl6 } from "./pocl6.ts";

/** Starts the process of PoCL 6 with its flags; other files of this process keep theirs. */
async function withoutOptimiser(): ReturnType<typeof pocl6> {
  const { POCL_EXTRA_BUILD_FLAGS: flags } = process.env;
  process.env.POCL_EXTRA_BUILD_FLAGS = "-cl-opt-disable";
  try {
    return await pocl6("normal", true);
  } finally {
    if (flags === undefined) delete process.env.POCL_EXTRA_BUILD_FLAGS;
  }
}

randomBy("PoCL 6", withoutOptimiser, {
  ...(isFullRun() ? {} : { only: () => false }), // PoCL 3.1 has cases of the corpus
  quick: { trees: { f16: 0, f32: 16, f64: 4 }, pipelines: 0 }, // PoCL 3.1 runs the same texts
  full: { trees: { f16: 96, f32: 288, f64: 144 }, pipelines: 30 },
  size: "small",
});
