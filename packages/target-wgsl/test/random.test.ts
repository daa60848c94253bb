/** Random expressions and pipelines in WGSL. Doubles are emulated, and take long to compile. */
import { random } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

for (const adapter of ["lavapipe", "swiftshader"] as const)
  random(`WGSL on ${adapter}`, () => runtimeOn(adapter), {
    quick: { trees: { f16: 48, f32: 448, f64: 8 }, pipelines: 12 },
    full: { trees: { f16: 1_920, f32: 7_872, f64: 240 }, pipelines: 240 },
    size: "small",
  });
