/** The rules of all operators. */
import { ACTIVATIONS } from "./activations.ts";
import { ELEMENT_WISE } from "./element-wise.ts";
import { GATHERS } from "./gather.ts";
import { MOVES } from "./moves.ts";
import { OTHERS } from "./others.ts";
import { PAIRS } from "./pairs.ts";
import { REDUCES } from "./reduce.ts";
import { SCANS } from "./scan.ts";
import { SELECTIONS } from "./selection.ts";
import type { Rule } from "./view.ts";

export const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    ...OTHERS,
    ...ELEMENT_WISE,
    ...ACTIVATIONS,
    ...REDUCES,
    ...SCANS,
    ...MOVES,
    ...GATHERS,
    ...SELECTIONS,
    ...PAIRS,
  }),
);
