/** Whether two runs returned the same bits. */
import type { ArrayType, HostArray, RunOutputs } from "@groupwise/core";
import { arraySpec, isFloat, valueTypeOf } from "@groupwise/core/target";

/** The first difference of two outputs. */
export interface OutputDifference {
  readonly output: string;
  /** Absent if the lengths differ. */
  readonly index?: number;
  readonly what: string;
}

/** The first difference, bit for bit, except that all NaNs are equal. Undefined if the outputs are equal. */
export function differenceOf(
  types: Readonly<Record<string, ArrayType>>,
  want: RunOutputs,
  got: RunOutputs,
): OutputDifference | undefined {
  for (const [output, type] of Object.entries(types)) {
    const [a, b] = [want[output], got[output]];
    if (!a || !b) return { output, what: "it is missing" };
    if (a.length !== b.length) return { output, what: `${b.length} elements instead of ${a.length}` };
    const index = firstDifference(type, a, b);
    if (index >= 0) return { output, index, what: `${shown(b[index])} instead of ${shown(a[index])}` };
  }
  return undefined;
}

/** String loses the sign of -0. */
const shown = (x: unknown): string => (Object.is(x, -0) ? "-0" : String(x));

function firstDifference(type: ArrayType, a: HostArray, b: HostArray): number {
  const isNaNHere = (stored: number): boolean =>
    isFloat(valueTypeOf(type)) && Number.isNaN(arraySpec(type).fromHost(stored));
  for (let i = 0; i < a.length; i++) {
    // Object.is distinguishes -0 from +0, and treats NaNs as equal.
    if (!Object.is(a[i], b[i]) && !(isNaNHere(a[i] as number) && isNaNHere(b[i] as number))) return i;
  }
  return -1;
}
