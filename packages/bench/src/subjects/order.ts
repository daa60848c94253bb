/** Sorts, searches, merges and histograms by range, and what plain loops and the platform's sort make of the same items. */
import type { ArrayType } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { bf16, bool, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 } from "@groupwise/dsl";
import {
  argsort,
  histogram,
  histogramEdges,
  lexSort,
  merge,
  partialSort,
  type SearchOptions,
  searchSorted,
  segmentedSort,
  setDifference,
  setIntersection,
  setSymmetricDifference,
  setUnion,
} from "@groupwise/primitives";
import type { Random } from "@groupwise/testkit";
import {
  arrayOf,
  type HostNumber,
  list,
  offsetsOf,
  type PrimitiveSubject,
  type PrimitiveTrial,
  sizesOf,
} from "./subject.ts";

const TYPES = { i32, u32, i64, u64, f16, f32, f64, bool, i8, u8, i16, u16, bf16 } as const;
const { NaN: NONE, POSITIVE_INFINITY: INFINITY, NEGATIVE_INFINITY } = Number;
const FLOATS = [NONE, 0, -0, 1.5, -1.5, INFINITY, NEGATIVE_INFINITY, 2 ** -24, 1];
/** Values of which many are equal, with both zeros and NaN. */
const pool = (type: ArrayType): readonly HostNumber[] => {
  if (type === "bool") return [0, 1];
  const { toHost } = arraySpec(type);
  if (type.includes("f")) return FLOATS.map(toHost);
  const wide = type.endsWith("64");
  return [...arrayOf(type, wide ? [0n, 1n, -1n, 2n ** 63n, 7n] : [0, 1, -1, 2 ** 31, 7])] as HostNumber[];
};

/** Any elements of a type; NaNs have one payload, where elements are bits. */
export function anyOf(type: ArrayType, n: number, random: Random): HostNumber[] {
  if (type === "bool") return list(n, () => random.int(0, 1));
  const { array, toHost, fromHost } = arraySpec(type);
  const made = new array(n);
  const bytes = new Uint8Array(made.buffer);
  bytes.forEach((_, i) => {
    bytes[i] = random.bits() & 255;
  });
  return Array.from(made as ArrayLike<HostNumber>, (one) => toHost(fromHost(one) as never) as HostNumber);
}

/** All distinct or nearly so, few distinct, or all equal. */
export function itemsOf(type: ArrayType, n: number, random: Random): HostNumber[] {
  if (random.chance(0.4)) return anyOf(type, n, random);
  const values = pool(type);
  const one = random.pick(values);
  return random.chance(0.25) ? list(n, () => one) : list(n, () => random.pick(values));
}

export type Compare = (a: HostNumber, b: HostNumber) => number;
type Order = "sorts" | "values";
/** The order of sorts, where -0 precedes +0, or that of values, where they are equal. NaNs are last, and equal. */
export function compare(type: ArrayType, order: Order, descending: boolean = false): Compare {
  const { fromHost } = arraySpec(type);
  const isZero = (x: unknown): number => (Object.is(x, -0) ? 0 : 1);
  return (one, other) => {
    const [a, b] = [fromHost(one), fromHost(other)] as [number, number];
    const nones = Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    if (nones !== 0 || Number.isNaN(a)) return nones;
    const sign = descending ? -1 : 1;
    if (a !== b) return a < b ? -sign : sign;
    return order === "sorts" ? sign * (isZero(a) - isZero(b)) : 0;
  };
}

type Bits = { readonly beginBit: number; readonly endBit: number };
/** A range of the bits of a type, of which one in a few has no bits. */
export function someBits(type: ArrayType, random: Random): Bits {
  const bits = 8 * arraySpec(type).hostBytes;
  const [a, b] = [random.int(0, bits), random.pick([0, bits, random.int(0, bits)])];
  return { beginBit: Math.min(a, b), endBit: Math.max(a, b) };
}

