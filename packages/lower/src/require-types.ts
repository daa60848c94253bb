/** Checks the types and scatters of a pipeline that an implementation may lack. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { isSink, operandsOf } from "@groupwise/ir/document/operands.js";
import { typesOfOperator } from "@groupwise/ir/document/operator.js";
import { isNarrow, type Narrow } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { type Capabilities, isSupported, type Support } from "@groupwise/kernel/capabilities/capabilities.js";

export function requireTypes(checked: Checked, capabilities: Capabilities): void {
  const { nodes } = checked.pipeline;
  const require = (support: Support, what: string, node: PipelineNode): void => {
    if (isSupported(support)) return;
    throw errorOf(
      "unsupported",
      { what, reason: support.unsupported },
      node.at ?? `node ${node.id} (${node.kind})`,
    );
  };
  const indexes = indexesAlone(nodes);
  for (const node of nodes) {
    if (indexes.has(node.id)) continue;
    require(capabilities.scalars[checked.types[node.id] as Scalar], checked.types[node.id] as Scalar, node);
    if (node.kind === "scatter") require(capabilities.scatter, "scatter", node);
    const array = arrayTypeOf(node);
    if (array !== undefined && typeof capabilities.narrow === "object")
      require(capabilities.narrow, array, node);
  }
  const { operators = [] } = checked.pipeline;
  operators.forEach((operator, index) => {
    const used = nodes.find((node) => node.kind === "user-collective" && node.operator === index);
    if (!used) return;
    for (const type of new Set(typesOfOperator(operator))) {
      const what = `${type}, which the operator ${operator.name} computes with,`;
      require(capabilities.scalars[type], what, used);
    }
  });
}

/** The narrow type of an array that the node represents. */
function arrayTypeOf(node: PipelineNode): Narrow | undefined {
  if (isSink(node)) return node.as;
  return (node.kind === "input" || node.kind === "table") && isNarrow(node.type) ? node.type : undefined;
}

/** Nodes that are only indexes need no element type of the target. */
function indexesAlone(nodes: readonly PipelineNode[]): ReadonlySet<NodeId> {
  const used = new Set<NodeId>();
  const others = new Set<NodeId>();
  for (const user of nodes.toReversed()) {
    const isIndex = isNumber(user) && used.has(user.id) && !others.has(user.id);
    for (const id of operandsOf(user)) {
      used.add(id);
      const isFor = (user.kind === "broadcast" || user.kind === "gather") && user.of !== id;
      if (!isFor && !isIndex) others.add(id);
    }
  }
  return new Set(nodes.filter((n) => isNumber(n) && used.has(n.id) && !others.has(n.id)).map(({ id }) => id));
}

const isNumber = (node: PipelineNode): boolean =>
  node.kind === "const" ||
  node.kind === "query" ||
  node.kind === "table-length" ||
  (node.kind === "binary" && (node.op === "min" || node.op === "max"));
