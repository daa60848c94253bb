/** The checks that `conformance.test.ts` lacks in full runs, not optimised: the optimiser has seen each kind of kernel there. */
import { conformance } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

process.env.POCL_EXTRA_BUILD_FLAGS ??= "-cl-opt-disable"; // read at each build

conformance("PoCL, not optimised", () => pocl(), { slowCompiler: true, effort: "normal", rest: "sample" });