/** The order by some bits of a key's number among all keys of its type; that of a NaN is the last in either direction. */
export function compareBits(type: ArrayType, descending: boolean, { beginBit, endBit }: Bits): Compare {
  const numberOf = (key: HostNumber): bigint => {
    const bytes = new Uint8Array(arrayOf(type, [key]).buffer);
    const bits = bytes.reduceRight((all, byte) => all * 256n + BigInt(byte), 0n);
    const half = 2n ** BigInt(8 * bytes.length - 1);
    const last = 2n * half - 1n;
    if (Number.isNaN(arraySpec(type).fromHost(key))) return last;
    const isNegative = bits >= half && !type.startsWith("u");
    // Floats are a sign and a size, integers are modulo 2^bits.
    const negative = type.includes("f") ? last - bits : bits - half;
    const up = isNegative ? negative : type.startsWith("u") ? bits : bits + half;
    return descending ? last - up : up;
  };
  const digit = (key: HostNumber): number | bigint =>
    (numberOf(key) / 2n ** BigInt(beginBit)) % 2n ** BigInt(endBit - beginBit);
  return (a, b) => (digit(a) < digit(b) ? -1 : digit(a) > digit(b) ? 1 : 0);
}

export const pick = (x: readonly HostNumber[], places: readonly number[]): HostNumber[] =>
  places.map((i) => x[i] as HostNumber);
export const indexes = (n: number): number[] => list(n, (i) => i);
const tag = (type: ArrayType, descending: boolean): string => `${type}${descending ? ", down" : ""}`;

const argsorts = (type: ArrayType, descending = false): PrimitiveSubject => ({
  name: `argsort ${tag(type, descending)}`,
  what: argsort(TYPES[type], { descending }),
  types: { keys: type, order: "u32" },
  trial: (n, random) => {
    const keys = itemsOf(type, n, random);
    const by = compare(type, "sorts", descending);
    return {
      given: { keys },
      want: { order: indexes(n).sort((a, b) => by(keys[a] as HostNumber, keys[b] as HostNumber)) },
    };
  },
});

const LEX = { first: "u8", second: "f32", third: "i64" } as const;
const lexSorts: PrimitiveSubject = {
  name: "lexicographic sort of u8, f32 down and i64",
  what: lexSort({ first: u8, second: f32, third: i64 }, { descending: ["second"] }),
  types: { ...LEX, order: "u32" },
  trial: (n, random) => {
    const given = {
      first: list(n, () => random.int(0, 2)),
      second: itemsOf("f32", n, random),
      third: list(n, () => BigInt(random.int(-1, 1))),
    };
    const by = Object.entries(LEX).map(([name, type]) => {
      const own = compare(type, "sorts", name === "second");
      const keys: readonly HostNumber[] = given[name as keyof typeof given];
      return (a: number, b: number) => own(keys[a] as HostNumber, keys[b] as HostNumber);
    });
    const order = indexes(n).sort((a, b) => by.reduce((found, own) => found || own(a, b), 0));
    return { given, want: { order } };
  },
};

/** Sizes in parts of at most `longest`. */
const inParts = (sizes: readonly number[], longest: number): number[] =>
  sizes.flatMap((size) => [...list(Math.floor(size / longest), () => longest), size % longest]);

