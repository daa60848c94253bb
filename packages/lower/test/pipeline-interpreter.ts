/** The interpreter of kernels for a whole pipeline. */

import type { Checked } from "@groupwise/ir/document/check.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Module } from "@groupwise/kernel/language/module.js";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { lower } from "../src/lower.ts";

const LOWERED = new WeakMap<Checked, Map<Capabilities, Module>>();
/** Lowered once: the interpreter writes the JavaScript of a kernel once, which V8 compiles. */
export function moduleOf(checked: Checked, capabilities: Capabilities): Module {
  const known = LOWERED.get(checked) ?? new Map<Capabilities, Module>();
  LOWERED.set(checked, known);
  const module = known.get(capabilities) ?? lower(checked, capabilities).module;
  known.set(capabilities, module);
  return module;
}

/** The outputs of a pipeline with one input, x, by name. */
export function resultsOf(
  checked: Checked,
  capabilities: Capabilities,
  x: readonly number[],
  flushes: boolean = false,
): Record<string, ScalarValue[] | undefined> {
  const module = moduleOf(checked, capabilities);
  const n = x.length;
  const storage = storageOf(module, n, x);
  runKernels(module, n, { storage, flushes });
  return Object.fromEntries(checked.sinks.map(({ name }) => [name, storage[name]]));
}
