/** Four items at once: what a row's inputs hold, as vector loads. */
import { isCollective } from "../../ir/document/collectives.ts";
import type { NodeId, PipelineNode } from "../../ir/document/node.ts";
import { operandsOf } from "../../ir/document/operands.ts";
import { SCALARS } from "../../ir/tables/scalar.ts";
import type { Capabilities } from "../capabilities/capabilities.ts";
import { type ArrayRef, type Code, storageRef } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, u32 } from "../kernel/make-expr.ts";
import { ROW } from "../kernel/stmt.ts";
import { siteOf } from "../parts/site.ts";
import { Values } from "../parts/values.ts";
import type { Context } from "./context.ts";

/** Whether an array's elements are moved four at a time: not halves in another form than kernels compute with. */
export const inRows = ({ scalars, halfMemory }: Capabilities, { type }: ArrayRef): boolean =>
  scalars[type] === "native" || SCALARS[type].emulated === "words" || halfMemory === "f32";

/** Arrays of one element an item that the roots are computed from. */
function leavesOf(
  context: Context,
  roots: readonly NodeId[],
  known: ReadonlySet<NodeId>,
): Map<NodeId, ArrayRef> {
  const { checked, storage } = context;
  const found = new Map<NodeId, ArrayRef>();
  const seen = new Set<NodeId>();
  const stack = [...roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id) || known.has(id)) continue;
    seen.add(id);
    const node = checked.pipeline.nodes[id] as PipelineNode;
    if (node.kind === "input") found.set(id, storageRef(node.name, node.type));
    else if (node.kind === "gather") stack.push(node.index);
    else if (!isCollective(node)) stack.push(...operandsOf(node));
    else {
      const home = checked.uniformities[id] === "item" ? storage.home(id) : undefined;
      if (home) found.set(id, home);
    }
  }
  return found;
}

/**
 * The values of four items from `base` on, a multiple of four.
 * @param roots what will be asked of them
 * @param known nodes whose values the caller sets
 */
export function rowOf(
  context: Context,
  code: Code,
  base: Expr,
  roots: readonly NodeId[],
  known: ReadonlySet<NodeId>,
): Values[] {
  const loaded = new Map<NodeId, readonly Expr[]>();
  for (const [id, array] of leavesOf(context, roots, known))
    if (inRows(context.capabilities, array)) loaded.set(id, code.loadRow(`${array.name}_row`, array, base));
  return Array.from({ length: ROW }, (_, j) => {
    const site = siteOf(context, context.geometry.place(add(base, u32(j))));
    return new Values({
      ...site,
      leaf: (node, inner) => loaded.get(node.id)?.[j] ?? site.leaf(node, inner),
    });
  });
}
