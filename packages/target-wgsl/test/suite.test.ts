import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

// Outside of full runs JavaScript has the checks of `some`, and every length and kind of data.
// llvmpipe compiles for seconds what the wide types' soft arithmetic makes: full sweeps are for C and JavaScript.
// In full runs LLVM optimises these, and not those of `suite-rest.test.ts`.
conformance("WGSL on lavapipe", () => runtimeOn("lavapipe"), {
  slowCompiler: true,
  effort: isFullRun() ? "normal" : "quick",
  share: "few",
  // LLVM takes seconds for ranks, for records and for what scatters several arrays; PoCL has them in every run.
  only: (name) => isFullRun() || !/^(sort-bytes|line-index|argmax|gather-grid)/.test(name),
  fullShare: "sample",
});
