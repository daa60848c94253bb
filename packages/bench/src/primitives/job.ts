/** A timed job, and its inputs: a hash of the index, on the device and on the host. */
import type { ArrayType } from "@groupwise/core";
import { type PipelineDefinition, param, pipeline, type U32Value, u32 } from "@groupwise/dsl";

/** The elements of an output, or the first of them. */
export type Read = (name: string, length?: number) => Promise<Uint32Array>;

/** One primitive, its inputs, and its check. */
export interface Job {
  readonly name: string;
  readonly what: { readonly outputs: Readonly<Record<string, ArrayType>> };
  /** Pipelines that make inputs of as many items; a parameter `items` is n. */
  readonly inputs: readonly {
    readonly source: Made;
    readonly items: (n: number) => number;
    /** Names of the primitive's outputs that differ, because they are reserved words of JavaScript. */
    readonly names?: Readonly<Record<string, string>>;
  }[];
  /** The options of the primitive; `n` where it does not take all items. */
  readonly numbers?: (n: number) => Readonly<Record<string, number>>;
  /** Elements of each output. */
  outputs(n: number): Readonly<Record<string, number>>;
  /** Compares with a plain loop; describes the difference. */
  check(n: number, read: Read): Promise<string | undefined>;
}

export type Made = Pick<PipelineDefinition, "ir" | "outputs" | "params">;

export const options = { places: false } as const;
const [A, B] = [0x2c1b3c6d, 0x297a2d39];

/** Pseudo-random bits of an index. */
export function hash(i: number): number {
  let x = Math.imul(i ^ (i >>> 15), A);
  x = Math.imul(x ^ (x >>> 12), B);
  return (x ^ (x >>> 15)) >>> 0;
}
export function hashed(i: U32Value): U32Value {
  const x = i.xor(i.shr(15)).mul(A);
  const y = x.xor(x.shr(12)).mul(B);
  return y.xor(y.shr(15));
}

export const all = (n: number): number => n;
export function make(name: string, value: (index: U32Value) => U32Value): Made {
  return pipeline(`make-${name}`, {}, (_, { index }) => ({ [name]: value(index()) }), options) as never;
}

export const differs = (name: string, at: number, got: number | undefined, want: number): string =>
  `${name}[${at}] is ${got}, not ${want}`;

/** The first of n elements that is not the wanted one. */
export function wrongOf(
  name: string,
  got: Uint32Array,
  n: number,
  wanted: (i: number) => number,
): string | undefined {
  for (let i = 0; i < n; i++) {
    const want = wanted(i);
    if (got[i] !== want) return differs(name, i, got[i], want);
  }
  return undefined;
}
export const same = (name: string, got: Uint32Array, want: Uint32Array): string | undefined =>
  wrongOf(name, got, want.length, (i) => want[i] as number);

/** Elements as words, or as halves. */
export function wordsOf({
  buffer,
  byteOffset,
  byteLength,
  BYTES_PER_ELEMENT: size,
}: Uint32Array): Uint32Array | Uint16Array {
  return (size as number) === 2
    ? new Uint16Array(buffer, byteOffset, byteLength / 2)
    : new Uint32Array(buffer, byteOffset, byteLength / 4);
}

/** Counts of the bins of n items. */
export const checkCounts =
  (binOf: (hash: number) => number): Job["check"] =>
  async (n, read) => {
    const want = new Uint32Array(256);
    for (let i = 0; i < n; i++) (want[binOf(hash(i))] as number)++;
    return same("counts", await read("counts"), want);
  };

/** Segments and rows of 0, 16 or 32 items, 16 on average. */
export const ROW = 16;
export const rowsOf = (n: number): number => Math.ceil(n / ROW);
export const offsetAt = (row: number, n: number): number =>
  row === 0 ? 0 : row >= rowsOf(n) ? n : Math.min(n, row * ROW + (hash(row) & ROW));

export const offsets: Job["inputs"][number] = {
  source: pipeline(
    "make-offsets",
    { items: param(u32) },
    ({ items }, { index, size }) => {
      const row = index();
      const inside = row.mul(ROW).add(hashed(row).and(ROW)).min(items);
      return { offsets: row.eq(0).select(u32(0), row.add(1).eq(size()).select(items, inside)) };
    },
    options,
  ) as Made,
  items: (n: number) => rowsOf(n) + 1,
};
