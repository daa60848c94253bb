/**
 * A selection processes digits from the most significant one: counts determine the digit of the wanted key, and
 * the next round counts only keys with the same higher digits. Nothing moves.
 */
import type { PipelineSource } from "@groupwise/core";
import {
  type BoolValue,
  param,
  pipeline,
  table,
  type U32Value,
  type U64Value,
  u32,
  u64,
} from "@groupwise/dsl";
import { type ElementType, elementOf, standIn } from "../base/stand-in.ts";
import { countByDigit, countOf, DIGIT_BITS, DIGITS, GROUP_SIZE } from "./digit.ts";
import type { Key } from "./order.ts";
import { digitIn } from "./windows.ts";

const isWide = ({ as }: Key): boolean => (as.type as string) === "u64";

/** The initial state: only the rank of the wanted key is known. */
export const startSelection = (key: Key): PipelineSource =>
  pipeline(`select-start-${key.as.type}`, { nth: param(u32) }, ({ nth }) => ({
    known: isWide(key) ? u64(0n) : u32(0),
    rest: nth,
  }));

/** The number of keys of each work-group with each digit, among the keys with the known digits. */
export const countAgreeing = (key: Key): PipelineSource =>
  pipeline(
    `select-count-${key.name}`,
    { keys: standIn(key.type), known: table(key.as), shift: param(u32) },
    ({ keys, known, shift }, context) => {
      const bits = key.encode(keys);
      const above = (bits as U64Value)
        .xor(known.at(0) as unknown as U64Value)
        .shr(shift)
        .shr(DIGIT_BITS);
      return { ...countByDigit(digitIn(bits, shift, DIGITS - 1), context, above.toBool().not()) };
    },
    { workGroupSize: GROUP_SIZE },
  );

const groupsOf = (items: U32Value): U32Value => items.add(GROUP_SIZE - 1).div(GROUP_SIZE);
const cellsOf = (items: U32Value): U32Value => groupsOf(items).mul(DIGITS);

/** A cell for each digit of each work-group, ordered by digit: the number of keys that precede its own. */
export const addCounts: PipelineSource = pipeline(
  "select-offsets",
  { count0: table(u32), count1: table(u32), count2: table(u32), count3: table(u32), first: table(u32) },
  (counts, { index, size }) => {
    const groups = size().div(DIGITS);
    const digit = index().div(groups);
    const group = index().sub(digit.mul(groups));
    return { offsets: countOf(counts, digit, group).scanExclusive("add") };
  },
);

/** The number of cells for a number of items in device memory. */
export const countCells: PipelineSource = pipeline(
  "select-cells",
  { items: table(u32), at: param(u32), most: param(u32) },
  ({ items, at, most }) => ({ cells: cellsOf(items.at(at).min(most)) }),
);

/**
 * From the cells of digits and work-groups: the digit of the wanted key, and its rank among the keys with
 * that digit.
 */
export const chooseDigit = (key: Key): PipelineSource =>
  pipeline(
    `select-digit-${key.as.type}`,
    { offsets: u32, known: table(key.as), rest: table(u32), shift: param(u32) },
    ({ offsets, known, rest, shift }, { index, size }) => {
      // The keys below a digit are those before its first cell. The wanted digit is the last one with few
      // enough keys below it.
      const isFirst = index().rem(size().div(DIGITS)).eq(0);
      const fits = isFirst.and(offsets.le(rest.at(0)));
      const digit = fits.toU32().reduce("add").sub(1);
      const below = fits.select(offsets, 0).reduce("max");
      const own = (isWide(key) ? digit.toU64() : digit) as U32Value;
      return { knownNow: known.at(0).or(own.shl(shift)), restNow: rest.at(0).sub(below) };
    },
  );

/** The key itself. */
export const takeOne = (key: Key): PipelineSource =>
  pipeline(`select-take-${key.name}`, { known: table(key.as) }, ({ known }) => ({
    value: elementOf(key.type, key.decode(known.at(0))),
  }));

/** The items before the wanted one and the first ones equal to it, at most k: whether an item is one, its place among them, their number. */
function firstOf(key: Key, keys: U32Value, known: U32Value, rest: U32Value): First {
  const bits = key.encode(keys) as U32Value;
  const isLess = bits.lt(known);
  const isEqual = bits.eq(known);
  const less = isLess.toU32().scanWithTotal("add");
  const equal = isEqual.toU32().scanWithTotal("add");
  const room = rest.add(1);
  return {
    isFirst: isLess.or(isEqual.and(equal.before.lt(room))),
    before: less.before.add(equal.before.min(room)),
    count: less.total.add(equal.total.min(room)),
  };
}
interface First {
  readonly isFirst: BoolValue;
  /** The number of earlier items that are among them. */
  readonly before: U32Value;
  readonly count: U32Value;
}

const selected = (key: Key) => ({
  ...{ keys: standIn(key.type), known: table(key.as), rest: table(u32), k: param(u32) },
});

/** The first k items and their indexes. They keep their order. */
export const takeFirst = (key: Key): PipelineSource =>
  pipeline(`select-first-${key.name}`, selected(key), ({ keys, known, rest, k }, { index }) => {
    const { isFirst, before, count } = firstOf(key, keys, known.at(0), rest.at(0));
    const options = { to: before, where: isFirst, capacity: k };
    return {
      picked: elementOf(key.type, keys).scatter(options),
      places: index().scatter(options),
      count,
    };
  });

/** The first k items apart, and all items with the others behind the first k. They keep their order. */
export const partFirst = (key: Key, pairs: ElementType | undefined): PipelineSource => {
  const name = `select-part-${[key.name, ...(pairs ? [pairs.type] : [])].join("-")}`;
  const inputs = { ...selected(key), ...(pairs && { values: standIn(pairs) }) };
  return pipeline(name, inputs, ({ keys, known, rest, k, ...given }, { index }) => {
    const { isFirst, before, count } = firstOf(key, keys, known.at(0), rest.at(0));
    const first = { to: before, where: isFirst, capacity: k };
    const all = { to: isFirst.select(before, count.add(index()).sub(before)) };
    const own = elementOf(key.type, keys);
    const made = { picked: own.scatter(first), sorted: own.scatter(all), count };
    if (!pairs) return made;
    const carried = elementOf(pairs, (given as unknown as Record<"values", U32Value>).values);
    return { ...made, carried: carried.scatter(first), moved: carried.scatter(all) };
  });
};
