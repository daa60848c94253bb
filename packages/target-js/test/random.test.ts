/** Random expressions and pipelines on JavaScript. */
import { random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { jsRuntime } from "../src/runtime.ts";

random("plain JavaScript", () => found(jsRuntime()), {
  quick: { trees: { f16: 288, f32: 480, f64: 288 }, pipelines: 288 },
  full: { trees: { f16: 20_064, f32: 60_000, f64: 20_064 }, pipelines: 20_016 },
});
