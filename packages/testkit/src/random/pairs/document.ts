/**
 * Random documents of a few nodes each. The document of a number contains some of the pairs that documents may have, so that
 * as many documents as `roundOf` contain all of them; everything around these pairs is random, three levels deep.
 */
import { type Operator, type Pipeline, problemsOf } from "@groupwise/core";
import { randomOf } from "../../data/random.ts";
import type { CaseRun, RandomCase } from "../make/case.ts";
import { OPERATORS } from "../make/operators.ts";
import { companyOf } from "../make/together.ts";
import { aimOf, type PipelineSize, SIZES } from "./aims.ts";
import { Draft } from "./draft.ts";
import { type GroupedRange, shapeOf } from "./range.ts";
import { addRanked } from "./ranked.ts";

const ATTEMPTS = 50;
/** The part of documents that also rank items. */
const RANKED = 0.1;

/** The document of a number, with the data of a run. */
export const pairsCase = (size: PipelineSize, seed: string, number: number): RandomCase =>
  accepted((tried, zeros) => {
    const { block, prefix } = companyOf(number);
    const same = randomOf("range of pairs", seed, block);
    const shape = shapeOf(same);
    const random = randomOf("pairs", seed, number, tried);
    const draft = new Draft(random, shape.globalSize, prefix, SIZES[size], zeros);
    const kept: number[] = [];
    const aim = aimOf(size, number);
    const id = draft.make(aim.operand, 1);
    if (random.chance(0.5)) kept.push(id);
    for (const use of aim.uses) draft.use(use, id);
    draft.chain();
    draft.outputs(kept);
    // Another stream of random numbers, so that the rest is the same without it.
    const own = randomOf("ranks of pairs", seed, number, tried);
    if (own.chance(RANKED)) addRanked(draft, own);
    return caseOf(draft, "pairs", shape, {
      seed: `${seed} ${block}`,
      ...(same.chance(0.5) && { ordinary: true }),
    });
  });

/** What a draft has become, with a run over its range. */
export function caseOf(
  { nodes, params, tables, operators }: Draft,
  name: string,
  { workGroupSize, ...range }: GroupedRange,
  data: Pick<CaseRun, "seed" | "ordinary">,
): RandomCase {
  const pipeline = {
    ...{ format: "groupwise-pipeline", version: 1, name, workGroupSize, nodes },
    ...(operators.length > 0 && { operators: operators.map((own) => OPERATORS[own] as Operator) }),
  } as unknown as Pipeline;
  return { pipeline, run: { ...data, ...range, params, tables } };
}

/**
 * The first of several attempts that the rules of documents do not refuse.
 * @param attempt `zeros`: the part of its constants that are 0, more in each attempt
 * @throws Error if they refuse every attempt, which is a fault of the forms
 */
export function accepted(attempt: (tried: number, zeros: number) => RandomCase): RandomCase {
  let problem: unknown;
  for (let tried = 0; tried < ATTEMPTS; tried++) {
    const one = attempt(tried, tried / ATTEMPTS);
    [problem] = problemsOf(one.pipeline);
    if (problem === undefined) return one;
    if (!EXCUSED.includes((problem as { code: string }).code)) throw problem;
  }
  throw problem;
}
/** Rules about values that are known before a run; the forms do not follow values. */
const EXCUSED: readonly string[] = ["broadcast-outside", "bad-capacity", "too-large"];
