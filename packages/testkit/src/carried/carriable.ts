/** Random pipelines that chunks can compute. */
import { check, type Pipeline, type PipelineNode } from "@groupwise/core";
import { mapOperands, type Query } from "@groupwise/core/target";

const GROUPS: ReadonlyMap<Query, Query> = new Map([
  ["local-size", "global-size"],
  ["num-groups", "global-size"],
  ["local-id", "global-linear-id"],
  ["group-id", "global-linear-id"],
  ["local-linear-id", "global-linear-id"],
]);

/**
 * A pipeline of one dimension without what chunks cannot compute: work-groups become the whole range, reads of any item reads of the previous one, ranks
 * their keys, scatters outputs.
 * @throws GroupwiseError if it is not valid
 */
export function carriable({ nodes, ...rest }: Pipeline): Pipeline {
  const made: PipelineNode[] = [];
  const moved: number[] = [];
  const add = (node: object): number => made.push({ ...node, id: made.length } as PipelineNode) - 1;
  const query = (name: Query): object => ({ kind: "query", query: name, dimension: 0 });
  const isOfItem = (id: number): boolean => {
    const sink = { id: made.length, kind: "output", name: "none", of: id } as const;
    return check({ ...rest, nodes: [...made, sink] }).uniformities[id] === "item";
  };
  const copy = (node: PipelineNode): number => {
    if (node.kind === "rank") return node.of;
    if (node.kind === "scatter") return add({ kind: "output", name: node.name, of: node.value });
    if (node.kind === "query") return add({ ...node, ...query(GROUPS.get(node.query) ?? node.query) });
    if (node.kind !== "gather" || made[node.of]?.kind === "table" || !isOfItem(node.index))
      return add("scope" in node ? { ...node, scope: "device" } : node);
    const right = add({ kind: "const", type: "u32", value: 1 });
    const index = add({ kind: "binary", op: "sub", left: add(query("global-linear-id")), right });
    return add({ ...node, index });
  };
  for (const node of nodes) moved.push(copy(mapOperands(node, (id) => moved[id] as number)));
  const pipeline = { ...rest, nodes: made };
  check(pipeline);
  return pipeline;
}
