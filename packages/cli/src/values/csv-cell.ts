/** Cells of a table as elements of arrays. */
import type { ArrayType } from "@groupwise/core";
import { arraySpec, isNarrow, NARROW, SCALARS, valueTypeOf } from "@groupwise/core/target";
import type { Cells } from "./csv-records.ts";
import { parseElement } from "./scalar.ts";

/** Reads a cell as an element; undefined if it is no value of the type. */
export type CellReader = (record: Cells, cell: number) => number | bigint | undefined;

/** The reader of a type. Most cells are short decimals, and need no string. */
export function cellReader(type: ArrayType): CellReader {
  const { toHost } = arraySpec(type);
  const quick = quickReader(type);
  return (record, cell) => {
    const short = quick?.(record.bytes, record.from(cell), record.to(cell));
    if (short !== undefined) return short;
    const value = parseElement(type, record.text(cell));
    return value === undefined ? undefined : toHost(value);
  };
}

/** The element in some bytes; undefined if they are to be read as a string. */
type QuickReader = (bytes: Uint8Array, from: number, to: number) => number | bigint | undefined;

function quickReader(type: ArrayType): QuickReader | undefined {
  const { kind, lowest, highest } = SCALARS[valueTypeOf(type)];
  if (type === "f64") return (bytes, from, to) => shortDecimal(bytes, from, to, true);
  if (type === "f32") return quickFloat;
  if (kind === "float" || kind === "bool") return undefined;
  const [least, most] = (isNarrow(type) ? NARROW[type].range : undefined) ?? [lowest, highest];
  const [low, high] = [Number(least), Number(most)];
  const isLong = typeof lowest === "bigint";
  return (bytes, from, to) => {
    const x = shortDecimal(bytes, from, to, false);
    if (x === undefined || x < low || x > high) return undefined;
    return isLong ? BigInt(x) : x + 0; // no -0
  };
}

function quickFloat(bytes: Uint8Array, from: number, to: number): number | undefined {
  const x = shortDecimal(bytes, from, to, true);
  if (x === undefined) return undefined;
  const near = Math.fround(x);
  // Half-way between two values, the digits decide.
  return near === x || Math.fround(2 * x - near) !== 2 * x - near ? near : undefined;
}

/** Powers of ten that doubles hold exactly. */
const POWERS: readonly number[] = Array.from({ length: 16 }, (_, i) => 10 ** i);
const [ZERO, POINT, MINUS, PLUS] = [48, 46, 45, 43] as const;

/**
 * A sign and at most 15 digits, with a point in them where `points` is true: a whole number divided by a power of ten, both exact in a double, so that the
 * one division rounds as the decimal is rounded (Clinger 1990). Undefined for other texts.
 */
function shortDecimal(bytes: Uint8Array, from: number, to: number, points: boolean): number | undefined {
  const sign = bytes[from];
  const first = sign === MINUS || sign === PLUS ? from + 1 : from;
  let digits = 0;
  let point = -1;
  for (let at = first; at < to; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (points && point < 0 && bytes[at] === POINT) point = at;
    else return undefined;
  }
  const count = to - first - (point < 0 ? 0 : 1);
  if (count < 1 || count > 15) return undefined;
  const x = point < 0 ? digits : digits / (POWERS[to - 1 - point] as number);
  return sign === MINUS ? -x : x;
}
