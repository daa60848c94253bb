/** Chunks with the first items after each. */
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import { typedArrayName } from "@groupwise/runtime/api/host-view.js";
import { joinArrays } from "./results.ts";

type Inputs = Readonly<Record<string, unknown>>;

/** A chunk, and by input the items after it. */
export interface WithLater {
  readonly inputs: Inputs;
  readonly after: Inputs;
}

const isArray = (value: unknown): value is HostArray => typedArrayName(value) !== undefined;

const lengthOf = (inputs: Inputs): number => Object.values(inputs).find(isArray)?.length ?? 0;

const copied = (inputs: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, isArray(value) ? value.slice() : value]),
  );

/** The first items of consecutive chunks. */
function firstOf(chunks: readonly Inputs[], items: number): Inputs {
  const [first = {}] = chunks;
  const arrays = Object.keys(first).map((name) => {
    const parts = chunks.map((chunk) => chunk[name]).filter(isArray);
    return [
      name,
      parts.length > 0 ? joinArrays(parts.map((part) => part.subarray(0, items))).subarray(0, items) : [],
    ];
  });
  return Object.fromEntries(arrays);
}

/**
 * Passes chunks on when the items after them are known. At most two chunks are in use if the next one has enough items; of others there are copies.
 * @param items the number of items after a chunk that are wanted
 */
export async function* withLater(
  chunks: AsyncIterable<Inputs> | Iterable<Inputs>,
  items: number,
): AsyncGenerator<WithLater, void, undefined> {
  let held: Inputs[] = [];
  const countAfter = (): number => held.slice(1).reduce((sum, chunk) => sum + lengthOf(chunk), 0);
  const next = (): WithLater => {
    const inputs = held.shift() as Inputs;
    return { inputs, after: firstOf(held, items) };
  };
  for await (const chunk of chunks) {
    held.push(chunk);
    while (held.length > 1 && countAfter() >= items) yield next();
    // The source may write the arrays of the chunk before this one again.
    if (held.length > 1) held = held.map(copied);
  }
  while (held.length > 0) yield next();
}
