/** Random expressions and pipelines in OpenCL C. */
import { isFullRun, random } from "@groupwise/testkit/conformance";
import { pocl, poclInChunks } from "./support.ts";

random("PoCL", () => pocl(), {
  // In other runs the cases of the corpus that failed in OpenCL C on CPUs: JavaScript has all.
  only: ({ about }) => isFullRun() || /^(?!NVIDIA).*OpenCL/.test(about),
  quick: { trees: { f16: 4, f32: 16, f64: 8 }, pipelines: 1, pairs: 1 },
  full: { trees: { f16: 120, f32: 528, f64: 252 }, pipelines: 60, pairs: 128, vectors: 120 },
  size: "small",
  batch: 8,
});
// The sample of conformance in chunks is enough otherwise.
if (isFullRun())
  random("PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), {
    quick: { trees: { f16: 8, f32: 16, f64: 8 }, pipelines: 3 },
    full: { trees: { f16: 48, f32: 240, f64: 120 }, pipelines: 120 },
    size: "small",
  });
