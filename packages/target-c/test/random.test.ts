/** Random expressions and pipelines in C. */
import { random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { keepingRuntime } from "./support.ts";

random("C", async () => found(await keepingRuntime({ options: ["-O2", "-march=native"] })), {
  quick: { trees: { f16: 16, f32: 32, f64: 16 }, pipelines: 6, pairs: 16 },
  full: { trees: { f16: 480, f32: 1_488, f64: 480 }, pipelines: 240, pairs: 512 },
  documents: { size: "small", batch: 16 },
});
