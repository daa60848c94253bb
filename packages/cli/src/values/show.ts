/** Outputs as text and as JSON. */
import type { ArrayType, HostArray, Literal } from "@groupwise/core";
import { arraySpec, encodeLiteral, valueTypeOf } from "@groupwise/core/target";

/** The number of values that are shown: the first ones, and the last two if some are omitted. */
export const SHOWN = 8;

/** The written form of elements, exact; `nan`, `inf`, `-inf`, `-0` and 64-bit integers are texts. */
export function literals(type: ArrayType, array: HostArray, from: number, to: number): Literal[] {
  const values = [...array.subarray(from, to)] as (number | bigint)[];
  return values.map((stored) => encodeLiteral(valueTypeOf(type), arraySpec(type).fromHost(stored)));
}

/** One line: `line: u32 × 12  0 0 0 1 1 … 7 7`. */
export function showArray(name: string, type: ArrayType, array: HostArray, count: number): string {
  const { length } = array;
  const short = length <= count + 2;
  const first = literals(type, array, 0, short ? length : count);
  const last = short ? [] : ["…", ...literals(type, array, length - 2, length)];
  return `${name}: ${type} × ${length}  ${[...first, ...last].join(" ")}`.trimEnd();
}

export interface ShownOutput {
  readonly type: ArrayType;
  readonly length: number;
  readonly first: readonly Literal[];
  readonly last: readonly Literal[];
}

/** The same for programs: at most `count` first values, and the last two beyond them. */
export function outputData(type: ArrayType, array: HostArray, count: number): ShownOutput {
  const { length } = array;
  const first = literals(type, array, 0, Math.min(count, length));
  const last = literals(type, array, Math.max(first.length, length - 2), length);
  return { type, length, first, last };
}
