/** Random expressions, pipelines and pairs of nodes on JavaScript. */
import { random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { roundOf } from "@groupwise/testkit/random";
import { jsRuntime } from "../src/runtime.ts";

// Every pair of nodes, in full runs; `packages/testkit/test/pairs.test.ts` asserts that these documents have them.
const pairs = roundOf("large");

random("plain JavaScript", () => found(jsRuntime()), {
  follows: true,
  // Faults that were put back were found within 135 documents of pairs.
  quick: { trees: { f16: 32, f32: 64, f64: 32 }, pipelines: 48, pairs: Math.ceil(pairs / 17) },
  full: { trees: { f16: 4_800, f32: 15_072, f64: 4_800 }, pipelines: 5_040, pairs: 4 * pairs },
});
