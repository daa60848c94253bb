/** Compares the results of one function on several devices, chunk by chunk. */
import { hashPipeline, type ResultChange, type Swept, valuesPipeline } from "./pipelines.ts";
import type { Hash, Hasher, OutputWords, SweepItems, SweepPlace } from "./place.ts";

/** The compared function, and its items. */
export interface Comparison {
  readonly swept: Swept;
  /** All items. */
  readonly items: number;
  /** The step between the operands' numbers. */
  readonly stride: number;
  /** Items of a chunk. */
  readonly chunk: number;
  /** The others are compared with the first place. */
  readonly places: readonly SweepPlace[];
  /** A fault in the results of a place, by its index; for tests. */
  readonly changes?: readonly (ResultChange | undefined)[];
}
/** Results of a place that differ from those of the first one. */
export interface Differing {
  readonly results: number;
  readonly bits: number;
  /** The first ones. */
  readonly examples: readonly string[];
}
/** Of all items of a comparison. */
export interface ComparedItems {
  /** For each place: of all its results, and how they differ from the first place's. */
  readonly hashes: readonly Hash[];
  readonly differing: readonly Differing[];
}

const EXAMPLES = 3;
/** Items whose results are read back, of a chunk whose hashes differ. */
const BLOCK = 2 ** 18;
const NO_HASH: Hash = { sum: 0, xor: 0 };
const SAME: Differing = { results: 0, bits: 0, examples: [] };

const joined = (a: Hash, b: Hash): Hash => ({ sum: (a.sum + b.sum) >>> 0, xor: (a.xor ^ b.xor) >>> 0 });
const isEqual = (a: Hash, b: Hash): boolean => a.sum === b.sum && a.xor === b.xor;
const addedTo = (a: Differing, b: Differing): Differing => ({
  results: a.results + b.results,
  bits: a.bits + b.bits,
  examples: [...a.examples, ...b.examples].slice(0, EXAMPLES),
});
/** Both parts of a sweep together. */
const continued = (first: ComparedItems, next: ComparedItems): ComparedItems => ({
  hashes: next.hashes.map((hash, i) => joined(first.hashes[i] ?? NO_HASH, hash)),
  differing: next.differing.map((one, i) => addedTo(first.differing[i] ?? SAME, one)),
});

/** The items from number `at` on; the number of operands is computed modulo 2^32 as on devices. */
const itemsAt = (at: number, n: number, stride: number): SweepItems => ({
  n,
  start: Number(BigInt.asUintN(32, BigInt(at) * BigInt(stride))),
  stride,
});

function bitsOf(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** How the words of two places differ. */
function differingIn(name: string, left: OutputWords, right: OutputWords): Differing {
  const [x, want, got] = [left.x, left.y, right.y] as [Uint32Array, Uint32Array, Uint32Array];
  let [results, bits] = [0, 0];
  const examples: string[] = [];
  for (const [i, word] of want.entries()) {
    const other = got[i] as number;
    if (word === other) continue;
    results++;
    bits += bitsOf((word ^ other) >>> 0);
    if (examples.length < EXAMPLES)
      examples.push(`${name}(${textOf(x[i] as number)}) = ${textOf(other)}, and not ${textOf(word)}`);
  }
  return { results, bits, examples };
}

const textOf = (word: number): string => `0x${word.toString(16).padStart(8, "0")}`;

/** Compares element by element those blocks of a chunk whose hashes differ on a place. */
async function examined(
  { swept, stride, places, changes = [] }: Comparison,
  hashers: readonly Hasher[],
  place: number,
  [at, n]: readonly [number, number],
): Promise<Differing> {
  let found = SAME;
  for (let block = at; block < at + n; block += BLOCK) {
    const items = itemsAt(block, Math.min(BLOCK, at + n - block), stride);
    const [want, got] = await Promise.all([hashers[0]?.hash(items), hashers[place]?.hash(items)]);
    if (isEqual(want as Hash, got as Hash)) continue;
    const wordsOf = (i: number): Promise<OutputWords> =>
      (places[i] as SweepPlace).values(valuesPipeline(swept, changes[i]), items);
    const differing = differingIn(swept.name, await wordsOf(0), await wordsOf(place));
    if (differing.results === 0)
      throw new Error(`${swept.name}: hashes of ${places[place]?.name} differ, but no result does`);
    found = addedTo(found, differing);
  }
  return found;
}

/** One chunk on all places. */
async function chunkOf(
  comparison: Comparison,
  hashers: readonly Hasher[],
  at: number,
): Promise<ComparedItems> {
  const n = Math.min(comparison.chunk, comparison.items - at);
  const hashes = await Promise.all(hashers.map((one) => one.hash(itemsAt(at, n, comparison.stride))));
  const differing: Differing[] = [];
  for (const [i, hash] of hashes.entries())
    differing.push(isEqual(hash, hashes[0] as Hash) ? SAME : await examined(comparison, hashers, i, [at, n]));
  return { hashes, differing };
}

/** The chunks in order, two at a time, so that no place waits for the others. */
async function chunksOf(comparison: Comparison, hashers: readonly Hasher[]): Promise<ComparedItems> {
  const { items, chunk, places } = comparison;
  let next = 0;
  let all: ComparedItems = { hashes: places.map(() => NO_HASH), differing: places.map(() => SAME) };
  const lane = async (): Promise<void> => {
    while (next < items) {
      const at = next;
      next += chunk;
      const part = await chunkOf(comparison, hashers, at);
      all = continued(all, part);
    }
  };
  await Promise.all([lane(), lane()]);
  return all;
}

/** @throws GroupwiseError the errors of compiling and running */
export async function compared(comparison: Comparison): Promise<ComparedItems> {
  const { swept, places, changes = [] } = comparison;
  const hashers: Hasher[] = [];
  try {
    for (const [i, place] of places.entries())
      hashers.push(await place.hasher(hashPipeline(swept, changes[i])));
    return await chunksOf(comparison, hashers);
  } finally {
    for (const hasher of hashers) hasher.close();
  }
}
