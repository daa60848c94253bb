/** The outputs with one value for the range, from the state of all items. They are those of a step over no items. */
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import { isSink } from "@groupwise/ir/document/operands.js";
import { typeOfSink } from "@groupwise/ir/document/sink-type.js";
import { type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import { type HostArray, SCALARS, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Carried } from "./carry.ts";
import { neededFor } from "./others/live.ts";
import type { State } from "./state.ts";
import { stepOfChecked } from "./step.ts";

/** @param params by name, as the caller passed them. @returns an array of one element for each output */
export type Ending = (
  state: State,
  params: Readonly<Record<string, ScalarValue>>,
) => Readonly<Record<string, HostArray>>;

/**
 * The reference over no items is the meaning of the outputs, so their bits are those of every device.
 * @returns undefined if an output reads a table, which may be in the memory of a device
 */
export function endingOf(carried: Carried): Ending | undefined {
  const checked = check(carried.pipeline);
  const { nodes } = carried.pipeline;
  const types = outputTypes(checked);
  if (types.size === 0) return () => ({});
  const isNeeded = neededFor(
    nodes,
    (node) => "name" in node && isSink(node) && types.has(node.name),
    isCollective,
  );
  if (nodes.some(({ id, kind }) => kind === "table" && isNeeded[id])) return undefined;
  const inputs = Object.fromEntries(checked.inputs.map(({ name }) => [name, []]));
  return (state, given) => {
    const params: Record<string, ScalarValue> = {};
    for (const { name, type } of checked.params)
      if (Object.hasOwn(given, name)) params[name] = SCALARS[type].wrap(given[name] as ScalarValue);
    const { outputs } = stepOfChecked(checked, carried, { n: 0, inputs, params }, state);
    const arrays = [...types].map(([name, type]) => [name, arrayOf(type, outputs[name] ?? [])] as const);
    return Object.fromEntries(arrays);
  };
}

const outputTypes = (checked: Checked): ReadonlyMap<string, ArrayType> =>
  new Map(
    checked.sinks
      .filter(({ kind, id }) => kind === "output" && checked.uniformities[id] === "uniform")
      .map((sink) => [sink.name, typeOfSink(checked, sink)]),
  );

function arrayOf(type: ArrayType, values: readonly ScalarValue[]): HostArray {
  const spec = arraySpec(type);
  const array = new spec.array(values.length);
  for (const [i, value] of values.entries()) array[i] = spec.toHost(value as never) as never;
  return array;
}
