/** Random expressions and pipelines in OpenCL C. */
import { random } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

random("PoCL", () => pocl(), {
  quick: { trees: { f16: 48, f32: 96, f64: 48 }, pipelines: 12 },
  full: { trees: { f16: 1_920, f32: 6_048, f64: 2_112 }, pipelines: 480 },
  size: "small",
});
