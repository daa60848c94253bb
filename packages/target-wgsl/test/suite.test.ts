import { conformance } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

// llvmpipe compiles for seconds what the wide types' soft arithmetic makes: full sweeps are for PoCL and JavaScript.
conformance("WGSL on lavapipe", () => runtimeOn("lavapipe"), {
  slowCompiler: true,
  effort: "normal",
  share: "sample",
});
// Neither shader-f16 nor subgroups, and the limits that every WebGPU device has.
conformance(
  "WGSL on lavapipe without optional features",
  () => runtimeOn("lavapipe", { features: [], limits: "default" }),
  { slowCompiler: true, effort: "normal", share: "sample" },
);
conformance("WGSL on SwiftShader", () => runtimeOn("swiftshader"), {
  effort: "quick",
  slowCompiler: true,
  share: "sample",
});
