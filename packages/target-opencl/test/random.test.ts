/** Random expressions and pipelines in OpenCL C. */
import { random } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

random("PoCL", () => pocl(), {
  quick: { trees: { f16: 24, f32: 48, f64: 24 }, pipelines: 3 },
  full: { trees: { f16: 240, f32: 1_056, f64: 504 }, pipelines: 120 },
  size: "small",
});
