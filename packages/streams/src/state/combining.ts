/** The operators of states as a pipeline over totals, so that emitted files merge states with the bits of `mergeStates`. */
import { requireArguments, TEXT } from "@groupwise/ir/base/arguments.js";
import { hintOf, Names } from "@groupwise/ir/base/names.js";
import type { NodeId, Pipeline } from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { valueNames } from "./carry.ts";
import { OPERATORS, type StateOperator, typesOfState } from "./state.ts";

/** The arrays of one value of a total. */
export interface CombiningValue {
  /** The input for the total of the earlier items. */
  readonly left: string;
  /** The input for the total of the later items. */
  readonly right: string;
  /** The output for the total of both. */
  readonly both: string;
}

/** A pipeline whose items are pairs of totals. */
export interface Combining {
  readonly pipeline: Pipeline;
  /** For each operator, its values in order. */
  readonly values: readonly (readonly CombiningValue[])[];
}

/**
 * The pipeline that combines totals. Totals of logical operators are 0 or 1, as scans return them.
 * @param name of the pipeline
 * @param operators side by side, one total of each for an item
 * @category Authors
 */
export function combiningOf(name: string, operators: readonly StateOperator[]): Combining {
  requireArguments(arguments, "combiningOf", { name: TEXT, operators: OPERATORS });
  const names = new Names();
  const list = new PipelineNodes();
  const values = operators.map((operator) => {
    const types = typesOfState(operator);
    const own = valueNames(operator).map((field) => {
      const [left, right, both] = ["left", "right", "both"].map((side) =>
        names.fresh(hintOf(`${field}_${side}`)),
      );
      return { left, right, both } as CombiningValue;
    });
    const inputs = (side: "left" | "right"): NodeId[] =>
      own.map((value, i) => list.input(value[side], types[i] as Scalar));
    const results = resultsOf(operator, { left: inputs("left"), right: inputs("right") }, list);
    own.forEach(({ both }, i) => {
      list.output(both, results[i] as NodeId);
    });
    return own;
  });
  return { pipeline: list.pipeline(name, [1]), values };
}

interface Sides {
  readonly left: readonly NodeId[];
  readonly right: readonly NodeId[];
}

/** The nodes of one operator. @returns those of its values */
function resultsOf(operator: StateOperator, { left, right }: Sides, list: PipelineNodes): readonly NodeId[] {
  if ("op" in operator)
    return [list.binary(OPS[operator.op].elementwise, left[0] as NodeId, right[0] as NodeId)];
  const moved: NodeId[] = [];
  for (const node of (operator as Operator).nodes) {
    if (node.kind === "left" || node.kind === "right")
      moved.push((node.kind === "left" ? left : right)[node.field] as NodeId);
    else moved.push(list.move(node, moved));
  }
  return operator.results.map((id) => moved[id] as NodeId);
}
