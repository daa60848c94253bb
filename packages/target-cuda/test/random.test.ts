/** Random expressions and pipelines in CUDA C++. */
import { random } from "@groupwise/testkit/conformance";
import { onCpu } from "./cpu/runtime.ts";

random("CUDA C++ on the CPU, in waves of 64", () => onCpu({ wave: 64 }), {
  // In other runs the cases that failed in a language of C's family: JavaScript and lavapipe have all.
  quick: { trees: { f16: 16, f32: 32, f64: 16 }, pipelines: 3, pairs: 8 },
  full: { trees: { f16: 120, f32: 528, f64: 252 }, pipelines: 60, pairs: 128 },
  size: "small",
  documents: { size: "small", batch: 8 },
});
