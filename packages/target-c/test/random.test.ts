/** Random expressions and pipelines in C. */
import { isFullRun, random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { keepingRuntime } from "./support.ts";

random("C", async () => found(await keepingRuntime({ options: ["-O2", "-march=native"] })), {
  // In other runs the cases of the corpus that failed in C: JavaScript has all.
  only: ({ about }) => isFullRun() || /\b(?:GCC|C)\b/.test(about),
  quick: { trees: { f16: 4, f32: 8, f64: 4 }, pipelines: 2, pairs: 4 },
  full: { trees: { f16: 480, f32: 1_488, f64: 480 }, pipelines: 240, pairs: 512, vectors: 240 },
  pairsSize: "small",
  batch: 16,
});
