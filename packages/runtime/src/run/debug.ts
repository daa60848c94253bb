/** The check of the debug option of runtimes: before a run, the reference finds slots that two items write. */

import { reference } from "@groupwise/ir/reference/reference.js";
import { type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import { type HostArray, SCALARS, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type { RunOptions } from "../api/runtime.ts";
import type { RunValues } from "../api/typed.ts";
import { inputsOf, prepareRun } from "../checks/host.ts";
import type { Manifest } from "../plan/manifest.ts";

/** Checks the values of a run; does nothing if there is nothing to check. */
export type InspectRun = (values: RunValues, options?: RunOptions) => void;

/**
 * Runs the reference on the values of each run, which takes far longer than the run.
 * @param debug the option of a runtime
 * @returns a function that throws GroupwiseError as `reference` does, and `scatter-conflict` if two items
 * write one slot of a scatter without `combine`
 */
export function inspectorOf(
  debug: boolean | undefined,
  { checked, carries }: Plan,
  manifest: Manifest,
): InspectRun {
  // The reference has no state of earlier items, and chunks only have scatters whose slots count items.
  if (!debug || carries !== undefined) return () => {};
  const isScattered = checked.sinks.some((sink) => sink.kind === "scatter" && sink.combine === undefined);
  if (!isScattered) return () => {};
  return (values, options) => {
    const { inputs, globalSize, globalOffset } = prepareRun(manifest, values, options);
    const bindings = new Map(inputsOf(manifest).map(({ name, binding }) => [name, binding.name]));
    const list = ({ name, type }: { name: string; type: ArrayType }): [string, ScalarValue[]] => [
      name,
      listOf(type, inputs.get(bindings.get(name) ?? name) as HostArray),
    ];
    reference(checked, {
      globalSize,
      globalOffset,
      inputs: Object.fromEntries(checked.inputs.map(list)),
      tables: Object.fromEntries(checked.tables.map(list)),
      params: Object.fromEntries(
        checked.params.map(({ name, type }) => [name, SCALARS[type].wrap(values[name] as ScalarValue)]),
      ),
      checkSlots: true,
    });
  };
}

const listOf = (type: ArrayType, array: HostArray): ScalarValue[] =>
  Array.from(array as Float64Array, (stored) => arraySpec(type).fromHost(stored));
