/** The steps of a sort of keys, and of values with them. */
import type { ArrayType, DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import { isNarrow } from "@groupwise/core/target";
import type { Steps } from "../base/primitive.ts";
import { type ElementType, wideOf } from "../base/stand-in.ts";
import type { Key } from "./order.ts";
import { moveItems, narrowKeys, narrowValues } from "./pipelines.ts";
import { windowsOf } from "./windows.ts";

type SortArrays = { readonly [K in "keys" | "sorted"]: DeviceArray } & {
  readonly [K in "values" | "moved"]?: DeviceArray;
};
export type SortPipelines = Readonly<
  Record<"moveFirst" | "move" | "moveLast" | "narrowKeys" | "narrowValues", PipelineSource>
>;

/** The forms of keys between passes and after the last. */
function formsOf(key: Key): { readonly between: Key; readonly last: Key } {
  const { between } = key;
  return { between, last: isNarrow(key.type.type) ? between : key };
}

/** Equal pipelines are compiled once: where keys have one form, all passes are equal. */
export function sortPipelines(key: Key, pairs: ElementType | undefined): SortPipelines {
  const { between, last } = formsOf(key);
  const wide = pairs && wideOf(pairs);
  const made = {
    moveFirst: moveItems(key, between, pairs),
    move: moveItems(between, between, wide),
    moveLast: moveItems(between, last, wide),
    ...(last !== key && { narrowKeys: narrowKeys(key) }),
    ...(pairs && wide !== pairs && { narrowValues: narrowValues(pairs, wide as ElementType) }),
  };
  return made as SortPipelines;
}

/** The items to sort, and the bits of the key to sort by. */
export interface SortedArrays {
  readonly key: Key;
  readonly arrays: SortArrays;
  readonly items: number | DeviceCount;
  readonly n: number;
  readonly begin?: number;
  readonly end?: number;
  /** The name of the pipeline of every pass, where one pipeline serves all, as for u32. */
  readonly move?: string;
}

/** The steps of a sort of n items. */
export function sortSteps(
  steps: Steps<SortPipelines>,
  { key, arrays, items, n, begin = 0, end = key.bits, move }: SortedArrays,
): void {
  const { between, last } = formsOf(key);
  const { values, moved } = arrays;
  // Keys with another form between passes need a first pass that converts them, and a last pass that converts them back.
  const windows = windowsOf(begin, end, between === last ? 1 : 2);
  const passes = windows.length;
  const own = last === key ? arrays.sorted : steps.array(between.type.type, n);
  const keys = placesOf(steps, { passes, n, from: arrays.keys, to: own, between: between.type.type });
  const wide = values && wideOf(values);
  const held =
    values && moved && (wide?.type === values.type ? moved : steps.array(wide?.type as ArrayType, n));
  const carried =
    values && held && placesOf(steps, { passes, n, from: values, to: held, between: held.type });
  windows.forEach((window, pass) => {
    const own = pass === 0 ? "moveFirst" : pass === passes - 1 ? "moveLast" : "move";
    const both = carried && { carried: carried(pass), moved: carried(pass + 1) };
    steps.run(
      (move as "move") ?? own,
      { keys: keys(pass), sorted: keys(pass + 1), ...window, ...both },
      { n: items },
    );
  });
  if (own !== arrays.sorted) steps.run("narrowKeys", { bits: own, sorted: arrays.sorted }, { n: items });
  if (moved && held !== moved)
    steps.run("narrowValues", { carried: held as DeviceArray, moved }, { n: items });
}

/** The passes of a sort, and the arrays between them. */
interface PassPlaces {
  readonly passes: number;
  readonly n: number;
  readonly from: DeviceArray;
  readonly to: DeviceArray;
  readonly between: ArrayType;
}

/**
 * The arrays of the items before each pass and after the last: they alternate so that the items end in the
 * output.
 */
function placesOf(
  steps: Pick<Steps<SortPipelines>, "array">,
  { passes, n, from, to, between }: PassPlaces,
): (pass: number) => DeviceArray {
  const isSame = to.type === between;
  const own = passes > 1 ? steps.array(between, n) : to;
  const other = passes > 2 && !isSame ? steps.array(between, n) : to;
  return (pass) => {
    if (pass === 0) return from;
    if (pass === passes) return to;
    return (passes - pass) % 2 === 1 ? own : other;
  };
}
