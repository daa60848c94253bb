/** Bytes that passes move. */

import { elementBytes } from "../../compiler/kernel/memory.ts";
import type { Buffer } from "../../compiler/kernel/module.ts";
import { type Formula, weightedSum } from "../../ir/base/formula.ts";
import type { Counts } from "./explain-count.ts";

type Traffic = readonly (readonly [buffer: Buffer, elements: Formula])[];

export const traffic = ({ moved }: Counts): Traffic =>
  moved.flatMap(({ buffer, read, written }) =>
    [read, written].map((elements) => [buffer, elements] as const),
  );

/** Bytes of all arrays. */
export const total = (list: Traffic): Formula =>
  weightedSum(list.map(([buffer, elements]) => [elements, elementBytes(buffer)]));
