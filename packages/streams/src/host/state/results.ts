/** The results of the consecutive pieces of a chunk. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { RunResults } from "@groupwise/runtime/api/typed.js";

/** One array for each output of items; for an output with one value for the range, the last one. */
export function joinResults({ sinks, uniformities }: Checked, parts: readonly RunResults[]): RunResults {
  const joined = sinks
    .filter(({ id }) => uniformities[id] === "item")
    .map(({ name }) => [name, joinArrays(parts.map((part) => part[name] as HostArray))]);
  return { ...parts.at(-1), ...Object.fromEntries(joined) };
}

/** Consecutive arrays of one type as one. */
export function joinArrays(parts: readonly HostArray[]): HostArray {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const Made = (parts[0] as HostArray).constructor as new (length: number) => HostArray;
  const whole = new Made(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part as never, at);
    at += part.length;
  }
  return whole;
}
