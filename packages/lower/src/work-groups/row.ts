/** Several items at once: the inputs of a row as vector loads. */
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { BinaryNode, NodeId, PipelineNode, SinkNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { isLinearId } from "@groupwise/ir/document/query.js";
import { type ArrayType, isNarrow } from "@groupwise/ir/tables/narrow.js";
import { SCALARS } from "@groupwise/ir/tables/scalar.js";
import { type ArrayRef, type Code, storageRef } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, lt, select } from "@groupwise/kernel/language/make-expr.js";
import { ROW, type RowWidth } from "@groupwise/kernel/language/stmt.js";
import type { Place } from "../geometry/index.ts";
import { siteOf } from "../parts/site.ts";
import { isPerGroup, sinksAt } from "../parts/stages.ts";
import { type Storage, sinkRef } from "../parts/storage.ts";
import { SiteValues } from "../parts/values.ts";
import type { GroupContext } from "./context.ts";

/** Arrays that the roots depend on: of one element per item (inputs and what earlier passes wrote), or of the one element of a uniform collective. */
function leavesOf(
  context: GroupContext,
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

const isDouble = (type: ArrayType): boolean => !isNarrow(type) && SCALARS[type].words === "pair";

/** The items of a row: where all arrays of an element for each item have elements of 64 bits, two are the 16 bytes that a lane accesses at once. */
export const rowWidth = ({ buffers }: Storage): RowWidth =>
  buffers.every(({ elements, type }) => elements !== "n" || isDouble(type)) ? 2 : ROW;

/** The items of a row. */
export interface RowToRead {
  /** The first, a multiple of their number. */
  readonly base: Expr;
  /** Their number, four by default. */
  readonly width?: RowWidth;
  /** The nodes to evaluate. */
  readonly roots: readonly NodeId[];
  /** Nodes whose values the caller sets. */
  readonly known?: ReadonlySet<NodeId>;
  /** The place of the j-th item; default: that of its number. */
  place?(j: number): Place;
}

/** The values of the items of a row. */
export function rowOf(
  context: GroupContext,
  code: Code,
  { base, width = ROW, roots, known = new Set(), place }: RowToRead,
): SiteValues[] {
  const loaded = new Map<NodeId, readonly Expr[]>();
  for (const [id, array] of leavesOf(context, roots, known))
    if (context.checked.uniformities[id] === "uniform") {
      const value = code.let(array.name, code.load(array, 0));
      loaded.set(id, new Array<Expr>(width).fill(value));
    } else loaded.set(id, code.loadRow(`${array.name}_row`, array, base, width));
  const items: SiteValues[] = [];
  for (let j = 0; j < width; j++) {
    const site = siteOf(context, place?.(j) ?? context.geometry.place(add(base, j)));
    const values: SiteValues = new SiteValues({
      ...{ ...site, number: j },
      leaf: (node, inner) => loaded.get(node.id)?.[j] ?? site.leaf(node, inner),
      // A neighbour in the row exists: its index is not clamped.
      near: ({ of, index }) => loaded.get(of)?.[j + (distanceOf(context, index) ?? width)],
      stepped: (node, inner) => remainderOf(context, node, { values, before: items[j - 1] }, inner),
    });
    items.push(values);
  }
  return items;
}

/** The remainder of an item's own index by a number that is not 0, from that of the item before: a row takes one division. */
function remainderOf(
  { checked: { pipeline } }: GroupContext,
  node: BinaryNode,
  { values, before }: { readonly values: SiteValues; readonly before: SiteValues | undefined },
  code: Code,
): Expr | undefined {
  const divisor = pipeline.nodes[node.right];
  const isSome =
    divisor?.kind === "param" ? divisor.divides : divisor?.kind === "const" && divisor.value !== 0;
  if (node.op !== "rem" || !isSome || !isLinearId(pipeline.nodes[node.left])) return undefined;
  const by = values.get(node.right, code);
  if (!before) return code.let("remainder", binary("rem", values.get(node.left, code), by));
  const next = code.let("next", add(before.get(node.id, code), 1));
  return code.let("remainder", select(lt(next, by), next, 0));
}

/** The distance of an index from the item's own, if it is a constant. */
function distanceOf({ checked: { pipeline } }: GroupContext, index: NodeId): number | undefined {
  const node = pipeline.nodes[index];
  if (isLinearId(node)) return 0;
  if (node?.kind !== "binary" || !isLinearId(pipeline.nodes[node.left])) return undefined;
  const by = pipeline.nodes[node.right];
  if (by?.kind !== "const" || typeof by.value !== "number") return undefined;
  return node.op === "add" ? by.value : node.op === "sub" ? -by.value : undefined;
}

/*
 * The writes of a pass for the items of a row.
 */

export interface Sinks {
  /** Scans that the pass finishes. */
  readonly scans: readonly NodeId[];
  /** Outputs of an item's value and what later stages read, stored as rows. */
  readonly rows: readonly { readonly of: NodeId; readonly array: ArrayRef }[];
  readonly items: readonly SinkNode[];
  /** Outputs of a value per work-group of the pipeline's. */
  readonly groups: readonly SinkNode[];
}

/** The writes of the pass of a stage. @param scans those that the pass finishes */
export function sinksOf(context: GroupContext, stage: number, scans: readonly NodeId[]): Sinks {
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

/** The items of a row, and their outputs. */
export interface RowToWrite extends Pick<RowToRead, "base" | "width" | "place"> {
  readonly sinks: Sinks;
  /** Nodes that are evaluated, besides those of the outputs. */
  readonly roots?: readonly NodeId[];
  /** Nodes whose values `set` sets. */
  readonly known?: ReadonlySet<NodeId>;
  /** Sets values of the j-th item, those of the pass's scans among them. */
  set?(values: SiteValues, j: number): void;
}

/** Writes the outputs of the items of a row. */
export function writeRow(
  context: GroupContext,
  code: Code,
  { sinks, roots = [], set = () => {}, ...row }: RowToWrite,
): void {
  const { base } = row;
  const items = rowOf(context, code, { ...row, roots: [...roots, ...rootsOf(sinks)] });
  items.forEach(set);
  for (const { of, array } of sinks.rows)
    code.storeRow(
      array,
      base,
      items.map((values) => values.get(of, code)),
    );
  for (const values of items) writeOthers(context, code, values, sinks, true);
}

/** Writes the outputs of one item, including those of rows. */
export function writeItem(
  context: GroupContext,
  code: Code,
  values: SiteValues,
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
  { storage, plan: { latency } }: GroupContext,
  code: Code,
  values: SiteValues,
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
