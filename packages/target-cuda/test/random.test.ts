/** Random expressions and pipelines in CUDA C++. */
import { isFullRun, random } from "@groupwise/testkit/conformance";
import { onCpu } from "./cpu/runtime.ts";

random("CUDA C++ on the CPU, in waves of 64", () => onCpu({ wave: 64 }), {
  // In other runs the cases of the corpus that failed in CUDA or C: JavaScript has all.
  only: ({ about }) => isFullRun() || /\b(?:CUDA|GCC)\b/.test(about),
  quick: { trees: { f16: 8, f32: 8, f64: 8 }, pipelines: 1, pairs: 1 },
  full: { trees: { f16: 120, f32: 528, f64: 252 }, pipelines: 60, pairs: 128 },
  size: "small",
  batch: 8,
});
