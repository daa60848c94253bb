import type { DeviceArray, DeviceCount, PipelineSource, Scalar } from "@groupwise/core";
import { BOOLEAN, errorOf, NUMBER, optionsOf, required, requireType } from "@groupwise/core/target";
import { type ScalarType, u32 } from "@groupwise/dsl";
import { type Primitive, primitive, type Steps } from "../base/primitive.ts";
import { countingOf } from "./counting.ts";
import { DIGIT_BITS } from "./digit.ts";
import { type Key, keyOf } from "./order.ts";
import { sortPipelines, sortSteps } from "./radix-sort.ts";
import {
  addCounts,
  chooseDigit,
  countAgreeing,
  countCells,
  startSelection,
  takeFirst,
  takeOne,
} from "./select-pipelines.ts";

/** The direction of the order. */
export interface SelectOptions {
  /** Larger keys first; NaNs are still last. */
  readonly descending?: boolean;
}

/** The rank of the item: 0 for the first in sorted order. */
export type SelectNumbers = { readonly nth: number };
/** The number of items. */
export type TopNumbers = { readonly k: number };

/**
 * The item with a given rank in sorted order, without sorting: the median, a quantile.
 *
 * `keys`: n items. `value`: one element, element `nth` of the result of `radixSort`. If a count on the device
 * is too small for it, the value is undefined. A pass over the keys for each four bits of their type. Errors:
 * `bad-usage` for a rank outside n.
 *
 * Source: Alabi and others, "Fast k-selection algorithms for graphics processing units" (2012), radix select.
 */
export function selectNth<S extends Scalar>(
  type: ScalarType<S>,
  options?: SelectOptions,
): Primitive<{ readonly keys: S }, { readonly value: S }, SelectNumbers> {
  const key = keyFor("selectNth", type, options);
  const name = `select-nth-${key.name}`;
  return primitive(name, {
    inputs: { keys: type.type },
    outputs: { value: type.type },
    pipelines: { ...selectPipelines(key), take: takeOne(key) },
    numbers: { nth: required(NUMBER) },
    lengths: () => ({ value: 1 }),
    steps: (steps, { keys, value }, { items, n }, { nth }) => {
      checkWhole(name, "nth", nth, 0, n - 1);
      const { known } = selectSteps(steps, { key, keys, items, n, nth });
      steps.run("take", { known, value }, { n: 1 });
    },
  });
}

/**
 * The first k items of the sorted order, in that order, and their indexes: the k smallest, or the largest
 * with `descending`. Of equal items the first ones are taken.
 *
 * `keys`: n items. `top`, `from`: min(k, n) elements, of which `count[0]` are valid (all, if the host knows
 * n). A pass over the keys for each four bits of their type, one that selects the k items, and a sort of those.
 * Errors: `bad-usage` for a k below 1.
 */
export function topK<S extends Scalar>(
  type: ScalarType<S>,
  options?: SelectOptions,
): Primitive<
  { readonly keys: S },
  { readonly top: S; readonly from: "u32"; readonly count: "u32" },
  TopNumbers
> {
  const key = keyFor("topK", type, options);
  const name = `top-k-${key.name}`;
  return primitive(name, {
    inputs: { keys: type.type },
    outputs: { top: type.type, from: "u32", count: "u32" },
    pipelines: { ...sortPipelines(key, u32), ...selectPipelines(key), first: takeFirst(key) },
    numbers: { k: required(NUMBER) },
    lengths: ({ keys }, { k }) => {
      checkWhole(name, "k", k, 1, 2 ** 32 - 1);
      return { top: Math.min(k, keys), from: Math.min(k, keys), count: 1 };
    },
    counts: { top: "count", from: "count" },
    steps: (steps, { keys, top, from, count }, { items, n }, { k }) => {
      checkWhole(name, "k", k, 1, 2 ** 32 - 1);
      const most = Math.min(k, n);
      const first = { picked: steps.array(type.type, most), places: steps.array("u32", most) };
      const state = selectSteps(steps, { key, keys, items, n, nth: k - 1 });
      steps.run("first", { keys, ...state, k: most, ...first, count }, { n: items });
      const arrays = { keys: first.picked, values: first.places, sorted: top, moved: from };
      sortSteps(steps, {
        key,
        arrays,
        items: typeof items === "number" ? most : { count, max: most },
        n: most,
      });
    },
  });
}

function keyFor(what: string, type: { readonly type: Scalar }, options: unknown): Key {
  requireType(what, type);
  const { descending = false } = optionsOf(options, { descending: BOOLEAN }, `the options of ${what}`);
  return keyOf(type, descending as boolean);
}

type SelectPipelines = ReturnType<typeof selectPipelines>;
interface Selected {
  /** Bits of the wanted key. */
  readonly known: DeviceArray;
  /** The number of equal keys that precede it. */
  readonly rest: DeviceArray;
}

function selectPipelines(
  key: Key,
): Record<"cells" | "start" | "agreeing" | "offsets" | "choose", PipelineSource> {
  return {
    cells: countCells,
    start: startSelection(key),
    agreeing: countAgreeing(key),
    offsets: addCounts,
    choose: chooseDigit(key),
  };
}

/** The items of a selection, and the place to select. */
interface Selection {
  readonly key: Key;
  readonly keys: DeviceArray;
  readonly items: number | DeviceCount;
  readonly n: number;
  readonly nth: number;
}

/** Finds the key with a rank in sorted order, one digit in each round. */
function selectSteps(steps: Steps<SelectPipelines>, { key, keys, items, n, nth }: Selection): Selected {
  const { counts, offsets, cells } = countingOf(steps, items, n);
  const make = (): Selected => ({
    known: steps.array(key.between.type.type, 1),
    rest: steps.array("u32", 1),
  });
  let [state, other] = [make(), make()];
  steps.run("start", { nth, ...state }, { n: 1 });
  for (let pass = Math.ceil(key.bits / DIGIT_BITS) - 1; pass >= 0; pass--) {
    const shift = pass * DIGIT_BITS;
    steps.run("agreeing", { keys, known: state.known, shift, ...counts }, { n: items });
    const now = { knownNow: other.known, restNow: other.rest };
    steps.run("offsets", { ...counts, offsets }, { n: cells });
    steps.run("choose", { offsets, ...state, shift, ...now }, { n: cells });
    [state, other] = [other, state];
  }
  return state;
}

function checkWhole(name: string, what: string, got: number, from: number, to: number): void {
  if (Number.isInteger(got) && got >= from && got <= to) return;
  const reason = `${what} is ${JSON.stringify(String(got))}`;
  const hint = from <= to ? `use a whole number from ${from} to ${to}` : "the range has no items";
  throw errorOf("bad-usage", { reason, hint }, name);
}
