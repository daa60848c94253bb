/** The pipelines of a sort: each moves all items by one digit. */
import type { PipelineSource } from "@groupwise/core";
import {
  type AnyScalarType,
  type Handles,
  param,
  pipeline,
  type Scatter,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { standIn } from "../base/stand-in.ts";
import type { Bits, Key } from "./order.ts";

/** Bits of the digit of one step: a stable rank supports that many keys. */
export const SORT_BITS = 8;
const SORT_KEYS = 2 ** SORT_BITS;

/** The digit of a key at a place, in bits from the lowest. @param digits a power of two */
export const digitOf = (bits: Bits, shift: U32Value, digits: number): U32Value =>
  bits
    .shr(shift)
    .toU32()
    .and(digits - 1);

/** Sorts keys, and values with them, by one digit, and converts keys from one form to another. */
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
