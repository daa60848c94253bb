/** Random expressions and pipelines on JavaScript. */
import { random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { jsRuntime } from "../src/runtime.ts";

random("plain JavaScript", () => found(jsRuntime()), {
  quick: { trees: { f16: 288, f32: 480, f64: 288 }, pipelines: 288 },
  full: { trees: { f16: 9_600, f32: 30_048, f64: 9_600 }, pipelines: 10_032 },
});
