/** Stable ranks of a schedule, and the scatters that their passes write themselves. */
import { addTo } from "@groupwise/ir/base/lists.js";
import { isRank } from "@groupwise/ir/document/collectives.js";
import type { NodeId, RankNode, ScatterNode, SinkNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { factsOf } from "../parts/facts.ts";
import { type Schedule, waits } from "../parts/stages.ts";
import { isPermuted } from "../ranks/permuted.ts";

/** A rank, and the outputs that its pass writes. */
export interface Ranked {
  readonly node: RankNode;
  /** Scatters by the rank. */
  readonly moved: readonly ScatterNode[];
}

/** The schedule without the scatters that the passes of ranks write, and the ranks by the stage at which they are ready. */
export function withoutMoved(plan: Schedule): {
  readonly plan: Schedule;
  readonly ranked: ReadonlyMap<number, readonly Ranked[]>;
} {
  const ranked = new Map<number, Ranked[]>();
  const { nodes } = plan.checked.pipeline;
  const ranks = nodes.filter(isRank);
  if (ranks.length === 0) return { plan, ranked };
  const sinks = new Map(plan.sinks);
  const stored = new Set(plan.stored);
  for (const node of ranks) {
    const stage = plan.ready[node.id] as number;
    const moved = (sinks.get(stage) ?? []).filter(
      (sink): sink is ScatterNode => sink.kind === "scatter" && isMoved(plan, stage, sink, node.id),
    );
    // An output that holds the rank is the array that others read it from.
    const home = factsOf(plan.checked).outputs.get(node.id);
    const written = new Set<SinkNode | undefined>([...moved, home]);
    sinks.set(
      stage,
      (sinks.get(stage) ?? []).filter((sink) => !written.has(sink)),
    );
    addTo(ranked, stage, { node, moved });
    const taken = new Set<NodeId>(moved.map(({ id }) => id));
    if (!nodes.some((user) => !taken.has(user.id) && operandsOf(user).includes(node.id)))
      stored.delete(node.id);
  }
  return { plan: { ...plan, sinks, stored }, ranked };
}

const isMoved = (plan: Schedule, stage: number, sink: ScatterNode, rank: NodeId): boolean =>
  sink.slot === rank &&
  sink.value !== rank &&
  isPermuted(plan.checked, sink) &&
  !waits(plan, stage, [sink.value]);