const segments = (
  type: ArrayType,
  pairs?: ArrayType,
  descending = false,
  { longest, byBits }: { readonly longest?: number; readonly byBits?: boolean } = {},
): PrimitiveSubject => ({
  name: `segmented sort ${tag(type, descending)}${pairs ? ` with ${pairs}` : ""}${longest ? `, at most ${longest}` : ""}${byBits ? ", by some bits" : ""}`,
  what: segmentedSort(TYPES[type], {
    ...{ descending, ...(pairs && { pairs: TYPES[pairs] }), ...(longest && { longest }) },
  } as never),
  types: { keys: type, values: pairs ?? "u32", offsets: "u32", sorted: type, moved: pairs ?? "u32" },
  trial: (n, random) => {
    // What a bit for each item shows of segments depends on words of 32 items.
    const sizes = random.chance(0.3) ? inParts([n], random.pick([31, 32, 33, 64, 65])) : sizesOf(n, random);
    const all = offsetsOf(longest ? inParts(sizes, longest) : sizes);
    // Items before the first segment and after the last stay.
    const offsets = all.slice(random.chance(0.3) ? 1 : 0, random.chance(0.3) ? -1 : undefined);
    // Some of any bits are often equal.
    const keys = byBits ? anyOf(type, n, random) : itemsOf(type, n, random);
    const values = pairs && anyOf(pairs, n, random);
    const numbers = byBits ? someBits(type, random) : undefined;
    const by = numbers ? compareBits(type, descending, numbers) : compare(type, "sorts", descending);
    const order = indexes(n);
    offsets.slice(1).forEach((to, s) => {
      const from = offsets[s] as number;
      const own = order.slice(from, to).sort((a, b) => by(keys[a] as HostNumber, keys[b] as HostNumber));
      order.splice(from, own.length, ...own);
    });
    return {
      given: { keys, offsets, ...(values && { values }) },
      ...(numbers && { numbers }),
      want: { sorted: pick(keys, order), ...(values && { moved: pick(values, order) }) },
    };
  },
});

const parts = (type: ArrayType, pairs?: ArrayType, descending = false): PrimitiveSubject => ({
  name: `partial sort ${tag(type, descending)}${pairs ? ` with ${pairs}` : ""}`,
  what: partialSort(TYPES[type], { descending, ...(pairs && { pairs: TYPES[pairs] }) } as never),
  types: { keys: type, values: pairs ?? "u32", sorted: type, moved: pairs ?? "u32" },
  trial: (n, random) => {
    const k = random.pick([1, 2, Math.max(1, n >> 1), n + 1]);
    const keys = itemsOf(type, n, random);
    const values = pairs && anyOf(pairs, n, random);
    const by = compare(type, "sorts", descending);
    const first = indexes(n)
      .sort((a, b) => by(keys[a] as HostNumber, keys[b] as HostNumber))
      .slice(0, k);
    const isFirst = new Set(first);
    const order = [...first, ...indexes(n).filter((i) => !isFirst.has(i))];
    return {
      given: { keys, ...(values && { values }) },
      numbers: { k },
      want: { sorted: pick(keys, order), ...(values && { moved: pick(values, order) }) },
    };
  },
});

const sortedOf = (type: ArrayType, n: number, random: Random, descending = false): HostNumber[] =>
  itemsOf(type, n, random).sort(compare(type, random.pick(["sorts", "values"]), descending));

const twoSorted = (
  type: ArrayType,
  n: number,
  random: Random,
  descending: boolean,
): [HostNumber[], HostNumber[]] => [
  sortedOf(type, n, random, descending),
  sortedOf(type, random.pick([0, 1, 255, 257, n]), random, descending),
];

const searches = (type: ArrayType, options: SearchOptions = {}): PrimitiveSubject => ({
  name: `search ${tag(type, !!options.descending)}, ${options.bound ?? "lower"}${options.most ? `, ${options.most}` : ""}`,
  what: searchSorted(TYPES[type], options),
  types: { x: type, sorted: type, places: "u32" },
  trial: (n, random) => {
    const sorted = sortedOf(type, random.pick([0, 1, 2, 255, 256, 700]), random, options.descending);
    const x = itemsOf(type, n, random);
    const by = compare(type, "values", options.descending);
    const isBefore = (y: HostNumber, value: HostNumber): boolean =>
      options.bound === "upper" ? by(y, value) <= 0 : by(y, value) < 0;
    const searched = sorted.slice(0, options.most);
    const places = x.map((value) => searched.filter((y) => isBefore(y, value)).length);
    return { given: { x, sorted }, want: { places } };
  },
});

