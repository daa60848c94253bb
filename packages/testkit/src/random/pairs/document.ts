/**
 * Random documents of a few nodes each. The document of a number contains some of the pairs that documents may have, so that
 * as many documents as `roundOf` contain all of them; everything around these pairs is random, three levels deep.
 */
import { type Operator, type Pipeline, problemsOf } from "@groupwise/core";
import { mapOperands, PipelineNodes } from "@groupwise/core/target";
import { randomOf } from "../../data/random.ts";
import type { CaseRun, RandomCase } from "../make/case.ts";
import type { PipelineSize } from "../make/pipelines.ts";
import { aimOf, SIZES } from "./aims.ts";
import { Draft } from "./draft.ts";
import { OPERATORS } from "./operators.ts";
import { shapeOf } from "./range.ts";

/** Documents in a row that have the same range and the same kind of data, so that they can run together. */
export const SAME_RANGE = 16;
/** A prefix of the names of each, so that their values are the same alone and together. */
const LETTERS = "abcdefghijklmnop";

function attempt(size: PipelineSize, seed: string, number: number, tried: number): RandomCase {
  const block = Math.floor(number / SAME_RANGE);
  const same = randomOf("range of pairs", seed, block);
  const { workGroupSize, ...range } = shapeOf(same);
  const random = randomOf("pairs", seed, number, tried);
  const draft = new Draft(
    random,
    range.globalSize,
    LETTERS[number % SAME_RANGE] as string,
    SIZES[size],
    tried / ATTEMPTS,
  );
  const kept: number[] = [];
  const aim = aimOf(size, number);
  const id = draft.make(aim.operand, 1);
  if (random.chance(0.5)) kept.push(id);
  for (const use of aim.uses) draft.use(use, id);
  draft.chain();
  draft.outputs(kept);
  // Another stream of random numbers, so that the rest is the same without it.
  const own = randomOf("ranks of pairs", seed, number, tried);
  if (own.chance(RANKED)) draft.ranked(own);
  const { nodes, params, tables, operators } = draft;
  const pipeline = {
    ...{ format: "groupwise-pipeline", version: 1, name: "pairs", workGroupSize, nodes },
    ...(operators.length > 0 && { operators: operators.map((own) => OPERATORS[own] as Operator) }),
  } as unknown as Pipeline;
  const run: CaseRun = {
    seed: `${seed} ${block}`,
    ...range,
    ...(same.chance(0.5) && { ordinary: true as const }),
    params,
    tables,
  };
  return { pipeline, run };
}

const ATTEMPTS = 50;
/** The part of documents that also rank items. */
const RANKED = 0.1;

/**
 * The document of a number, with the data of a run.
 * @throws Error if the rules of documents refuse every attempt, which is a fault of the forms
 */
export function pairsCase(size: PipelineSize, seed: string, number: number): RandomCase {
  let problem: unknown;
  for (let tried = 0; tried < ATTEMPTS; tried++) {
    const one = attempt(size, seed, number, tried);
    [problem] = problemsOf(one.pipeline);
    if (problem === undefined) return one;
    if (!EXCUSED.includes((problem as { code: string }).code)) throw problem;
  }
  throw problem;
}
/** Documents of one range as one document. */
export function together(cases: readonly RandomCase[]): RandomCase {
  const [first] = cases;
  if (cases.length === 1 && first) return first;
  const operators: Operator[] = [];
  const list = new PipelineNodes();
  for (const { pipeline } of cases) {
    const start = list.nodes.length;
    const places = (pipeline.operators ?? []).map((operator) => {
      const known = operators.indexOf(operator);
      return known >= 0 ? known : operators.push(operator) - 1;
    });
    for (const node of pipeline.nodes) {
      const own = mapOperands(node, (id) => id + start);
      list.add(own.kind === "user-collective" ? { ...own, operator: places[own.operator] as number } : own);
    }
  }
  const { pipeline, run } = first as RandomCase;
  const params = Object.assign({}, ...cases.map((one) => one.run.params));
  const tables = Object.assign({}, ...cases.map((one) => one.run.tables));
  const all = { ...pipeline, nodes: list.nodes, ...(operators.length > 0 && { operators }) };
  return { pipeline: all, run: { ...run, params, tables } };
}

/** Rules about values that are known before a run; the forms do not follow values. */
const EXCUSED: readonly string[] = ["broadcast-outside", "bad-capacity", "too-large"];
