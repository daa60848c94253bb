/** The default length of chunks. */
import type { Capabilities, Checked } from "@groupwise/core";
import { arraySpec, typeOfSink } from "@groupwise/core/target";

/**
 * Bytes of the inputs and outputs of a chunk, by how the target runs. Loops: the chunk is still in a processor's cache when it is written. A device with many
 * work-items needs more items for each launch. Measured in docs/decisions/streams.md.
 */
const BYTES: Readonly<Record<Capabilities["execution"], number>> = {
  sequential: 2 ** 21,
  simt: 2 ** 23,
  "per-output": 2 ** 23,
};

/** Fewest items, for pipelines with many inputs and outputs. */
const LEAST = 2 ** 12;

/**
 * A power of two: chunks then begin at multiples of their length, and no device cuts them.
 * @param checked has an input
 * @param threads each has a part as long as the chunk of one
 */
export function chunkSize(
  { execution }: Pick<Capabilities, "execution">,
  checked: Checked,
  threads: number = 1,
): number {
  const outputs = checked.sinks
    .filter(({ id }) => checked.uniformities[id] === "item")
    .map((sink) => typeOfSink(checked, sink));
  const types = [...checked.inputs.map(({ type }) => type), ...outputs];
  const bytes = types.reduce((sum, type) => sum + arraySpec(type).hostBytes, 0);
  return Math.max(2 ** Math.floor(Math.log2((threads * BYTES[execution]) / bytes)), LEAST);
}
