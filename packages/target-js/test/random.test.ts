/** Random expressions, pipelines and pairs of nodes on JavaScript. */
import { random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { roundOf } from "@groupwise/testkit/random";
import { jsRuntime } from "../src/runtime.ts";

// Every pair of nodes; `packages/testkit/test/pairs.test.ts` asserts that these documents have them.
const pairs = roundOf("large");

random("plain JavaScript", () => found(jsRuntime()), {
  quick: { trees: { f16: 288, f32: 480, f64: 288 }, pipelines: 288, pairs },
  full: { trees: { f16: 4_800, f32: 15_072, f64: 4_800 }, pipelines: 5_040, pairs: 4 * pairs },
});
