/** What items of a rank take along when they change lanes: the value that the key follows from, in place of their slots. */
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { ELEMENTWISE, operandsOf } from "@groupwise/ir/document/operands.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { SiteContext } from "../parts/site.ts";
import { wordCount } from "../parts/words.ts";
import type { Ranked } from "./kernels.ts";

type Known = Pick<SiteContext, "checked" | "written">;

/**
 * The values from which a value of an item follows; values that all items share are not among them.
 * Those that an earlier stage wrote are read at the item, so nothing before them matters.
 */
function sourcesOf({ checked, written }: Known, of: NodeId): ReadonlySet<NodeId> {
  const { pipeline, uniformities } = checked;
  const seen = new Set<NodeId>();
  const sources = new Set<NodeId>();
  const stack = [of];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id) || uniformities[id] === "uniform") continue;
    seen.add(id);
    const node = pipeline.nodes[id] as PipelineNode;
    if (ELEMENTWISE.has(node.kind) && !written.has(id)) stack.push(...operandsOf(node));
    else sources.add(id);
  }
  return sources;
}

/**
 * The source of a rank is an input from which the key follows, if at least one scatter's value follows from it too, so that no more words move
 * than without it.
 */
export function carriedOf(
  known: Known,
  { node, moved }: Ranked,
): { readonly source: NodeId | undefined; readonly carried: readonly NodeId[] } {
  const { checked } = known;
  const wordsOf = (id: NodeId): number => wordCount(checked.types[id] as Scalar);
  const values = moved.map(({ value }) => value);
  const [source, ...others] = sourcesOf(known, node.of);
  if (source === undefined || others.length > 0 || checked.pipeline.nodes[source]?.kind !== "input")
    return { source: undefined, carried: values };
  const follows = (id: NodeId): boolean => [...sourcesOf(known, id)].every((one) => one === source);
  const saved = values.filter(follows).reduce((sum, id) => sum + wordsOf(id), 1);
  if (saved === 1 || wordsOf(source) > saved) return { source: undefined, carried: values };
  return { source, carried: [source, ...values.filter((id) => !follows(id))] };
}
