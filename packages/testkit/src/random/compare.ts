/** One random case on a device and in the reference. */
import { withoutDead } from "../data/parts.ts";
import { NotSupportedError, type Subject } from "../subject/subject.ts";
import { type RandomCase, valuesOf } from "./make/case.ts";
import { hashedPipeline, type Trees } from "./make/expressions.ts";

/** The differences of all outputs as one text; undefined if there are none. @throws NotSupportedError */
export async function differenceOf(subject: Subject, one: RandomCase): Promise<string | undefined> {
  const { values, options } = valuesOf(one);
  try {
    const found = await subject.compareOnce(one.pipeline, values, options);
    const texts = Object.entries(found).map(([name, text]) => `${name}: ${text}`);
    return texts.length > 0 ? texts.join("; ") : undefined;
  } catch (error) {
    if (error instanceof NotSupportedError) throw error;
    return `it throws ${(error as Error).message.slice(0, 500)}`;
  }
}

/** {@link differenceOf} of trees, all in one hash. */
export const differenceOfTrees = (subject: Subject, trees: Trees): Promise<string | undefined> =>
  differenceOf(subject, { pipeline: withoutDead(hashedPipeline(trees)), run: trees.run });
