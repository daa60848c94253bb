/** The results of two consecutive pieces of a chunk. */
import type { Checked } from "../../ir/document/check.ts";
import type { HostArray } from "../../ir/tables/scalar.ts";
import type { RunResults } from "../api/typed.ts";

/** One array of each output of items; of a value for all items the later one. */
export function joinResults(
  { sinks, uniformities }: Checked,
  first: RunResults,
  rest: RunResults,
): RunResults {
  const joined = sinks
    .filter(({ id }) => uniformities[id] === "item")
    .map(({ name }) => [name, joinArrays([first[name] as HostArray, rest[name] as HostArray])]);
  return { ...rest, ...Object.fromEntries(joined) };
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
