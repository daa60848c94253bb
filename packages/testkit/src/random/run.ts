/** Fuzzing: random cases on a device compared with the reference, until all are done or the time is used up. */
import { withoutDead } from "../data/parts.ts";
import type { Subject } from "../subject/subject.ts";
import { differenceOf, differenceOfTrees } from "./compare.ts";
import { type FuzzOptions, type FuzzReport, FuzzRun } from "./fuzz.ts";
import type { RandomCase } from "./make/case.ts";
import type { Float } from "./make/constants.ts";
import { hashedPipeline, plainPipeline, type Trees, treesOf } from "./make/expressions.ts";
import { pipelineCase } from "./make/pipelines.ts";
import { vectorCase } from "./make/vectors.ts";
import { whyUnsound } from "./sound.ts";

/** All random data of `npm test` is derived from this seed. */
export const SEED = "groupwise";

/** Trees in one pipeline. */
const BATCH = 24;
/** One pipeline of this number has collectives: they take long to compile. */
const COLLECTIVES_EVERY = 8;

/** Random trees of a float type. */
export async function fuzzExpressions(
  subject: Subject,
  type: Float,
  options: FuzzOptions,
): Promise<FuzzReport> {
  const run = new FuzzRun(subject, options);
  for (let batch = 0; batch * BATCH < options.count && !run.isOver; batch++) {
    const count = Math.min(BATCH, options.count - batch * BATCH);
    const collectives = batch % COLLECTIVES_EVERY === COLLECTIVES_EVERY - 1 ? 2 : 0;
    const trees = treesOf(type, count, collectives, options.seed, batch);
    try {
      if (await differenceOfTrees(subject, trees)) await culprits(run, trees, `${options.seed} ${batch}`);
      run.ran += count;
    } catch (error) {
      run.lacks(count, error);
    }
    run.progress();
  }
  return run.report();
}

/** The trees of a batch that differ separately; the whole batch as one case if they differ only together. */
async function culprits(run: FuzzRun, trees: Trees, where: string): Promise<void> {
  const { roots } = trees;
  if (roots.length > 1) {
    const half = roots.length >> 1;
    let isPart = false;
    for (const part of [roots.slice(0, half), roots.slice(half)]) {
      const some = { ...trees, roots: part };
      if ((await differenceOfTrees(run.subject, some)) === undefined) continue;
      isPart = true;
      await culprits(run, some, where);
    }
    if (isPart) return;
  }
  for (const pipeline of [plainPipeline(trees), plainPipeline(trees, true), hashedPipeline(trees)]) {
    const one = { pipeline: withoutDead(pipeline), run: trees.run };
    if ((await run.differs(one)) !== undefined) return run.found(where, one);
  }
}

/** Random pipelines over the whole IR. */
export const fuzzPipelines = (subject: Subject, options: FuzzOptions): Promise<FuzzReport> =>
  fuzzCases(subject, options, (i) => pipelineCase(options.size ?? "large", options.seed, i));

/** Random loops that vectors may compute. */
export const fuzzVectors = (subject: Subject, options: FuzzOptions): Promise<FuzzReport> =>
  fuzzCases(subject, options, (i) => vectorCase(options.seed, i));

async function fuzzCases(
  subject: Subject,
  options: FuzzOptions,
  caseOf: (number: number) => RandomCase,
): Promise<FuzzReport> {
  const run = new FuzzRun(subject, options);
  for (let i = 0; i < options.count && !run.isOver; i++) {
    const one = caseOf(i);
    try {
      const difference = await differenceOf(subject, one);
      if (difference !== undefined && (await whyUnsound(one)) === undefined)
        await run.found(`${options.seed} ${i}`, one);
      run.ran += 1;
    } catch (error) {
      run.lacks(1, error);
    }
    run.progress();
  }
  return run.report();
}

/** Documents that a check examines, without a device.
 * @param documentOf the document of a seed with a number
 * @param problemOf what is wrong with it, or undefined
 */
export async function fuzzDocuments(
  subject: Subject,
  options: FuzzOptions,
  documentOf: (seed: string, number: number) => unknown,
  problemOf: (document: unknown) => string | undefined,
): Promise<FuzzReport> {
  const run = new FuzzRun(subject, options);
  for (let i = 0; i < options.count && !run.isOver; i++) {
    const smallest = documentOf(options.seed, i);
    const what = problemOf(smallest);
    if (what !== undefined) run.keep({ where: `${options.seed} ${i}`, what, smallest });
    run.ran += 1;
    run.progress();
  }
  return run.report();
}
