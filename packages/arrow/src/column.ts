/** Columns: the contents of vectors and typed arrays, without a copy. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf, hostView, kindOf } from "@groupwise/core/target";
import { type BitmapSlice, bitAt } from "./bits.ts";
import { arrowName, isExactly, type Meaning, meaningOf } from "./tables.ts";
import { type DataLike, isVectorLike } from "./vectors.ts";

/** Consecutive items of a column. */
export interface ColumnSpan {
  readonly length: number;
  /** Undefined if the items are bits. */
  readonly values?: HostArray;
  /** The items of a bool column. */
  readonly bits?: BitmapSlice;
  /** 0 for an item that is null; undefined if none is. */
  readonly valid?: BitmapSlice;
}

/** A column of a run. */
export interface Column {
  readonly name: string;
  readonly type: ArrayType;
  readonly length: number;
  /** The spans, without those of length 0. */
  readonly spans: readonly ColumnSpan[];
}

export const hasNulls = ({ spans }: Column): boolean => spans.some(({ valid }) => valid !== undefined);
export const isPacked = ({ spans }: Column): boolean => spans.some(({ bits }) => bits !== undefined);

/**
 * Reads a column.
 * @param where the pipeline, for errors
 * @throws GroupwiseError `wrong-dtype`, `bad-buffer`
 */
export function columnOf(name: string, type: ArrayType, given: unknown, where: string): Column {
  const { array } = arraySpec(type);
  const want = `a Vector of ${arrowName(type)} or ${array.name} (${type})`;
  if (given instanceof array || (type === "f16" && kindOf(given) === "Float16Array")) {
    const values = hostView(type, given, name, where, true);
    return { name, type, length: values.length, spans: spansOf([{ length: values.length, values }]) };
  }
  if (!isVectorLike(given)) throw errorOf("wrong-dtype", { name, want, got: kindOf(given) }, where);
  const meaning = isExactly(type, given.type) ? undefined : meaningOf(given.type);
  if (!isExactly(type, given.type) && meaning?.type !== type) {
    const remedy = meaning && { remedy: `declare it as ${meaning.type}: its integers are ${meaning.note}` };
    throw errorOf("wrong-dtype", { name, want, got: `a Vector of ${given.type}`, ...remedy }, where);
  }
  const spans = given.data.map((data) => spanOf(data, { name, type, meaning, where }));
  return { name, type, length: given.length, spans: spansOf(spans) };
}

const spansOf = (spans: readonly ColumnSpan[]): readonly ColumnSpan[] =>
  spans.filter(({ length }) => length > 0);

/** The column of a chunk. */
interface Of extends Pick<Column, "name" | "type"> {
  readonly meaning: Meaning | undefined;
  readonly where: string;
}

function spanOf(data: DataLike, of: Of): ColumnSpan {
  const { length, offset, nullBitmap } = data;
  const { type } = of;
  const hasBits = data.nullCount > 0 && nullBitmap !== undefined;
  const bytesOf = (what: string, given: unknown): Uint8Array => {
    if (!(given instanceof Uint8Array)) throw bad(of, `its ${what} is ${kindOf(given)}`);
    if (given.length * 8 >= offset + length) return given;
    throw tooShort(of, what, Math.max(0, given.length * 8 - offset), length);
  };
  const valid = hasBits ? { bytes: bytesOf("validity bitmap", nullBitmap), from: offset } : undefined;
  const validity = valid && { valid };
  if (type === "bool")
    return { length, bits: { bytes: bytesOf("buffer", data.values), from: offset }, ...validity };
  // The values of a slice begin at its first item; only bitmaps keep the offset.
  const all = valuesOf(data.values, of);
  const values = of.meaning?.isWide ? narrowed(all, length, valid, of) : all;
  if (values.length < length) throw tooShort(of, "buffer", values.length, length);
  return { length, values: values.subarray(0, length) as HostArray, ...validity };
}

const bad = ({ name, where }: Of, reason: string): Error => errorOf("bad-buffer", { name, reason }, where);
const tooShort = (of: Of, what: string, got: number, length: number): Error =>
  bad(of, `its ${what} holds ${got} items of ${length}`);

/** The values as the type's array; integers of another meaning may be in another one of the same bytes. */
function valuesOf(given: unknown, of: Of): HostArray {
  const { array, hostBytes } = arraySpec(of.type);
  if (kindOf(given) === array.name) return given as HostArray;
  if (!ArrayBuffer.isView(given) || !of.meaning)
    throw bad(of, `its values are ${kindOf(given)}, not ${array.name}`);
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const view = array as unknown as new (buffer: ArrayBufferLike, at: number, length: number) => HostArray;
  const { buffer, byteOffset, byteLength } =
    bytes.byteOffset % hostBytes === 0 ? bytes : (bytes.slice() as Uint8Array);
  return new view(buffer, byteOffset, Math.floor(byteLength / hostBytes));
}

/** Integers of 128 bits in 64, a copy. @throws GroupwiseError `bad-buffer` if one that is not null needs more */
function narrowed(words: HostArray, length: number, valid: BitmapSlice | undefined, of: Of): HostArray {
  const pairs = words as unknown as BigInt64Array;
  if (pairs.length < 2 * length) throw tooShort(of, "buffer", pairs.length / 2, length);
  const low = new BigInt64Array(length);
  for (let i = 0; i < length; i++) {
    const word = pairs[2 * i] as bigint;
    low[i] = word;
    if (pairs[2 * i + 1] === word >> 63n || (valid && !bitAt(valid, i))) continue;
    throw bad(of, `item ${i} is an integer of more than 64 bits`);
  }
  return low as unknown as HostArray;
}
