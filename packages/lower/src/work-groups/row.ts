/** Four items at once: the inputs of a vec4 as vector loads. */
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { isLinearId } from "@groupwise/ir/document/query.js";
import { type ArrayRef, type Code, storageRef } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add } from "@groupwise/kernel/language/make-expr.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import { siteOf } from "../parts/site.ts";
import { Values } from "../parts/values.ts";
import type { Context } from "./context.ts";

/** Arrays that the roots depend on: of one element per item (inputs and what earlier passes wrote), or of the one element of a uniform collective. */
function leavesOf(
  context: Context,
  roots: readonly NodeId[],
  known: ReadonlySet<NodeId>,
): Map<NodeId, ArrayRef> {
  const { checked, storage, written } = context;
  const found = new Map<NodeId, ArrayRef>();
  const seen = new Set<NodeId>();
  const stack = [...roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id) || known.has(id)) continue;
    seen.add(id);
    const node = checked.pipeline.nodes[id] as PipelineNode;
    if (written.has(id)) found.set(id, storage.home(id) as ArrayRef);
    else if (node.kind === "input") found.set(id, storageRef(node.name, node.type));
    else if (node.kind === "gather") stack.push(node.index);
    else if (!isCollective(node)) stack.push(...operandsOf(node));
    else {
      const home = checked.uniformities[id] === "group" ? undefined : storage.home(id);
      if (home) found.set(id, home);
    }
  }
  return found;
}

/** Four items. */
export interface Vec4ToRead {
  /** The first, a multiple of four. */
  readonly base: Expr;
  /** The nodes to evaluate. */
  readonly roots: readonly NodeId[];
  /** Nodes whose values the caller sets. */
  readonly known?: ReadonlySet<NodeId>;
}

/** The values of four items. */
export function vec4Of(
  context: Context,
  code: Code,
  { base, roots, known = new Set() }: Vec4ToRead,
): Values[] {
  const loaded = new Map<NodeId, readonly Expr[]>();
  for (const [id, array] of leavesOf(context, roots, known))
    if (context.checked.uniformities[id] === "uniform") {
      const value = code.let(array.name, code.load(array, 0));
      loaded.set(id, new Array<Expr>(ROW).fill(value));
    } else loaded.set(id, code.loadRow(`${array.name}_row`, array, base));
  return Array.from({ length: ROW }, (_, j) => {
    const site = siteOf(context, context.geometry.place(add(base, j)));
    return new Values({
      ...site,
      leaf: (node, inner) => loaded.get(node.id)?.[j] ?? site.leaf(node, inner),
      // A neighbour in the vec4 exists: its index is not clamped.
      near: ({ of, index }) => loaded.get(of)?.[j + (distanceOf(context, index) ?? ROW)],
    });
  });
}

/** The distance of an index from the item's own, if it is a constant. */
function distanceOf({ checked: { pipeline } }: Context, index: NodeId): number | undefined {
  const node = pipeline.nodes[index];
  if (isLinearId(node)) return 0;
  if (node?.kind !== "binary" || !isLinearId(pipeline.nodes[node.left])) return undefined;
  const by = pipeline.nodes[node.right];
  if (by?.kind !== "const" || typeof by.value !== "number") return undefined;
  return node.op === "add" ? by.value : node.op === "sub" ? -by.value : undefined;
}
