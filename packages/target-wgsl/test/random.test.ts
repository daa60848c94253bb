/** Random expressions and pipelines in WGSL. Doubles are emulated, and take long to compile. */
import { isFullRun, type RandomCounts, random } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

const full: RandomCounts = { trees: { f16: 120, f32: 528, f64: 36 }, pipelines: 48, pairs: 64 };

random("WGSL on lavapipe", () => runtimeOn("lavapipe"), {
  quick: { trees: { f16: 8, f32: 24, f64: 0 }, pipelines: 2, pairs: 2 },
  full,
  size: "small",
});
// Outside of full runs lavapipe and JavaScript have the corpus.
random("WGSL on SwiftShader", () => runtimeOn("swiftshader"), {
  ...(isFullRun() ? {} : { only: () => false }),
  quick: { trees: { f16: 0, f32: 8, f64: 0 }, pipelines: 1 },
  full,
  size: "small",
});
