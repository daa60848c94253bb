/** The writes of a pass for four items at once. */
import type { NodeId, SinkNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { isPerGroup, sinksAt } from "../parts/stages.ts";
import { sinkRef } from "../parts/storage.ts";
import type { Values } from "../parts/values.ts";
import type { Context } from "./context.ts";
import { vec4Of } from "./row.ts";

export interface Sinks {
  /** Scans that the pass finishes. */
  readonly scans: readonly NodeId[];
  /** Outputs of an item's value and what later stages read, stored as vec4s. */
  readonly rows: readonly { readonly of: NodeId; readonly array: ArrayRef }[];
  readonly items: readonly SinkNode[];
  /** Outputs of a value per work-group of the pipeline's. */
  readonly groups: readonly SinkNode[];
}

/** The writes of the pass of a stage. @param scans those that the pass finishes */
export function sinksOf(context: Context, stage: number, scans: readonly NodeId[]): Sinks {
  const { checked, plan, storage } = context;
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const groups = sinks.filter((sink) => isPerGroup(checked, sink));
  const found = new Set(scans);
  const rows: { of: NodeId; array: ArrayRef }[] = [];
  const items: SinkNode[] = [];
  for (const sink of sinks.filter((other) => !groups.includes(other))) {
    const array = sinkRef(checked, sink);
    const isHome = sink.kind === "output" && storage.home(sink.of)?.name === sink.name;
    const isElsewhere = isHome && !found.has(sink.of) && !storage.materialized.has(sink.of);
    if (sink.kind === "output" && !isElsewhere) rows.push({ of: sink.of, array });
    else items.push(sink);
  }
  const inRow = new Set(rows.map(({ array }) => array.name));
  const stored = scans.filter((id) => plan.stored.has(id));
  for (const id of [...stored, ...(plan.materialized.get(stage) ?? [])]) {
    const home = storage.home(id);
    if (!home || inRow.has(home.name)) continue;
    rows.push({ of: id, array: home });
    inRow.add(home.name);
  }
  return { scans, rows, items, groups };
}

/** The nodes that sinks are written from. */
export const rootsOf = ({ rows, items, groups }: Sinks): NodeId[] => [
  ...rows.map(({ of }) => of),
  ...[...items, ...groups].flatMap(operandsOf),
];

/** Four items, and their outputs. */
export interface RowToWrite {
  /** The first item, a multiple of four. */
  readonly base: Expr;
  readonly sinks: Sinks;
  /** Nodes that are evaluated, besides those of the outputs. */
  readonly roots?: readonly NodeId[];
  /** Nodes whose values `set` sets. */
  readonly known?: ReadonlySet<NodeId>;
  /** Sets values of the j-th item, those of the pass's scans among them. */
  set?(values: Values, j: number): void;
}

/** Writes the outputs of four items. */
export function writeRow(
  context: Context,
  code: Code,
  { base, sinks, roots = [], known = new Set(), set = () => {} }: RowToWrite,
): void {
  const four = vec4Of(context, code, { base, roots: [...roots, ...rootsOf(sinks)], known });
  four.forEach(set);
  for (const { of, array } of sinks.rows)
    code.storeRow(
      array,
      base,
      four.map((values) => values.get(of, code)),
    );
  for (const values of four) writeOthers(context, code, values, sinks, true);
}

/** Writes the outputs of one item, including those of vec4s. */
export function writeItem(
  context: Context,
  code: Code,
  values: Values,
  sinks: Sinks,
  repeated: boolean = false,
): void {
  for (const { of, array } of sinks.rows) code.store(array, values.site.place.index, values.get(of, code));
  writeOthers(context, code, values, sinks, repeated);
}

type OneByOne = Pick<Sinks, "items" | "groups"> & {
  /** What later stages read. */
  readonly materialized?: readonly NodeId[];
};

/** Writes what is stored element by element for an item. @param repeated others of the module's items are written in the same way */
export function writeOthers(
  { storage, plan: { latency } }: Context,
  code: Code,
  values: Values,
  { materialized = [], items, groups }: OneByOne,
  repeated: boolean = false,
): void {
  for (const id of materialized) storage.materialize(id, values, code);
  for (const sink of items)
    storage.write(sink, values, code, { fits: latency.filled?.has(sink.id) === true, repeated });
  if (groups.length === 0) return;
  code.if(values.site.place.isFirst(code), (one) => {
    for (const sink of groups) storage.write(sink, values, one);
  });
}
