/** The results that devices must have: those of the reference interpreter, where computing them is quick. */
import {
  type Checked,
  type RunOptions,
  type RunOutputs,
  type RunValues,
  reference,
  type ScalarValue,
} from "@groupwise/core";
import { arraySpec, itemsIn, SCALARS, typeOfSink } from "@groupwise/core/target";
import { isGroupwiseError } from "../base/problem.ts";

/**
 * The most values that the reference computes: items times nodes, those of operators included. It computes some millions of
 * plain values in a second; elementary functions take longer.
 */
export const QUICK: number = 2 ** 20;

/**
 * The outputs by the reference; undefined if it has too many values to compute, or if the run is an error, which the devices report.
 * @param values as arguments of `run`
 */
export function meantBy(checked: Checked, values: RunValues, options: RunOptions): RunOutputs | undefined {
  const { inputs, params, tables, pipeline, sinks } = checked;
  const listOf = ({ name, type }: (typeof inputs)[number]): ScalarValue[] =>
    Array.from(values[name] as ArrayLike<number | bigint>, arraySpec(type).fromHost);
  const [first] = inputs;
  const n = options.n ?? (first ? (values[first.name] as ArrayLike<unknown>).length : 0);
  const globalSize = options.globalSize ?? [n];
  const nodes = (pipeline.operators ?? []).reduce(
    (sum, one) => sum + one.nodes.length,
    pipeline.nodes.length,
  );
  if (itemsIn(globalSize) * nodes > QUICK) return undefined;
  const lists = (arrays: typeof inputs): Record<string, ScalarValue[]> =>
    Object.fromEntries(arrays.map((one) => [one.name, listOf(one)]));
  try {
    const outputs = reference(checked, {
      globalSize,
      ...(options.globalOffset && { globalOffset: options.globalOffset }),
      inputs: lists(inputs),
      params: Object.fromEntries(
        params.map(({ name, type }) => [name, SCALARS[type].wrap(values[name] as ScalarValue)]),
      ),
      tables: lists(tables as never),
    });
    return Object.fromEntries(
      sinks.map((sink) => {
        const { array, toHost } = arraySpec(typeOfSink(checked, sink));
        const list = outputs[sink.name] as ScalarValue[];
        const host = new array(list.length);
        list.forEach((value, i) => {
          host[i] = toHost(value) as never;
        });
        return [sink.name, host];
      }),
    );
  } catch (error) {
    if (isGroupwiseError(error)) return undefined;
    throw error;
  }
}
