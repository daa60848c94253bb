import { conformance } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

// llvmpipe compiles for seconds what the wide types' soft arithmetic makes: full sweeps are for PoCL and JavaScript.
conformance("WGSL on lavapipe", () => runtimeOn("lavapipe"), {
  slowCompiler: true,
  effort: "normal",
  share: "some",
});
