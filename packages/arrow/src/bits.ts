/** Bitmaps: bit k is bit k % 8 of byte k / 8. */

/** Consecutive bits of a bitmap. */
export interface BitmapSlice {
  readonly bytes: Uint8Array;
  /** The position of the first. */
  readonly from: number;
}

export const bitAt = ({ bytes, from }: BitmapSlice, index: number): boolean => {
  const position = from + index;
  return (((bytes[Math.floor(position / 8)] ?? 0) >> (position % 8)) & 1) === 1;
};

/** A bitmap of a predicate of each item. */
export function bitsOf(length: number, at: (index: number) => boolean): BitmapSlice {
  const bytes = new Uint8Array(Math.ceil(length / 8));
  for (let i = 0; i < length; i++) if (at(i)) bytes[i >>> 3] = (bytes[i >>> 3] as number) | (1 << (i & 7));
  return { bytes, from: 0 };
}

/** The bitmap in an array of 32-bit words on a little-endian host, without a copy. */
export const bitsIn = ({ buffer, byteOffset }: ArrayBufferView, length: number): BitmapSlice => ({
  bytes: new Uint8Array(buffer, byteOffset, Math.ceil(length / 8)),
  from: 0,
});

/** A bitmap of ones. */
export const onesOf = (length: number): BitmapSlice => ({
  bytes: new Uint8Array(Math.ceil(length / 8)).fill(0xff),
  from: 0,
});

/** The same bits without the bytes before and after them; no copy. */
export function trimmed({ bytes, from }: BitmapSlice, length: number): BitmapSlice {
  const first = Math.floor(from / 8);
  return { bytes: bytes.subarray(first, Math.ceil((from + length) / 8)), from: from % 8 };
}

/** The concatenated bits of several bitmaps. */
export function joinBits(parts: readonly (BitmapSlice & { readonly length: number })[]): BitmapSlice {
  const bytes = new Uint8Array(Math.ceil(parts.reduce((sum, { length }) => sum + length, 0) / 8));
  let at = 0;
  for (const part of parts)
    for (let i = 0; i < part.length; i++, at++)
      if (bitAt(part, i)) bytes[at >>> 3] = (bytes[at >>> 3] as number) | (1 << (at & 7));
  return { bytes, from: 0 };
}
