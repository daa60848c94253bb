/** What the kernels of a pipeline in chunks share. */
import type { Names } from "@groupwise/ir/base/names.js";
import { isCollective, isMonoid, isScan } from "@groupwise/ir/document/collectives.js";
import type { MonoidCollective, NodeId } from "@groupwise/ir/document/node.js";
import type { Vectors } from "@groupwise/kernel/capabilities/capabilities.js";
import type { CoreChunks } from "@groupwise/kernel/capabilities/chunks.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { type Component, componentsOf } from "../../parts/components.ts";
import { monoidOf } from "../../parts/monoid.ts";
import type { SiteContext } from "../../parts/site.ts";
import type { Schedule } from "../../parts/stages.ts";
import type { TileTotals } from "../../work-groups/tile-totals.ts";

export interface ChunkContext extends SiteContext {
  readonly chunks: CoreChunks;
  readonly vectors: Vectors | undefined;
  readonly plan: Schedule;
  readonly names: Names;
  /** Scatters whose slots are all below their lengths. */
  readonly fits: ReadonlySet<NodeId>;
  /** Reduces that the pass of a scan stores. */
  readonly inScans: ReadonlyMap<NodeId, NodeId>;
  /** By collective over the whole range: the totals of chunks. */
  readonly totals: ReadonlyMap<NodeId, TileTotals>;
  /** Maximum number of bins of a pass. */
  readonly mostBins: number;
  /** True if more work-groups may run than are requested. */
  readonly surplusGroups: boolean;
}

/** Loops use the fixed order even for `order: any`: its dependency chain is shorter than that from left to right. */
const inOrder = (component: Component): Component =>
  component.builtin?.order === "any"
    ? { ...component, monoid: monoidOf(component.builtin.op, component.builtin.type, "fixed") }
    : component;

type Planned = Pick<ChunkContext, "checked" | "plan" | "inScans">;

const device = ({ checked }: Planned): MonoidCollective[] =>
  checked.pipeline.nodes
    .filter(isCollective)
    .filter(isMonoid)
    .filter(({ scope }) => scope === "device");

const grouped = ({ checked }: Planned, nodes: readonly MonoidCollective[]): Component[] =>
  componentsOf(nodes, checked.pipeline.operators).map(inOrder);

/** Scans and reduces over the whole range whose operands a stage reduces; those whose totals another pass leaves are not among them. */
export const startingAt = (context: Planned, stage: number): Component[] =>
  grouped(
    context,
    device(context).filter(({ id }) => context.plan.start.get(id) === stage && !context.inScans.has(id)),
  );

/** Scans over the whole range whose values a stage computes. */
export const finishingAt = (context: Planned, stage: number): Component[] =>
  grouped(
    context,
    device(context).filter((node) => isScan(node) && context.plan.ready[node.id] === stage),
  );

/** Reduces over the whole range whose results a stage can use. */
export const reducedAt = (context: Planned, stage: number): Component[] =>
  grouped(
    context,
    device(context).filter(
      (node) => !isScan(node) && context.plan.ready[node.id] === stage && !context.inScans.has(node.id),
    ),
  );

/** Scans and reduces of a stage within work-groups. */
export const groupedAt = ({ checked, plan }: Planned, stage: number): Component[] =>
  grouped(
    { checked, plan, inScans: new Map() },
    checked.pipeline.nodes
      .filter(isCollective)
      .filter(isMonoid)
      .filter((node) => node.scope === "work-group" && plan.start.get(node.id) === stage),
  );

/** The totals of the chunks of a component. */
export const totalsOf = ({ totals }: ChunkContext, { nodes }: Component): TileTotals =>
  totals.get(nodes[0]?.id as NodeId) as TileTotals;

/** Uniform results that earlier passes stored, as names: arrays that a loop writes might be theirs. */
export function uniformsOf(
  { checked, plan, storage }: ChunkContext,
  stage: number,
  code: Code,
): Map<NodeId, Expr> {
  const found = new Map<NodeId, Expr>();
  for (const { id } of checked.pipeline.nodes.filter(isCollective)) {
    const home = storage.home(id);
    const isStored = checked.uniformities[id] === "uniform" && (plan.ready[id] as number) <= stage;
    if (home && isStored) found.set(id, code.let("result", code.load(home, 0)));
  }
  return found;
}