const merges = (type: ArrayType, pairs?: ArrayType, descending = false): PrimitiveSubject => ({
  name: `merge ${tag(type, descending)}${pairs ? ` with ${pairs}` : ""}`,
  what: merge(TYPES[type], { descending, ...(pairs && { pairs: TYPES[pairs] }) } as never),
  types: {
    ...{ a: type, b: type, merged: type },
    ...{ valuesA: pairs ?? "u32", valuesB: pairs ?? "u32", moved: pairs ?? "u32" },
  },
  trial: (n, random) => {
    const [a, b] = twoSorted(type, n, random, descending);
    const keys = [...a, ...b];
    const values = pairs && anyOf(pairs, keys.length, random);
    const by = compare(type, "values", descending);
    const order = indexes(keys.length).sort((i, j) => by(keys[i] as HostNumber, keys[j] as HostNumber));
    return {
      given: { a, b, ...(values && { valuesA: values.slice(0, n), valuesB: values.slice(n) }) },
      want: { merged: pick(keys, order), ...(values && { moved: pick(values, order) }) },
    };
  },
});

/** As `std::set_union` and the others: two places that move on. */
function combined(
  kind: string,
  a: readonly HostNumber[],
  b: readonly HostNumber[],
  by: Compare,
): HostNumber[] {
  const [onlyA, onlyB, inBoth] = {
    union: [true, true, true],
    intersection: [false, false, true],
    difference: [true, false, false],
    "symmetric difference": [true, true, false],
  }[kind] as [boolean, boolean, boolean];
  const result: HostNumber[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const sign = i === a.length ? 1 : j === b.length ? -1 : by(a[i] as HostNumber, b[j] as HostNumber);
    if (sign < 0 ? onlyA : sign > 0 ? onlyB : inBoth) result.push((sign <= 0 ? a[i] : b[j]) as HostNumber);
    if (sign <= 0) i++;
    if (sign >= 0) j++;
  }
  return result;
}

const sets = (
  kind: string,
  type: ArrayType,
  make: typeof setUnion,
  descending = false,
): PrimitiveSubject => ({
  name: `set ${kind} ${tag(type, descending)}`,
  what: make(TYPES[type], { descending }),
  types: { a: type, b: type, result: type, count: "u32" },
  trial: (n, random) => {
    const [a, b] = twoSorted(type, n, random, descending);
    const result = combined(kind, a, b, compare(type, "values", descending));
    return { given: { a, b }, want: { result, count: [result.length] } };
  },
});

/** Counts by a loop. @param binOf the bin of an item between the first and the last edge */
function counted(
  x: readonly unknown[],
  [first, last, bins]: readonly [unknown, unknown, number],
  binOf: (value: number) => number,
): PrimitiveTrial["want"] {
  const counts = list(bins, () => 0);
  const found = { below: 0, above: 0, nans: 0 };
  for (const value of x as readonly number[]) {
    if (Number.isNaN(value)) found.nans++;
    else if (value < (first as number)) found.below++;
    else if (value > (last as number)) found.above++;
    else (counts[Math.min(binOf(value), bins - 1)] as number)++;
  }
  return { counts, below: [found.below], above: [found.above], nans: [found.nans] };
}

