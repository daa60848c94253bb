/** Operands that a pipeline passes to its operators, evaluated on inputs of many kinds. */
import { type Checked, check } from "../document/check.ts";
import type { NodeId, Pipeline, PipelineNode, UserCollectiveNode } from "../document/node.ts";
import { isSink } from "../document/operands.ts";
import { reference } from "../reference/reference.ts";
import { decodeLiteral } from "../tables/literal.ts";
import { type ArrayType, storedValue, valueTypeOf } from "../tables/narrow.ts";
import type { Scalar, ScalarValue } from "../tables/scalar.ts";
import type { Random } from "./random.ts";
import { type SampleKind, sample, specialsOf } from "./sample.ts";
import type { State } from "./state.ts";

/** Items of a run, per dimension; as many in all. */
const SIDES: readonly (readonly number[])[] = [[24], [6, 4], [4, 3, 2]];
const ITEMS = 24;
/**
 * `each` contains every special value; `constant` the constants of the pipeline, which its conditions compare
 * with.
 */
type Kind = SampleKind | "each" | "constant";
/** The values of the inputs of each run. */
const RUNS: readonly (readonly Kind[])[] = [
  ["each"],
  ["small"],
  ["small"],
  ["any"],
  ["small", "special"],
  ["small", "special", "any"],
  ["special", "any"],
];
/** The constants of the pipeline. */
const CONSTANT_RUNS: readonly (readonly Kind[])[] = [["constant"], ["constant", "small"]];

/** The operands of an operator of the pipeline; none if no node uses it. */
export function fedStates(checked: Checked, operator: number, random: Random, rounds: number): State[] {
  const { nodes } = checked.pipeline;
  const folds = nodes.filter(
    (node): node is UserCollectiveNode => node.kind === "user-collective" && node.operator === operator,
  );
  const lists = [...new Map(folds.map(({ of }) => [of.join(), of])).values()];
  const isConstant = nodes.some(({ kind }) => kind === "const");
  const all = isConstant ? [...RUNS, ...CONSTANT_RUNS] : RUNS;
  const runs = Array.from({ length: rounds }, () => all).flat();
  return lists.flatMap((operands) => runs.flatMap((kinds) => run(checked, operands, kinds, random)));
}

function run(checked: Checked, operands: readonly NodeId[], kinds: readonly Kind[], random: Random): State[] {
  const { pipeline, inputs, params, tables } = checked;
  const value = (type: Scalar): ScalarValue => {
    const kind = random.pick(kinds);
    const constants = kind === "constant" ? constantsOf(pipeline, type) : [];
    if (constants.length > 0) return random.pick(constants);
    return sample(type, kind === "each" || kind === "constant" ? "special" : kind, random);
  };
  const values = (array: ArrayType): ScalarValue[] => {
    const first = random.below(ITEMS);
    const type = valueTypeOf(array);
    const specials = specialsOf(type);
    return Array.from({ length: ITEMS }, (_, i) =>
      storedValue(
        array,
        kinds[0] === "each" ? (specials[(first + i) % specials.length] as ScalarValue) : value(type),
      ),
    );
  };
  const outputs = reference(check(upTo(pipeline, operands)), {
    globalSize: SIDES[pipeline.workGroupSize.length - 1] as readonly number[],
    inputs: Object.fromEntries(inputs.map(({ name, type }) => [name, values(type)])),
    tables: Object.fromEntries(tables.map(({ name, type }) => [name, values(type)])),
    params: Object.fromEntries(params.map(({ name, type }) => [name, value(type)])),
  });
  const columns = operands.map((_, i) => outputs[outputName(i)] as readonly ScalarValue[]);
  const length = Math.max(...columns.map((column) => column.length));
  return Array.from({ length }, (_, i) =>
    columns.map((column) => column[Math.min(i, column.length - 1)] as ScalarValue),
  );
}

function constantsOf({ nodes }: Pipeline, type: Scalar): ScalarValue[] {
  const values = nodes.map((node) =>
    node.kind === "const" && node.type === type ? decodeLiteral(type, node.value) : undefined,
  );
  return values.filter((value) => value !== undefined);
}

const outputName = (operand: number): string => `lawOperand${operand}`;

/** The pipeline with these nodes as its only outputs. */
function upTo(pipeline: Pipeline, operands: readonly NodeId[]): Pipeline {
  const last = Math.max(...operands);
  // Ids are positions, so unneeded nodes become constants.
  const blank = (id: NodeId): PipelineNode => ({ id, kind: "const", type: "u32", value: 0 });
  const kept = pipeline.nodes.slice(0, last + 1).map((node) => (isSink(node) ? blank(node.id) : node));
  const outputs = operands.map(
    (of, i): PipelineNode => ({ id: last + 1 + i, kind: "output", name: outputName(i), of }),
  );
  return { ...pipeline, nodes: [...kept, ...outputs] };
}
