/** The expected results of a run: the reference interpreter on host arrays. */
import {
  type Checked,
  GroupwiseError,
  type HostArray,
  type RunOptions,
  type RunOutputs,
  type RunValues,
  reference,
  type ScalarValue,
} from "@groupwise/core";
import { itemsIn, SCALARS, typeOfSink } from "@groupwise/core/target";
import { toArray, toValues } from "./arrays.ts";
import { hashOfSources, type Results, resultsOf } from "./results.ts";

type Range = Required<Pick<RunOptions, "globalSize">> & Pick<RunOptions, "globalOffset">;

/** A run's outputs, or the code of the error that ended it, and what it says. */
export type RunOutcome = { readonly outputs: RunOutputs } | { readonly error: string; readonly what: string };

/** The number of items of a run. */
export function itemsOf(checked: Checked, values: RunValues, options: RunOptions = {}): number {
  if (options.globalSize) return itemsIn(options.globalSize);
  const [first] = checked.inputs;
  return first ? (values[first.name] as HostArray).length : (options.n ?? 0);
}

let kept: Results | undefined;
/** Results of the reference, which is all of `ir/src`. */
const results = (): Results =>
  (kept ??= resultsOf(
    "reference",
    hashOfSources(
      new URL("../../../ir/src", import.meta.url),
      new URL("../../src/data/arrays.ts", import.meta.url),
    ),
  ));

/** Over fewer items a result is computed in less time than its file takes. */
const STORED = 128;

/** Runs the reference, over many items once for the same pipeline and values. @throws GroupwiseError as it does */
export function expected(checked: Checked, values: RunValues, options: RunOptions = {}): RunOutputs {
  const { globalSize = [itemsOf(checked, values, options)], globalOffset } = options;
  const range = { globalSize, ...(globalOffset && { globalOffset }) };
  if (itemsIn(globalSize) < STORED) return computed(checked, values, range);
  const given = [...checked.inputs, ...checked.params, ...checked.tables].map(({ name }) => values[name]);
  const key = [checked.pipeline, given, globalSize, globalOffset];
  const known = results().get(key) as RunOutputs | undefined;
  if (known) return known;
  const outputs = computed(checked, values, range);
  results().put(key, outputs);
  return outputs;
}

function computed(checked: Checked, values: RunValues, range: Range): RunOutputs {
  const inputs = Object.fromEntries(
    checked.inputs.map(({ name, type }) => [name, toValues(type, values[name] as HostArray)]),
  );
  const params = Object.fromEntries(
    checked.params.map(({ name, type }) => [name, SCALARS[type].wrap(values[name] as ScalarValue)]),
  );
  const tables = Object.fromEntries(
    checked.tables.map(({ name, type }) => [name, toValues(type, values[name] as HostArray)]),
  );
  const outputs = reference(checked, { ...range, inputs, params, tables });
  return Object.fromEntries(
    checked.sinks.map((sink) => [
      sink.name,
      toArray(typeOfSink(checked, sink), outputs[sink.name] as ScalarValue[]),
    ]),
  );
}

/** The outcome of a run; errors that are not from this project are rethrown. */
export async function outcomeOf(run: () => RunOutputs | Promise<RunOutputs>): Promise<RunOutcome> {
  try {
    return { outputs: await run() };
  } catch (error) {
    if (error instanceof GroupwiseError) return { error: error.code, what: error.what };
    throw error;
  }
}
