import { conformance } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

conformance("WGSL on SwiftShader", () => runtimeOn("swiftshader"), {
  effort: "quick",
  slowCompiler: true,
  share: "least", // the texts that lavapipe runs
  fullShare: "sample",
});
