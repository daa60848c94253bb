/** Random expressions and pipelines on JavaScript. */
import { random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { jsRuntime } from "../src/runtime.ts";

random("plain JavaScript", () => found(jsRuntime()), {
  quick: { trees: { f16: 288, f32: 480, f64: 288 }, pipelines: 288 },
  full: { trees: { f16: 4_800, f32: 15_072, f64: 4_800 }, pipelines: 5_040 },
});
