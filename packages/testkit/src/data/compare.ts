/** Runs over mixed data, compared with the reference. */
import {
  check,
  type Executable,
  type HostArray,
  type Pipeline,
  type RunOutputs,
  type RunValues,
} from "@groupwise/core";
import { typeOfSink } from "@groupwise/core/target";
import { difference } from "./arrays.ts";
import { mixedData } from "./data.ts";
import { expected } from "./oracle.ts";

/** Mixed data for every input. */
export function dataFor(ir: Pipeline, n: number, seed: number = 0): Record<string, HostArray> {
  const { inputs } = check(ir);
  return Object.fromEntries(inputs.map(({ name, type }) => [name, mixedData(type, n, `${name} ${seed}`)]));
}

/** Where outputs differ from the reference's, in words; empty where all bits are equal. */
export function differences(
  ir: Pipeline,
  values: RunValues,
  outputs: RunOutputs,
  n: number,
  want: RunOutputs = expected(check(ir), values, { n }),
): string[] {
  const checked = check(ir);
  return checked.sinks.flatMap((sink) => {
    const { name } = sink;
    const found = difference(typeOfSink(checked, sink), outputs[name], want[name] as HostArray);
    return found ? [`${ir.name} of ${n}: ${name}${found.text}`] : [];
  });
}

/** Runs each size and compares. */
export async function runAll(
  program: Pick<Executable<Pipeline>, "run">,
  ir: Pipeline,
  sizes: readonly number[],
  params: RunValues = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const n of sizes) {
    const values = { ...dataFor(ir, n), ...params };
    found.push(...differences(ir, values, await program.run(values, { n }), n));
  }
  return found;
}
