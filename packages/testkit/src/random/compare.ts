/** One random case on a device and in the reference. */
import { check } from "@groupwise/core";
import { expected, outcomeOf, type RunOutcome } from "../data/oracle.ts";
import { NotSupportedError, type Subject } from "../subject/subject.ts";
import { type RandomCase, valuesOf } from "./make/case.ts";

/** What the reference gives for a case. */
export function wantedOf(one: RandomCase): Promise<RunOutcome> {
  const { values, options } = valuesOf(one);
  return outcomeOf(() => expected(check(one.pipeline), values, options));
}

/**
 * The differences of all outputs as one text; undefined if there are none.
 * @param want what the reference gives, where it is known
 * @throws NotSupportedError
 */
export async function differenceOf(
  subject: Subject,
  one: RandomCase,
  want?: RunOutcome,
): Promise<string | undefined> {
  const { values, options } = valuesOf(one);
  try {
    const found = await subject.compareOnce(one.pipeline, values, options, want);
    const texts = Object.entries(found).map(([name, text]) => `${name}: ${text}`);
    return texts.length > 0 ? texts.join("; ") : undefined;
  } catch (error) {
    if (error instanceof NotSupportedError) throw error;
    return `it throws ${(error as Error).message.slice(0, 500)}`;
  }
}
