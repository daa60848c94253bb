/** Random documents in kernels of work-groups. Devices have a few of them: their compilers take seconds for each. */
import { isFullRun } from "../src/conformance.ts";
import { found } from "../src/devices/found.ts";
import { random } from "../src/random/tests.ts";
import { interpretedRuntime } from "./interpreted.ts";

const NO_TREES = { f16: 0, f32: 0, f64: 0 };

random("kernels of work-groups, interpreted", async () => found(interpretedRuntime()), {
  follows: true,
  // Ranks that read a stored value at another place were found in the fourth pipeline.
  quick: { trees: NO_TREES, pipelines: 30 },
  full: { trees: NO_TREES, pipelines: 600, pairs: 512 },
  size: "small",
  // JavaScript and lavapipe have the corpus.
  only: () => isFullRun(),
});
