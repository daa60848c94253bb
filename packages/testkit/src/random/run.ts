/** Fuzzing: random cases on a device compared with the reference, until all are done or the time is used up. */
import type { Pipeline } from "@groupwise/core";
import { withoutDead } from "../data/parts.ts";
import type { Subject } from "../subject/subject.ts";
import { type FuzzOptions, type FuzzReport, FuzzRun } from "./fuzz.ts";
import type { RandomCase } from "./make/case.ts";
import { FLOAT_TYPES, type Float } from "./make/constants.ts";
import { hashedPipeline, plainPipeline, type Trees, treesOf } from "./make/expressions.ts";
import { pipelineCase, pipelineInCompany } from "./make/pipelines.ts";
import { mostTogether, together } from "./make/together.ts";
import { vectorCase } from "./make/vectors.ts";
import { pairsCase } from "./pairs/document.ts";

/** All random data of `npm test` is derived from this seed. */
export const SEED = "groupwise";

/** Trees in one pipeline. */
export const TREES_TOGETHER = 24;
/** One pipeline of this number has collectives: they take long to compile. */
const COLLECTIVES_EVERY = 8;

/** Random trees of a float type. */
export const fuzzExpressions = (subject: Subject, type: Float, options: FuzzOptions): Promise<FuzzReport> =>
  new FuzzRun(subject, { kind: "expressions", type, options }).blocks((first, most) => {
    // A tree follows those before it in its batch.
    const [batch, before] = [Math.floor(first / TREES_TOGETHER), first % TREES_TOGETHER];
    const count = Math.min(TREES_TOGETHER - before, most);
    const collectives = batch % COLLECTIVES_EVERY === COLLECTIVES_EVERY - 1 ? 2 : 0;
    const trees = treesOf(type, before + count, collectives, options.seed, batch);
    const some = (from: number, to: number): Trees => ({
      ...trees,
      roots: trees.roots.slice(before + from, before + to),
    });
    const caseOf = (pipeline: Pipeline): RandomCase => ({ pipeline: withoutDead(pipeline), run: trees.run });
    return {
      count,
      some: (from, to) => caseOf(hashedPipeline(some(from, to))),
      forms: (from, to) => {
        const own = some(from, to);
        return [plainPipeline(own), plainPipeline(own, true), hashedPipeline(own)].map(caseOf);
      },
    };
  });

function fuzzCases(
  subject: Subject,
  kind: string,
  options: FuzzOptions,
  caseOf: (number: number) => RandomCase,
): Promise<FuzzReport> {
  const run = new FuzzRun(subject, { kind, options });
  const { batch = 1 } = options;
  return run.blocks((first, most) => {
    const count = Math.min(batch, most, mostTogether(first));
    const cases = Array.from({ length: count }, (_, i) => caseOf(first + i));
    return { count, some: (from, to) => together(cases.slice(from, to)) };
  });
}

/** A kind of random input. */
export interface Fuzzer {
  /** The subjects that it runs for, one after the other: float types, or a single unnamed one. */
  readonly types: readonly (Float | undefined)[];
  run(subject: Subject, options: FuzzOptions, type: Float | undefined): Promise<FuzzReport>;
}

/** One that has any types. @param caseOf the case of a number */
const fuzzer = (kind: string, caseOf: (number: number, options: FuzzOptions) => RandomCase): Fuzzer => ({
  types: [undefined],
  run: (subject, options) => fuzzCases(subject, kind, options, (i) => caseOf(i, options)),
});

/** By the names in the command `random`. One that needs no device takes the subject and ignores it ({@link fuzzDocuments}). */
export const FUZZERS: Readonly<Record<string, Fuzzer>> = {
  expressions: {
    types: FLOAT_TYPES,
    run: (subject, options, type = "f32") => fuzzExpressions(subject, type, options),
  },
  pipelines: fuzzer("pipelines", (i, { size = "large", seed, batch = 1 }) =>
    batch > 1 ? pipelineInCompany(size, seed, i) : pipelineCase(size, seed, i),
  ),
  pairs: fuzzer("pairs", (i, { size = "large", seed }) => pairsCase(size, seed, i)),
  // Loops have ranges of their own.
  vectors: {
    types: [undefined],
    run: (subject, options) =>
      fuzzCases(subject, "vectors", { ...options, batch: 1 }, (i) => vectorCase(options.seed, i)),
  },
};

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
  const run = new FuzzRun(subject, { kind: "documents", options });
  const { from = 0, count } = options;
  for (let i = from; i < from + count && !run.isOver; i++) {
    const smallest = documentOf(options.seed, i);
    const what = problemOf(smallest);
    if (what !== undefined) run.keep(i, { what, smallest });
    run.ran += 1;
    run.progress();
  }
  return run.report();
}
