/** The primitives as checks that devices of other processes serve. */
import { type Check, type Effort, NotSupportedError, tileOf } from "@groupwise/testkit";
import { problemsOf, SUBJECTS } from "../subjects/index.ts";

/** By the effort: fewer items than a tile, or more. */
const lengthsOf = (effort: Effort, tile: number): readonly number[] =>
  effort === "quick" ? [0, 257] : [0, 1, tile + 1];

export const PRIMITIVES: readonly Check[] = SUBJECTS.map((subject) => ({
  name: `primitive: ${subject.name}`,
  run: ({ runtime, effort }) =>
    problemsOf(runtime, subject, lengthsOf(effort, tileOf(runtime.capabilities))).catch((error) => {
      throw error.code === "unsupported" ? new NotSupportedError(error.message) : error;
    }),
}));
