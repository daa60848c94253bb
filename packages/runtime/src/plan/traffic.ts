/** Bytes that passes move. */

import { type Formula, weightedSum } from "@groupwise/ir/base/formula.js";
import { elementBytes } from "@groupwise/kernel/language/memory.js";
import type { Buffer } from "@groupwise/kernel/language/module.js";
import type { Counts } from "./explain-count.ts";

type Traffic = readonly (readonly [buffer: Buffer, elements: Formula])[];

export const traffic = ({ moved }: Counts): Traffic =>
  moved.flatMap(({ buffer, read, written }) =>
    [read, written].map((elements) => [buffer, elements] as const),
  );

/** Bytes of all arrays. */
export const total = (list: Traffic): Formula =>
  weightedSum(list.map(([buffer, elements]) => [elements, elementBytes(buffer)]));
