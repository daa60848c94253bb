/** What a comparison found, and its wording. */

/** The number of bits of all outputs, the number of equal ones, and the first element that differs. */
export interface Comparison {
  readonly bits: number;
  readonly equal: number;
  readonly first?: string;
}

/** "128 of 128 bits equal", with the first difference where there is one. */
export function printComparison({ bits, equal, first }: Comparison): string {
  const count = (n: number): string => n.toLocaleString("en-US");
  return `${count(equal)} of ${count(bits)} bits equal${first === undefined ? "" : `; the first difference is ${first}`}`;
}
