/** Random expressions and pipelines in OpenCL C. */
import { random } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

random("PoCL", () => pocl(), {
  quick: { trees: { f16: 24, f32: 48, f64: 24 }, pipelines: 3 },
  full: { trees: { f16: 480, f32: 2_016, f64: 1_008 }, pipelines: 240 },
  size: "small",
});
