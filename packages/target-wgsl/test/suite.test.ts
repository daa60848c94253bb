import { conformance } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

// llvmpipe compiles for seconds what the wide types' soft arithmetic makes: full sweeps are for C and JavaScript.
// In full runs LLVM optimises these, and not those of `suite-rest.test.ts`.
conformance("WGSL on lavapipe", () => runtimeOn("lavapipe"), {
  slowCompiler: true,
  effort: "normal",
  share: "some",
  fullShare: "sample",
});
