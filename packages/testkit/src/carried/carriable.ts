/** Random pipelines that chunks can compute. */
import { check, type Pipeline, type PipelineNode } from "@groupwise/core";
import { mapOperands, PipelineNodes, type Query } from "@groupwise/core/target";

const GROUPS: ReadonlyMap<Query, Query> = new Map([
  ["local-size", "global-size"],
  ["num-groups", "global-size"],
  ["local-id", "global-linear-id"],
  ["group-id", "global-linear-id"],
  ["local-linear-id", "global-linear-id"],
]);

/**
 * A pipeline of one dimension without what chunks cannot compute: work-groups become the whole range, reads of any item reads of the previous one, ranks
 * their keys, broadcasts that differ between work-groups their operands, scatters outputs.
 * @throws GroupwiseError if it is not valid
 */
export function carriable({ nodes, ...rest }: Pipeline): Pipeline {
  const list = new PipelineNodes();
  const moved: number[] = [];
  const isOfItem = (id: number): boolean => {
    const sink = { id: list.nodes.length, kind: "output", name: "none", of: id } as const;
    return check({ ...rest, nodes: [...list.nodes, sink] }).uniformities[id] === "item";
  };
  const copy = (node: PipelineNode): number => {
    if (node.kind === "rank" || (node.kind === "broadcast" && node.index.some(isOfItem))) return node.of;
    if (node.kind === "scatter") return list.output(node.name, node.value);
    if (node.kind === "query") return list.query(GROUPS.get(node.query) ?? node.query);
    if (node.kind !== "gather" || list.nodes[node.of]?.kind === "table" || !isOfItem(node.index))
      return list.add("scope" in node ? { ...node, scope: "device" } : node);
    const index = list.binary("sub", list.query("global-linear-id"), list.constant("u32", 1));
    return list.add({ ...node, index });
  };
  // An element of what was a scatter is a value that it moved.
  const givenBy = (id: number): number => {
    const node = list.nodes[id];
    return node?.kind === "output" ? node.of : id;
  };
  for (const node of nodes) moved.push(copy(mapOperands(node, (id) => givenBy(moved[id] as number))));
  const pipeline = { ...rest, nodes: list.nodes };
  check(pipeline);
  return pipeline;
}
