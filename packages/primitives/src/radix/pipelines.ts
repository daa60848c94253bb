/**
 * The three pipelines of a round: count digits by work-group, scan, move. They are stable: an item's slot is
 * the number of smaller digits, plus its digit's count in earlier work-groups, plus its rank in its own
 * work-group. Source: M. Zagha and G. E. Blelloch, "Radix sort for vector multiprocessors" (1991).
 */
import type { PipelineSource } from "@groupwise/core";
import {
  type AnyScalarType,
  type Context,
  type Handles,
  param,
  pipeline,
  type Scatter,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { standIn } from "../base/stand-in.ts";
import { countByDigit, countOf, DIGITS, GROUP_SIZE, rankByDigit } from "./digit.ts";
import type { Bits, Key } from "./order.ts";

const OPTIONS = { workGroupSize: GROUP_SIZE } as const;

/** The digit of a key at a place, in bits from the lowest. */
export const digitOf = (bits: Bits, shift: U32Value): U32Value =>
  bits
    .shr(shift)
    .toU32()
    .and(DIGITS - 1);

const groupsOf = (items: U32Value): U32Value => items.add(GROUP_SIZE - 1).div(GROUP_SIZE);
const cellsOf = (items: U32Value): U32Value => groupsOf(items).mul(DIGITS);

/** The number of keys of each work-group with each digit. */
export const countDigits = (key: Key): PipelineSource =>
  pipeline(
    `sort-count-${key.name}`,
    { keys: standIn(key.type), shift: param(u32) },
    ({ keys, shift }, context) => ({ ...countByDigit(digitOf(key.encode(keys), shift), context) }),
    OPTIONS,
  );

/** A cell for each digit of each work-group, ordered by digit: the number of keys that precede its own. */
export const addCounts: PipelineSource = pipeline(
  "sort-offsets",
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
  "sort-cells",
  { items: table(u32), at: param(u32), most: param(u32) },
  ({ items, at, most }) => ({ cells: cellsOf(items.at(at).min(most)) }),
);

/** Moves keys, and values with them, by one digit, and converts keys from one form to another. */
export const moveItems = (from: Key, to: Key, values?: AnyScalarType): PipelineSource => {
  const name = `sort-move-${[from.name, to.name, ...(values ? [values.type] : [])].join("-")}`;
  const signature = { keys: standIn(from.type), shift: param(u32), offsets: table(u32) };
  type Given = Handles<typeof signature>;
  const placeOf = ({ keys, shift, offsets }: Given, context: Context): U32Value => {
    const digit = digitOf(from.encode(keys), shift);
    const cell = digit.mul(groupsOf(context.size())).add(context.groupIndex());
    return offsets.at(cell).add(rankByDigit(digit));
  };
  const sortedAt = ({ keys }: Given, place: U32Value): Scatter<"u32"> =>
    to.decode(from.encode(keys)).scatter({ to: place });
  return values
    ? pipeline(
        name,
        { ...signature, carried: standIn(values) },
        ({ carried, ...given }, context) => {
          const place = placeOf(given, context);
          return { sorted: sortedAt(given, place), moved: carried.scatter({ to: place }) };
        },
        OPTIONS,
      )
    : pipeline(
        name,
        signature,
        (given, context) => ({ sorted: sortedAt(given, placeOf(given, context)) }),
        OPTIONS,
      );
};
