/** The outputs whose bits may differ between targets because of fast functions. */
import type { FunctionName } from "../functions/spec.ts";
import type { Pipeline, PipelineNode } from "./node.ts";
import { isSink, operandsOf } from "./operands.ts";
import type { OperatorNode } from "./operator.ts";

/** Fast functions and the outputs that depend on them. */
export interface FastUse {
  /** By name, each once. */
  readonly functions: readonly FunctionName[];
  /** Outputs that depend on them, whose bits may differ between targets. */
  readonly outputs: readonly string[];
}

/** The fast functions of a pipeline, those of its operators included, and the outputs that depend on them. */
export function fastUseOf({ nodes, operators = [] }: Pick<Pipeline, "nodes" | "operators">): FastUse {
  const functions = new Set<FunctionName>();
  const isFast = (node: PipelineNode | OperatorNode): boolean => {
    if (node.kind !== "function" || !node.fast) return false;
    functions.add(node.op);
    return true;
  };
  const fastOperators = operators.map((operator) => operator.nodes.filter(isFast).length > 0);
  const reached = new Set<number>();
  const outputs: string[] = [];
  for (const node of nodes) {
    const own = isFast(node) || (node.kind === "user-collective" && fastOperators[node.operator]);
    if (!own && !operandsOf(node).some((id) => reached.has(id))) continue;
    reached.add(node.id);
    if (isSink(node)) outputs.push(node.name);
  }
  return { functions: [...functions], outputs };
}
