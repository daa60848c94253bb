/** Sorts of pairs, and the first of an order, beside the platform's stable sort. */
import { f32, i16, u32, u64 } from "@groupwise/dsl";
import { radixSort, selectNth, topK } from "@groupwise/primitives";
import { compare, indexes, itemsOf, pick } from "./order.ts";
import { type HostNumber, list, type PrimitiveSubject, type PrimitiveTrial } from "./subject.ts";

const TYPES = { f32, i16, u64 } as const;
type Type = keyof typeof TYPES;

interface Ranked {
  readonly keys: readonly HostNumber[];
  /** The places of the keys in their order. */
  readonly order: readonly number[];
  /** One to all of them. */
  readonly most: number;
}

/** @param least keys */
const ranked =
  (
    type: Type,
    descending: boolean,
    trial: (ranked: Ranked) => PrimitiveTrial,
    least: number = 0,
  ): PrimitiveSubject["trial"] =>
  (n, random) => {
    const keys = itemsOf(type, Math.max(n, least), random);
    const by = compare(type, "sorts", descending);
    const order = indexes(keys.length).sort((a, b) => by(keys[a] as HostNumber, keys[b] as HostNumber));
    return trial({ keys, order, most: random.int(1, Math.max(1, keys.length)) });
  };

const sorts = (type: Type, descending: boolean): PrimitiveSubject => ({
  name: `radix sort of pairs, ${type}${descending ? ", down" : ""}`,
  what: radixSort(TYPES[type] as typeof f32, { pairs: u32, descending }),
  types: { keys: type, values: "u32", sorted: type, moved: "u32" },
  trial: ranked(type, descending, ({ keys, order }) => ({
    given: { keys, values: list(keys.length, (i) => i) },
    want: { sorted: pick(keys, order), moved: order },
  })),
});

const firsts = (type: Type, descending: boolean): PrimitiveSubject => ({
  name: `top k, ${type}${descending ? ", down" : ""}`,
  what: topK(TYPES[type] as typeof f32, { descending }),
  types: { keys: type, top: type, from: "u32", count: "u32" },
  trial: ranked(type, descending, ({ keys, order, most }) => {
    const from = order.slice(0, most);
    return {
      given: { keys },
      numbers: { k: most },
      want: { top: pick(keys, from), from, count: [from.length] },
    };
  }),
});

const ones = (type: Type, descending: boolean): PrimitiveSubject => ({
  name: `n-th, ${type}${descending ? ", down" : ""}`,
  what: selectNth(TYPES[type] as typeof f32, { descending }),
  types: { keys: type, value: type },
  trial: ranked(
    type,
    descending,
    ({ keys, order, most }) => ({
      given: { keys },
      numbers: { nth: most - 1 },
      want: { value: pick(keys, order.slice(most - 1, most)) },
    }),
    1,
  ),
});

export const RANKS: readonly PrimitiveSubject[] = [
  sorts("f32", false),
  sorts("u64", true),
  sorts("i16", false),
  firsts("f32", true),
  firsts("u64", false),
  firsts("i16", false),
  ones("f32", false),
  ones("i16", true),
];
