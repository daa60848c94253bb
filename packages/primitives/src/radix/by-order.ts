/** Sorts of indexes by one or more arrays of keys, from the last array to the first. */
import type { DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import { pipeline, table, type U32Value, u32 } from "@groupwise/dsl";
import type { Steps } from "../base/primitive.ts";
import { standIn } from "../base/stand-in.ts";
import { type Bits, type Key, keyOf } from "./order.ts";
import { moveItems, WINDOW } from "./pipelines.ts";
import { digitIn, SORT_KEYS, windowsOf } from "./windows.ts";

/** Moves keys and indexes by a digit. */
export const moveOrder = (bits: Bits, order: U32Value, shift: U32Value, mask: U32Value): object => {
  const to = digitIn(bits, shift, mask).rank({ bins: SORT_KEYS });
  return { sorted: (bits as U32Value).scatter({ to }), moved: order.scatter({ to }) };
};

/** The first pass by an array of keys in the order of the items, or in an order so far. */
const begin = (key: Key, isOrdered: boolean): PipelineSource => {
  const name = `order-${isOrdered ? "next" : "first"}-${key.name}`;
  if (!isOrdered)
    return pipeline(
      name,
      { keys: standIn(key.type), ...WINDOW },
      ({ keys, shift, mask }, { index }) => moveOrder(key.encode(keys), index(), shift, mask) as never,
    );
  const inputs = { order: u32, keys: table(standIn(key.type)), ...WINDOW };
  return pipeline(
    name,
    inputs,
    ({ order, keys, shift, mask }) => moveOrder(key.encode(keys.at(order)), order, shift, mask) as never,
  );
};

/** The pipelines of a sort of indexes. @param from whether the items are in an order to begin with */
export function orderPipelines(keys: readonly Key[], from: boolean = false): Record<string, PipelineSource> {
  const passes = keys.flatMap((key, i): [string, PipelineSource][] => [
    [`begin${i}`, begin(key, from || i < keys.length - 1)],
    [`move-${key.as.type}`, moveItems(keyOf(key.as, false), keyOf(key.as, false), u32)],
  ]);
  return Object.fromEntries(passes);
}

/** Keys of the items, and which of their bits to sort by. */
export interface OrderKey {
  readonly key: Key;
  /** What the first pass reads: `keys`, or what a pipeline of the caller's computes them from. */
  readonly given: Readonly<Record<string, DeviceArray>>;
  readonly begin?: number;
  readonly end?: number;
}

/** A sort of indexes. */
export interface Ordering {
  /** The first ones decide, later ones where those are equal. */
  readonly by: readonly OrderKey[];
  readonly items: number | DeviceCount;
  readonly n: number;
  /** Adds a step that writes the indexes to sort; default: all, in their order. */
  readonly fill?: (order: DeviceArray<"u32">) => void;
  readonly to: DeviceArray<"u32">;
}

/** The steps of a stable sort of indexes. */
export function orderSteps(
  steps: Steps<Readonly<Record<string, PipelineSource>>>,
  { by, items, n, fill, to }: Ordering,
): void {
  // The first pass, by the last key, writes the order even if there is nothing to sort by; other keys without bits take none.
  const leastOf = (i: number): number => (fill || i < by.length - 1 ? 0 : 1);
  const passes = by
    .map(({ key, given, begin = 0, end = key.bits }, i) =>
      windowsOf(begin, end, leastOf(i)).map((window, pass) => ({
        ...{ key, given, window, isFirst: pass === 0, i },
      })),
    )
    .reverse()
    .flat();
  const isOne = passes.length === 1;
  const other = isOne && !fill ? to : steps.array("u32", n);
  const bits = new Map<string, readonly [DeviceArray, DeviceArray]>();
  const makeBits = (type: "u32"): readonly [DeviceArray, DeviceArray] => {
    const one = steps.array(type, n);
    return [one, isOne ? one : steps.array(type, n)];
  };
  const placeOf = (pass: number): DeviceArray<"u32"> => ((passes.length - pass) % 2 === 0 ? to : other);
  fill?.(placeOf(0));
  passes.forEach(({ key: { as }, given, window, isFirst, i }, pass) => {
    const both = bits.get(as.type) ?? makeBits(as.type);
    bits.set(as.type, both);
    const [was, sorted] = pass % 2 === 0 ? both : [both[1], both[0]];
    const order = pass === 0 && !fill ? undefined : placeOf(pass);
    const moved = placeOf(pass + 1);
    const read = isFirst ? { ...given, ...(order && { order }) } : { keys: was, carried: order };
    steps.run(isFirst ? `begin${i}` : `move-${as.type}`, { ...read, ...window, sorted, moved } as never, {
      n: items,
    });
  });
}
