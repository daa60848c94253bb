/** Random expressions and pipelines in OpenCL C. */
import { isFullRun, random } from "@groupwise/testkit/conformance";
import { pocl, poclInChunks } from "./support.ts";

random("PoCL", () => pocl(), {
  quick: { trees: { f16: 24, f32: 48, f64: 24 }, pipelines: 3 },
  full: { trees: { f16: 240, f32: 1_056, f64: 504 }, pipelines: 120 },
  size: "small",
});
// The sample of conformance in chunks is enough otherwise.
if (isFullRun())
  random("PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), {
    quick: { trees: { f16: 8, f32: 16, f64: 8 }, pipelines: 3 },
    full: { trees: { f16: 96, f32: 480, f64: 240 }, pipelines: 240 },
    size: "small",
  });
