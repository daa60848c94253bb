/** Bitmaps on the host. */
import { ANY, errorOf, requireArguments, type Wanted } from "@groupwise/core/target";

const WORD = 32;

const VALUES: Wanted = {
  want: "a list of truth values, or an array",
  is: (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value),
};
const WORDS: Wanted = { want: "a Uint32Array", is: (value) => value instanceof Uint32Array };

/**
 * The bitmap of truth values: bit i % 32 of word i / 32 is 1 if element i is not 0. Bits after the last element are 0. These are
 * the bytes of NumPy's `packbits(…, bitorder="little")` and of Arrow's bitmaps, filled up to whole words.
 * @example
 * ```ts
 * import { packBits } from "@groupwise/dsl";
 *
 * console.log(packBits([true, false, true])); // [5]
 * ```
 */
export function packBits(values: ArrayLike<number | boolean>): Uint32Array {
  requireArguments(arguments, "packBits", { values: VALUES });
  const words = new Uint32Array(Math.ceil(values.length / WORD));
  for (let i = 0; i < values.length; i++)
    if (values[i]) words[i >>> 5] = (words[i >>> 5] as number) | (1 << (i & 31));
  return words;
}

/**
 * The first `length` truth values of a bitmap, each a byte that is 0 or 1.
 * @throws GroupwiseError `bad-argument` if the bitmap has fewer bits, or the length is not a whole number
 * @example
 * ```ts
 * import { packBits, unpackBits } from "@groupwise/dsl";
 *
 * console.log(unpackBits(packBits([true, false, true]), 3)); // [1, 0, 1]
 * ```
 */
export function unpackBits(words: Uint32Array, length: number): Uint8Array {
  requireArguments(arguments, "unpackBits", { words: WORDS, length: ANY });
  const most = words.length * WORD;
  if (!Number.isInteger(length) || length < 0 || length > most)
    throw errorOf("bad-argument", {
      what: "the number of bits",
      want: `a whole number, 0 to ${most}`,
      got: String(length),
    });
  return Uint8Array.from({ length }, (_, i) => ((words[i >>> 5] as number) >>> (i & 31)) & 1);
}
