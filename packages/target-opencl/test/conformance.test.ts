import { conformance } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

conformance("PoCL", () => pocl(), { slowCompiler: true });
