/** Random expressions and pipelines in OpenCL C. */
import { random } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

random("PoCL", () => pocl(), {
  quick: { trees: { f16: 24, f32: 48, f64: 24 }, pipelines: 3 },
  full: { trees: { f16: 1_920, f32: 6_048, f64: 2_112 }, pipelines: 480 },
  size: "small",
});
