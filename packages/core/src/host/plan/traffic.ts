/** Bytes that passes move. */

import { elementBytes } from "../../compiler/kernel/memory.ts";
import type { Buffer } from "../../compiler/kernel/module.ts";
import { type Formula, formula, sumOf } from "../../ir/base/formula.ts";
import type { Counts } from "./explain-count.ts";

type Traffic = readonly (readonly [buffer: Buffer, elements: Formula])[];

export const traffic = ({ moved }: Counts): Traffic =>
  moved.flatMap(({ buffer, read, written }) =>
    [read, written].map((elements) => [buffer, elements] as const),
  );

/** Bytes of all arrays. Arrays of equal length are added first, so that the formula is short. */
export function total(list: Traffic): Formula {
  const byLength = new Map<string, { elements: Formula; bytes: number }>();
  for (const [buffer, elements] of list) {
    const key = JSON.stringify(elements);
    const bytes = (byLength.get(key)?.bytes ?? 0) + elementBytes(buffer);
    byLength.set(key, { elements, bytes });
  }
  return sumOf([...byLength.values()].map(({ elements, bytes }) => formula("mul", elements, bytes)));
}
