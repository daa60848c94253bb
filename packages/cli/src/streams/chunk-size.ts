/** The default length of chunks. */
import type { Capabilities, Checked } from "@groupwise/core";
import { arraySpec, typeOfSink } from "@groupwise/core/target";

/**
 * Bytes of the inputs and outputs of a chunk, by how the target runs. Loops are fastest where a chunk stays in the cache of a processor; a
 * device with many work-items needs more items for each launch. Measured in docs/decisions/states.md.
 */
const BYTES: Readonly<Record<Capabilities["execution"], number>> = {
  sequential: 2 ** 23,
  simt: 2 ** 26,
  "per-output": 2 ** 23,
};

/** Fewest and most items. */
const LEAST = 2 ** 12;
const MOST = 2 ** 26;

/** A power of two: chunks then begin at multiples of their length, and no device cuts them. */
export function chunkSize({ execution }: Pick<Capabilities, "execution">, checked: Checked): number {
  const outputs = checked.sinks
    .filter(({ id }) => checked.uniformities[id] === "item")
    .map((sink) => typeOfSink(checked, sink));
  const types = [...checked.inputs.map(({ type }) => type), ...outputs];
  const bytes = types.reduce((sum, type) => sum + arraySpec(type).hostBytes, 0);
  const items = 2 ** Math.floor(Math.log2(BYTES[execution] / Math.max(bytes, 1)));
  return Math.min(Math.max(items, LEAST), MOST);
}
