/** Random expressions and pipelines in C. */
import { random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { keepingRuntime } from "./support.ts";

random("C", async () => found(await keepingRuntime({ options: ["-O2", "-march=native"] })), {
  quick: { trees: { f16: 24, f32: 48, f64: 24 }, pipelines: 12, pairs: 32 },
  full: { trees: { f16: 480, f32: 1_488, f64: 480 }, pipelines: 240, pairs: 512 },
  documents: { size: "small", batch: 16 },
});
