/** The pipelines of a sort: each moves all items by one digit. */
import type { PipelineSource } from "@groupwise/core";
import {
  type Handles,
  type ParamType,
  param,
  pipeline,
  type Scatter,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { type ElementType, elementOf, standIn } from "../base/stand-in.ts";
import type { Key } from "./order.ts";
import { digitIn, SORT_KEYS, type Window } from "./windows.ts";

/** Parameters of a pass: its digit. */
export const WINDOW: Readonly<Record<keyof Window, ParamType<"u32">>> = {
  shift: /*@__PURE__*/ param(u32),
  mask: /*@__PURE__*/ param(u32),
};

/** Sorts keys, and values with them, by one digit, and converts keys from one form to another. */
export const moveItems = (from: Key, to: Key, values?: ElementType): PipelineSource => {
  const name = `sort-move-${[from.name, to.name, ...(values ? [values.type] : [])].join("-")}`;
  const signature = { keys: standIn(from.type), ...WINDOW };
  type Given = Handles<typeof signature>;
  const placeOf = ({ keys, shift, mask }: Given): U32Value =>
    digitIn(from.encode(keys), shift, mask).rank({ bins: SORT_KEYS });
  const sortedAt = ({ keys }: Given, place: U32Value): Scatter<"u32"> =>
    (from === to ? keys : to.decode(from.encode(keys))).scatter({ to: place });
  if (!values) return pipeline(name, signature, (given) => ({ sorted: sortedAt(given, placeOf(given)) }));
  return pipeline(name, { ...signature, carried: standIn(values) }, ({ carried, ...given }) => {
    const place = placeOf(given);
    return { sorted: sortedAt(given, place), moved: carried.scatter({ to: place }) };
  });
};

/** Bits become keys of a narrow type: passes move words, because items that share one cannot be written together. */
export const narrowKeys = (key: Key): PipelineSource =>
  pipeline(`sort-keys-${key.name}`, { bits: standIn(key.between.type) }, ({ bits }) => ({
    sorted: elementOf(key.type, key.decode(bits)),
  }));

/** Values become elements of a narrow type. */
export const narrowValues = (values: ElementType, wide: ElementType): PipelineSource =>
  pipeline(`sort-values-${values.type}`, { carried: standIn(wide) }, ({ carried }) => ({
    moved: elementOf(values, carried),
  }));
