/** Random expressions and pipelines in WGSL. Doubles are emulated, and take long to compile. */
import { type RandomCounts, random } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

const full: RandomCounts = { trees: { f16: 1_920, f32: 7_872, f64: 240 }, pipelines: 240 };

random("WGSL on lavapipe", () => runtimeOn("lavapipe"), {
  quick: { trees: { f16: 24, f32: 96, f64: 0 }, pipelines: 6 },
  full,
  size: "small",
});
random("WGSL on SwiftShader", () => runtimeOn("swiftshader"), {
  quick: { trees: { f16: 0, f32: 24, f64: 4 }, pipelines: 2 },
  full,
  size: "small",
});
