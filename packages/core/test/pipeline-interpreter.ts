/** The interpreter of kernels for a whole pipeline. */
import type { Capabilities } from "../src/compiler/capabilities/capabilities.ts";
import { lower } from "../src/compiler/lower.ts";
import { evaluate } from "../src/ir/base/formula.ts";
import type { Checked } from "../src/ir/document/check.ts";
import type { ScalarValue } from "../src/ir/tables/scalar.ts";
import { runKernels } from "./kernel-interpreter.ts";

/** The outputs of a pipeline with one input, x, by name. */
export function resultsOf(
  checked: Checked,
  capabilities: Capabilities,
  x: readonly number[],
  flushes: boolean = false,
): Record<string, ScalarValue[] | undefined> {
  const { module } = lower(checked, capabilities);
  const n = x.length;
  const storage = Object.fromEntries(
    module.buffers.map(({ name, role, elements, cleared }): [string, ScalarValue[]] => [
      name,
      // Other arrays hold nothing until a kernel writes it.
      role === "input" ? [...x] : Array(evaluate(elements, n)).fill(cleared ? 0 : undefined),
    ]),
  );
  runKernels(module, n, { storage, flushes });
  return Object.fromEntries(checked.sinks.map(({ name }) => [name, storage[name]]));
}
