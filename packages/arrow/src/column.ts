/** Columns: the contents of vectors and typed arrays, without a copy. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf, kindOf } from "@groupwise/core/target";
import { type Data, type DataType, Vector } from "apache-arrow";
import type { Bits } from "./bits.ts";
import { ARROW, arrowName } from "./tables.ts";

/** Consecutive items of a column. */
export interface Span {
  readonly length: number;
  /** Undefined if the items are bits. */
  readonly values?: HostArray;
  /** The items of a bool column. */
  readonly bits?: Bits;
  /** 0 for an item that is null; undefined if none is. */
  readonly valid?: Bits;
}

/** A column of a run. */
export interface Column {
  readonly name: string;
  readonly type: ArrayType;
  readonly length: number;
  /** The spans, without those of length 0. */
  readonly spans: readonly Span[];
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
  if (given instanceof array) {
    const values = given as HostArray;
    return { name, type, length: values.length, spans: spansOf([{ length: values.length, values }]) };
  }
  if (!Vector.isVector(given)) throw errorOf("wrong-dtype", { name, want, got: kindOf(given) }, where);
  const vector = given as Vector<DataType>;
  if (!ARROW[type].fits(vector.type))
    throw errorOf("wrong-dtype", { name, want, got: `a Vector of ${vector.type}` }, where);
  const spans = vector.data.map((data) => spanOf(data, type, name, where));
  return { name, type, length: vector.length, spans: spansOf(spans) };
}

const spansOf = (spans: readonly Span[]): readonly Span[] => spans.filter(({ length }) => length > 0);

function spanOf(data: Data<DataType>, type: ArrayType, name: string, where: string): Span {
  const { length, offset, nullBitmap } = data;
  const refuse = (what: string, got: number): never => {
    const reason = `its ${what} holds ${got} items of ${length}`;
    throw errorOf("bad-buffer", { name, reason }, where);
  };
  const hasBits = data.nullCount > 0 && nullBitmap !== undefined;
  if (hasBits && nullBitmap.length * 8 < offset + length)
    refuse("validity bitmap", Math.max(0, nullBitmap.length * 8 - offset));
  const validity = hasBits ? { valid: { bytes: nullBitmap, from: offset } } : {};
  const all = data.values as HostArray;
  if (type === "bool") {
    if (all.length * 8 < offset + length) refuse("buffer", Math.max(0, all.length * 8 - offset));
    return { length, bits: { bytes: all as Uint8Array, from: offset }, ...validity };
  }
  // The values of a slice begin at its first item; only bitmaps keep the offset.
  if (all.length < length) refuse("buffer", all.length);
  return { length, values: all.subarray(0, length) as HostArray, ...validity };
}
