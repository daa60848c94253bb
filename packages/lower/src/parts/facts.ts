/** Facts about a pipeline that are needed often, computed once. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId, OutputNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";

/** See {@link factsOf}. */
export interface Facts {
  /** By node: the number of its uses, to decide what gets a name. */
  readonly uses: readonly number[];
  /** By node: the first output of the node in its own type. */
  readonly outputs: ReadonlyMap<NodeId, OutputNode>;
  /** Scatters, numbered in the order of the list. */
  readonly scatters: ReadonlyMap<NodeId, number>;
}

const known = new WeakMap<Checked, Facts>();

/** The facts of a pipeline. */
export function factsOf(checked: Checked): Facts {
  const before = known.get(checked);
  if (before) return before;
  const uses: number[] = checked.pipeline.nodes.map(() => 0);
  for (const node of checked.pipeline.nodes) {
    for (const id of operandsOf(node)) uses[id] = (uses[id] as number) + 1;
  }
  const outputs = new Map<NodeId, OutputNode>();
  const scatters = new Map<NodeId, number>();
  for (const sink of checked.sinks) {
    if (sink.kind === "scatter") scatters.set(sink.id, scatters.size);
    else if (sink.as === undefined && !outputs.has(sink.of)) outputs.set(sink.of, sink);
  }
  const facts: Facts = { uses, outputs, scatters };
  known.set(checked, facts);
  return facts;
}