const RANGE_TYPES = { counts: "u32", below: "u32", above: "u32", nans: "u32" } as const;
const ranges = (
  type: Exclude<ArrayType, "bool">,
  range: { readonly from: number | bigint; readonly to: number | bigint; readonly bins: number },
): PrimitiveSubject => ({
  name: `histogram of ${type} from ${range.from} to ${range.to} in ${range.bins}`,
  what: histogram(TYPES[type], range as never),
  types: { x: type, ...RANGE_TYPES },
  trial: (n, random) => {
    const { from, to, bins } = range;
    const { toHost, fromHost } = arraySpec(type);
    const near = (): HostNumber => {
      if (typeof from === "bigint") return from + BigInt(random.int(-1, Number((to as bigint) - from) + 1));
      const extent = (to as number) - from;
      const at = random.chance(0.3) ? random.int(0, bins) / bins : random.unit() * 1.2 - 0.1;
      const value = from + at * extent;
      return toHost((type.includes("f") ? value : Math.round(value)) as never) as HostNumber;
    };
    const drawn = list(n, () => (random.chance(0.2) ? random.pick(pool(type)) : near()));
    const x = [...arrayOf(type, drawn)] as HostNumber[];
    const round = type === "f64" ? (y: number) => y : Math.fround;
    const isFloat = type.includes("f");
    const [first, last] = isFloat ? [round(from as number), round(to as number)] : [from, to];
    const binOf = (value: number): number => {
      const [from32, to32] = [first as number, last as number];
      if (isFloat) return Math.floor(round(round(value - from32) * round(bins / round(to32 - from32))));
      return Number(((BigInt(value) - BigInt(from)) * BigInt(bins)) / (BigInt(to) - BigInt(from)));
    };
    const values = x.map((one) => fromHost(one));
    return { given: { x }, want: counted(values, [first, last, bins], binOf) };
  },
});

const between = (type: Exclude<ArrayType, "bool">, bins: number): PrimitiveSubject => ({
  name: `histogram of ${type} by ${bins + 1} edges`,
  what: histogramEdges(TYPES[type], bins),
  types: { x: type, edges: type, ...RANGE_TYPES },
  trial: (n, random) => {
    const { fromHost } = arraySpec(type);
    const isNumber = (one: HostNumber): boolean => !Number.isNaN(fromHost(one) as number);
    const edges = list(bins + 1, () => random.pick(pool(type).filter(isNumber))).sort(compare(type, "sorts"));
    const x = itemsOf(type, n, random);
    const numbers = (all: readonly HostNumber[]): unknown[] => all.map((one) => fromHost(one));
    const at = numbers(edges) as readonly number[];
    const binOf = (value: number): number => at.slice(0, -1).filter((edge) => edge <= value).length - 1;
    return { given: { x, edges }, want: counted(numbers(x), [at[0], at.at(-1), bins], binOf) };
  },
});

export const ORDER: readonly PrimitiveSubject[] = [
  argsorts("f32"),
  argsorts("u8"),
  argsorts("i64", true),
  argsorts("bf16", true),
  lexSorts,
  segments("f32"),
  segments("u64", "f32", true),
  segments("i8", "u16"),
  segments("bool", "i64"),
  segments("f32", "u16", true, { longest: 5 }),
  segments("u32", "i8", false, { byBits: true }),
  segments("f64", undefined, true, { byBits: true }),
  segments("i16", "u32", false, { byBits: true, longest: 9 }),
  parts("f32"),
  parts("i16", "u8", true),
  parts("f64", "f32"),
  searches("f32"),
  searches("f64", { bound: "upper", descending: true }),
  searches("u8", { bound: "upper" }),
  searches("f16", { most: 100 }),
  searches("bool", { bound: "upper" }),
  merges("f32"),
  merges("i64", "f32", true),
  merges("bf16", "i8"),
  sets("union", "f32", setUnion),
  sets("intersection", "f32", setIntersection),
  sets("difference", "i16", setDifference),
  sets("symmetric difference", "f64", setSymmetricDifference, true),
  ranges("f32", { from: 0, to: 1, bins: 10 }),
  ranges("f32", { from: -1.5, to: 1e6, bins: 1 }),
  ranges("f64", { from: -3, to: 0.7, bins: 300 }),
  ranges("f16", { from: -2, to: 2, bins: 7 }),
  ranges("bf16", { from: 0, to: 300, bins: 64 }),
  ranges("i32", { from: -2147483648, to: 2147483647, bins: 65535 }),
  ranges("u8", { from: 3, to: 250, bins: 16 }),
  ranges("i64", { from: -5n, to: 12n, bins: 4 }),
  ranges("u32", { from: 7, to: 9, bins: 5 }),
  between("f32", 5),
  between("i16", 1),
  between("u64", 12),
];
