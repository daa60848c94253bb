/** Pipelines of sorts, and of the counts of selections. */
import type { PipelineSource } from "@groupwise/core";
import {
  type AnyScalarType,
  type Handles,
  param,
  pipeline,
  type Scatter,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { standIn } from "../base/stand-in.ts";
import { countOf, DIGITS, GROUP_SIZE } from "./digit.ts";
import type { Bits, Key } from "./order.ts";

/** Bits by which one step of a sort moves items: as many keys as a stable rank takes. */
export const SORT_BITS = 8;
const SORT_KEYS = 2 ** SORT_BITS;

/** The digit of a key at a place, in bits from the lowest. @param digits a power of two */
export const digitOf = (bits: Bits, shift: U32Value, digits: number): U32Value =>
  bits
    .shr(shift)
    .toU32()
    .and(digits - 1);

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

/** Moves keys, and values with them, by one digit, and converts keys from one form to another. */
export const moveItems = (from: Key, to: Key, values?: AnyScalarType): PipelineSource => {
  const name = `sort-move-${[from.name, to.name, ...(values ? [values.type] : [])].join("-")}`;
  const signature = { keys: standIn(from.type), shift: param(u32) };
  type Given = Handles<typeof signature>;
  const placeOf = ({ keys, shift }: Given): U32Value =>
    digitOf(from.encode(keys), shift, SORT_KEYS).rank({ bins: SORT_KEYS });
  const sortedAt = ({ keys }: Given, place: U32Value): Scatter<"u32"> =>
    to.decode(from.encode(keys)).scatter({ to: place });
  if (!values) return pipeline(name, signature, (given) => ({ sorted: sortedAt(given, placeOf(given)) }));
  return pipeline(name, { ...signature, carried: standIn(values) }, ({ carried, ...given }) => {
    const place = placeOf(given);
    return { sorted: sortedAt(given, place), moved: carried.scatter({ to: place }) };
  });
};
