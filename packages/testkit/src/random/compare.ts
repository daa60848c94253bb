/** One random case on a device and in the reference. */

import type { RunValues, Scalar } from "@groupwise/core";
import { itemsIn } from "@groupwise/core/target";
import { NotSupportedError, type Subject } from "../subject/subject.ts";
import { meetsSubnormals } from "./flush.ts";
import { type RandomCase, valuesOf } from "./make/case.ts";
import { FLOAT_TYPES } from "./make/constants.ts";
import { hashedPipeline, plainPipeline, type Trees } from "./make/expressions.ts";
import { withoutDead } from "./shrink.ts";

/** The types of floats whose subnormal numbers a device flushes. */
export async function flushedBy(subject: Subject): Promise<ReadonlySet<Scalar>> {
  const flushed = new Set<Scalar>();
  for (const type of FLOAT_TYPES) if ((await subject.flushes(type)).flushes) flushed.add(type);
  return flushed;
}

/** The differences of all outputs as one text; undefined if there are none. @throws NotSupportedError */
export async function differenceOf(
  subject: Subject,
  one: RandomCase,
  extra?: RunValues,
): Promise<string | undefined> {
  const flushed = await flushedBy(subject);
  const { values, options } = valuesOf(one, flushed.size === 0, extra);
  try {
    const found = await subject.compareOnce(one.pipeline, values, {
      ...options,
      tolerateFlush: flushed.size > 0,
    });
    const texts = Object.entries(found).map(([name, text]) => `${name}: ${text}`);
    return texts.length > 0 ? texts.join("; ") : undefined;
  } catch (error) {
    if (error instanceof NotSupportedError) throw error;
    return `it throws ${(error as Error).message.slice(0, 500)}`;
  }
}

/** {@link differenceOf} of trees, all in one hash. */
export async function differenceOfTrees(subject: Subject, trees: Trees): Promise<string | undefined> {
  const pipeline = withoutDead(hashedPipeline(trees));
  return differenceOf(subject, { pipeline, run: trees.run }, await keptOf(subject, trees));
}

/** Bit `i` of an item is set if no subnormal number occurs in the computation of tree `i`. */
async function keptOf(subject: Subject, trees: Trees): Promise<RunValues> {
  const keep = new Uint32Array(itemsIn(trees.run.globalSize)).fill(0xffffffff);
  const flushed = await flushedBy(subject);
  if (flushed.size === 0) return { keep };
  const pipeline = plainPipeline(trees);
  const { values } = valuesOf({ pipeline, run: trees.run }, false);
  const met = meetsSubnormals(pipeline, values, { globalSize: trees.run.globalSize }, flushed);
  trees.roots.forEach((root, tree) => {
    for (let i = 0; i < keep.length; i++) if (met[root]?.[i]) keep[i] = (keep[i] as number) & ~(1 << tree);
  });
  return { keep };
}
