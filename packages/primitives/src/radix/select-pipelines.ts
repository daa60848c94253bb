/**
 * A selection processes digits from the most significant one: counts determine the digit of the wanted key, and
 * the next round counts only keys with the same higher digits. Nothing moves.
 */
import type { PipelineSource } from "@groupwise/core";
import {
  param,
  pipeline,
  type ScalarType,
  table,
  type U32Value,
  type U64Value,
  u32,
  u64,
} from "@groupwise/dsl";
import { standIn } from "../base/stand-in.ts";
import { countByDigit, countOf, DIGIT_BITS, DIGITS, GROUP_SIZE } from "./digit.ts";
import type { Key } from "./order.ts";
import { digitOf } from "./pipelines.ts";

const isWide = (key: Key): boolean => key.between.type.type === "u64";
const bitsType = (key: Key): ScalarType<"u32"> => standIn(key.between.type);

/** The initial state: only the rank of the wanted key is known. */
export const startSelection = (key: Key): PipelineSource =>
  pipeline(`select-start-${key.between.name}`, { nth: param(u32) }, ({ nth }) => ({
    known: isWide(key) ? u64(0n) : u32(0),
    rest: nth,
  }));

/** The number of keys of each work-group with each digit, among the keys with the known digits. */
export const countAgreeing = (key: Key): PipelineSource =>
  pipeline(
    `select-count-${key.name}`,
    { keys: standIn(key.type), known: table(bitsType(key)), shift: param(u32) },
    ({ keys, known, shift }, context) => {
      const bits = key.encode(keys);
      const above = (bits as U64Value)
        .xor(known.at(0) as unknown as U64Value)
        .shr(shift)
        .shr(DIGIT_BITS);
      return { ...countByDigit(digitOf(bits, shift, DIGITS), context, above.toBool().not()) };
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
    `select-digit-${key.between.name}`,
    { offsets: u32, known: table(bitsType(key)), rest: table(u32), shift: param(u32) },
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
  pipeline(`select-take-${key.name}`, { known: table(bitsType(key)) }, ({ known }) => ({
    value: key.decode(known.at(0)),
  }));

/** The keys before the wanted one, and the first keys equal to it. They keep their order. */
export const takeFirst = (key: Key): PipelineSource =>
  pipeline(
    `select-first-${key.name}`,
    { keys: standIn(key.type), known: table(bitsType(key)), rest: table(u32), k: param(u32) },
    ({ keys, known, rest, k }, { index }) => {
      const [bits, wanted] = [key.encode(keys) as U32Value, known.at(0)];
      const isLess = bits.lt(wanted);
      const isEqual = bits.eq(wanted);
      const less = isLess.toU32().scanWithTotal("add");
      const equal = isEqual.toU32().scanWithTotal("add");
      const room = rest.at(0).add(1);
      const where = isLess.or(isEqual.and(equal.before.lt(room)));
      const to = less.before.add(equal.before.min(room));
      const count = less.total.add(equal.total.min(room));
      const options = { to, where, capacity: k };
      return { picked: keys.scatter(options), places: index().scatter(options), count };
    },
  );
