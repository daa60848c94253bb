/** Radix sorts of keys and pairs, of each width and order of bits, descending, and by some of the bits. */
import { f32, pipeline, type U32Value, u32, u64 } from "@groupwise/dsl";
import { radixSort } from "@groupwise/primitives";
import { all, hash, hashed, type Job, type Made, options, type Read, wordsOf } from "./job.ts";

const SALT = 0x5bd1e995;
/** Of f32: neither infinite nor NaN, nor a zero, whose order CUB and this project see differently. */
const [FINITE, NONZERO] = [0xbfffffff, 1];

interface Keys {
  readonly type: typeof u32;
  /** The key of an item. */
  readonly at: (index: U32Value) => U32Value;
  /** Word k of it, the least significant first. */
  readonly wordAt: (i: number, k: number) => number;
  readonly words: number;
  /** A number that orders keys by their highest words. */
  readonly order: (word: number) => number;
}

const KEYS = {
  u32: { type: u32, at: hashed, wordAt: hash, words: 1, order: (word) => word },
  f32: {
    type: f32 as never,
    at: (i) => hashed(i).and(FINITE).or(NONZERO).bitsAs("f32") as never,
    wordAt: (i) => ((hash(i) & FINITE) | NONZERO) >>> 0,
    words: 1,
    order: (word) => (word >= 2 ** 31 ? 2 ** 31 - word : word),
  },
  u64: {
    type: u64 as never,
    at: (i) => hashed(i.xor(SALT)).toU64().shl(32).or(hashed(i).toU64()) as never,
    wordAt: (i, k) => hash(k === 0 ? i : i ^ SALT),
    words: 2,
    order: (word) => word,
  },
} as const satisfies Readonly<Record<string, Keys>>;

/** The first place whose key is not after the one before it, or equal keys of which come in another order than their places. */
function unordered(
  sorted: ArrayLike<number>,
  n: number,
  { words, order }: Keys,
  from?: ArrayLike<number>,
): string | undefined {
  let [high, low] = [Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < n; i++) {
    const nextHigh = order(sorted[words * i + words - 1] as number);
    const nextLow = words === 1 ? 0 : (sorted[words * i] as number);
    const isEqual = nextHigh === high && nextLow === low;
    if (nextHigh < high || (nextHigh === high && nextLow < low))
      return `sorted[${i}] is below the key before`;
    if (isEqual && from && (from[i] as number) <= (from[i - 1] as number))
      return `moved[${i}] is not after the place before, which has the same key`;
    high = nextHigh;
    low = nextLow;
  }
  return undefined;
}

const CHUNK = 2 ** 16;
/** A sum of hashes, which does not depend on the order: to sort 2^28 keys on the host takes half a minute. */
function sumOf(keys: Uint32Array, words: number): number {
  let sum = 0;
  for (let i = 0; i < keys.length; i += words)
    sum = (sum + hash((keys[i] as number) ^ (words === 1 ? SALT : hash(keys[i + 1] as number)))) | 0;
  return sum;
}
/** Of inputs, by the keys and their number: other targets sort them, too. */
const SUMS = new Map<string, number>();
function sumOfInput(n: number, { words, wordAt, type }: Keys): number {
  const id = `${n} ${type.type}`;
  const known = SUMS.get(id);
  if (known !== undefined) return known;
  let sum = 0;
  const chunk = new Uint32Array(words * CHUNK);
  for (let base = 0; base < n; base += CHUNK) {
    const count = Math.min(CHUNK, n - base);
    for (let k = 0; k < words; k++)
      for (let i = 0; i < count; i++) chunk[words * i + k] = wordAt(base + i, k);
    sum = (sum + sumOf(chunk.subarray(0, words * count), words)) | 0;
  }
  SUMS.set(id, sum);
  return sum;
}

async function checkKeys(n: number, read: Read, keys: Keys): Promise<string | undefined> {
  const sorted = wordsOf(await read("sorted")) as Uint32Array;
  if (sumOf(sorted, keys.words) !== sumOfInput(n, keys)) return "sorted has other keys than the input";
  return unordered(sorted, n, keys);
}

/** A permutation with ascending keys, and with ascending places of equal keys, is the stable sort. */
async function checkPairs(n: number, read: Read, keys: Keys): Promise<string | undefined> {
  const { words, wordAt } = keys;
  const [sorted, moved] = [wordsOf(await read("sorted")), await read("moved")];
  for (let k = 0; k < words; k++)
    for (let i = 0; i < n; i++) {
      const from = moved[i] as number;
      if (from >= n || sorted[words * i + k] !== wordAt(from, k)) return `sorted[${i}] is not key ${from}`;
    }
  return unordered(sorted, n, keys, moved);
}

const sourceOf = ({ type, at }: Keys, withPlace: boolean): Made =>
  pipeline(
    `make-${withPlace ? "pairs" : "keys"}-${type.type}`,
    {},
    (_, { index }) => ({ keys: at(index()), ...(withPlace && { place: index().add(0) }) }),
    options,
  ) as Made;

const ofKeys = (name: string, keys: Keys, others: Partial<Job> = {}): Job => ({
  name,
  what: radixSort(keys.type) as unknown as Job["what"],
  inputs: [{ source: sourceOf(keys, false), items: all }],
  outputs: (n) => ({ sorted: n }),
  check: (n, read) => checkKeys(n, read, keys),
  ...others,
});

function jobs(type: keyof typeof KEYS): readonly Job[] {
  const keys: Keys = KEYS[type];
  const suffix = type === "u32" ? "" : ` by ${type}`;
  return [
    ofKeys(`radix sort${suffix}`, keys),
    {
      name: `radix sort of pairs${suffix}`,
      what: radixSort(keys.type, { pairs: u32 }) as unknown as Job["what"],
      inputs: [{ source: sourceOf(keys, true), items: all, names: { place: "values" } }],
      outputs: (n) => ({ sorted: n, moved: n }),
      check: (n, read) => checkPairs(n, read, keys),
    },
  ];
}

/** What should take no longer than the sort of all bits, and than half of it: two digits of four. */
const VARIANTS: readonly Job[] = [
  ofKeys(
    "radix sort descending",
    { ...KEYS.u32, order: (word) => -word },
    { what: radixSort(u32, { descending: true }) as unknown as Job["what"] },
  ),
  ofKeys(
    "radix sort of bits 8 to 24",
    { ...KEYS.u32, order: (word) => (word >>> 8) & 0xffff },
    { numbers: () => ({ beginBit: 8, endBit: 24 }) },
  ),
];

export const SORT_JOBS: readonly Job[] = [...(["u32", "f32", "u64"] as const).flatMap(jobs), ...VARIANTS];
