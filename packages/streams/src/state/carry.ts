/** Pipelines over a chunk: parameters and tables hold the state before it, outputs the state after it. */

import {
  BOOLEAN,
  LIST,
  optionsOf,
  requireArgument,
  shaped,
  TEXT,
  type Wanted,
} from "@groupwise/ir/base/arguments.js";
import { hintOf, Names } from "@groupwise/ir/base/names.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isMonoid } from "@groupwise/ir/document/collectives.js";
import type {
  GatherNode,
  MonoidCollective,
  NodeId,
  Pipeline,
  PipelineNode,
  ScatterNode,
} from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { isSink, mapOperands, operandsOf } from "@groupwise/ir/document/operands.js";
import type { Operator, OperatorNode } from "@groupwise/ir/document/operator.js";
import { isCount } from "@groupwise/ir/document/query.js";
import { CHECKED, DOCUMENT } from "@groupwise/ir/document/shapes.js";
import { orderedScatters } from "@groupwise/ir/slots/filled.js";
import { AfterChunk, distanceAhead, type ItemsAfter, isEnd, itemsAfter } from "./others/ahead.ts";
import { neededFor } from "./others/live.ts";
import { withoutOthers } from "./others/others.ts";
import { isEdge, isIndex, refuseAlways, refuseUncarried } from "./refuse.ts";
import { type StateOperator, typesOfState } from "./state.ts";

/** One operator on one operand, or on one record. */
export interface CarriedScan {
  /** The scans, reduces and votes of the state, by their ids in the carried pipeline. */
  readonly nodes: readonly NodeId[];
  readonly operator: StateOperator;
  /** For each value of the total: the table with the state before the chunk. */
  readonly from: readonly string[];
  /** For each value of the total: the output for the state after it. */
  readonly to: readonly string[];
}

/** A pipeline over a chunk. */
export interface Carried {
  /** The pipeline over the whole range. */
  readonly source: Checked;
  readonly pipeline: Pipeline;
  /** The parameter, u32, for the position of the chunk in the range. */
  readonly place: string;
  /** The parameter, u32, that is added to indexes of items; undefined if they are unused. */
  readonly first: string | undefined;
  /** True if these indexes are only compared with 0. */
  readonly edges: boolean;
  readonly scans: readonly CarriedScan[];
  /**
   * The scatters, by name: a chunk's elements follow those of earlier chunks, whose number is the total before the chunk of the scan at this index of `scans`,
   * modulo 2^32.
   */
  readonly appended: ReadonlyMap<string, number>;
  /** By scatter: the parameter, u32, for the number of elements that its array has room for; empty unless requested. */
  readonly rooms: ReadonlyMap<string, string>;
  /** The items after the chunk that it reads; undefined if it reads none. */
  readonly after: ItemsAfter | undefined;
  /** Whether arrays hold the items of a chunk from the last to the first. */
  readonly isTurned: boolean;
}

/** Options of `carriedOf`. */
export interface CarriedOptions {
  /** Whether the caller limits the number of elements of each scatter. Default: an array has an element for each item of the chunk. */
  readonly rooms?: boolean;
  /** Whether the first item of a chunk is the last element of its arrays, as in pipelines over mirrored items. Default: false. */
  readonly isTurned?: boolean;
}

const OPTIONS = { rooms: BOOLEAN, isTurned: BOOLEAN };
/** A pipeline over a chunk. */
export const CARRIED: Wanted = /*@__PURE__*/ shaped("the result of `carriedOf`", {
  pipeline: DOCUMENT,
  place: TEXT,
  scans: LIST,
});

/** A text for each value of a total. */
export const valueNames = (operator: StateOperator): readonly string[] =>
  "op" in operator ? [operator.op] : operator.fields.map(({ name }) => `${operator.name}_${name}`);

/** The operator of a collective. */
function operatorOf(node: MonoidCollective, { operators = [] }: Pipeline): StateOperator {
  if (node.kind === "user-collective") return withoutPlaces(operators[node.operator] as Operator);
  if (node.kind === "all") return { op: "logical-and", type: "bool" };
  if (node.kind === "any") return { op: "logical-or", type: "bool" };
  return { op: node.op, type: node.type };
}

const withoutPlaces = (operator: Operator): Operator => ({
  ...operator,
  nodes: operator.nodes.map(({ at: _, ...node }) => node as OperatorNode),
});

/** Collectives of one operator and operand have one state. */
function keyOf(node: MonoidCollective, pipeline: Pipeline): string {
  const operator = operatorOf(node, pipeline);
  const own = node.kind === "user-collective" ? [node.operator] : Object.values(operator);
  return JSON.stringify([node.of, own]);
}

function scansOf(pipeline: Pipeline, names: Names): CarriedScan[] {
  const found = new Map<string, CarriedScan & { readonly nodes: NodeId[] }>();
  for (const node of pipeline.nodes.filter(isCollective).filter(isMonoid)) {
    const key = keyOf(node, pipeline);
    const operator = operatorOf(node, pipeline);
    const fields = valueNames(operator);
    const made = found.get(key) ?? {
      nodes: [],
      operator,
      from: fields.map((field) => names.fresh(hintOf(`${field}_before`))),
      to: fields.map((field) => names.fresh(hintOf(`${field}_after`))),
    };
    made.nodes.push(node.id);
    found.set(key, made);
  }
  return [...found.values()];
}

/**
 * The slots and the length of a scatter in a chunk: less the elements that earlier chunks have.
 * @param counted the table with their number
 * @param room the name of the parameter for its capacity
 */
function inChunk(
  scatter: ScatterNode,
  counted: NodeId,
  room: string | undefined,
  list: PipelineNodes,
): ScatterNode {
  const earlier = list.once({ kind: "gather", of: counted, index: list.constant("u32", 0) });
  const capacity =
    room === undefined ? {} : { capacity: list.add({ kind: "param", name: room, type: "u32" }) };
  // Each scatter has a length of its own, which emitted files return.
  const length = list.add({ kind: "binary", op: "sub", left: scatter.length as NodeId, right: earlier });
  return { ...scatter, slot: list.binary("sub", scatter.slot, earlier), length, ...capacity };
}

/** A chunk may have any number of items. */
function free(node: PipelineNode): PipelineNode {
  if (node.kind !== "param" || !node.divides) return node;
  const { divides, ...rest } = node;
  return rest;
}

/** Whether numbers of items are only compared with 0. Reads of later items need none. @param counts the nodes of these numbers */
function readsEdgesAlone({ pipeline: { nodes } }: Checked, counts: readonly NodeId[]): boolean {
  const isReplaced = (node: PipelineNode): boolean => distanceAhead(node, nodes) > 0 || isEnd(node, nodes);
  const isLive = neededFor(nodes, (node) => isSink(node) || isCollective(node), isReplaced);
  return nodes.every(
    (node) =>
      !isLive[node.id] ||
      isReplaced(node) ||
      isEdge(node, nodes) ||
      !operandsOf(node).some((id) => counts.includes(id)),
  );
}

/**
 * The pipeline over a chunk: indexes of items count from the first item of the whole range, and parameters and tables
 * contain the state.
 * @throws GroupwiseError `not-carried`
 * @category Authors
 */
export function carriedOf(checked: Checked, options?: CarriedOptions): Carried {
  requireArgument(checked, CHECKED, "the pipeline");
  const { rooms: hasRooms, isTurned = false } = optionsOf(
    options,
    OPTIONS,
    "the options of carriedOf",
  ) as CarriedOptions;
  refuseUncarried(checked);
  const linked = withoutOthers(checked);
  refuseAlways(linked);
  const { pipeline } = linked;
  const names = new Names(pipeline.nodes.flatMap((node) => ("name" in node ? [node.name] : [])));
  const counts = pipeline.nodes.filter((node) => isIndex(node) || isCount(node)).map(({ id }) => id);
  const place = names.fresh("place");
  const first = counts.length > 0 ? names.fresh("first") : undefined;
  const list = new PipelineNodes();
  list.add({ kind: "param", name: place, type: "u32" });
  const offset = first === undefined ? 0 : list.add({ kind: "param", name: first, type: "u32" });
  const moved: NodeId[] = [];
  const after = itemsAfter(linked, (input) => names.fresh(hintOf(`${input}_later`)));
  const later = after && new AfterChunk(linked, after, list);
  const ordered = orderedScatters(linked);
  for (const node of pipeline.nodes) {
    if (ordered.has(node.id)) {
      moved.push(-1); // a sink, which no node reads
      continue;
    }
    if (later && distanceAhead(node, pipeline.nodes) > 0) {
      const { of } = node as GatherNode;
      moved.push(later.read(node as GatherNode, moved[of] as NodeId));
      continue;
    }
    if (later && isEnd(node, pipeline.nodes)) {
      moved.push(later.end(node));
      continue;
    }
    const id = list.move(free(node), moved);
    const counted = { kind: "binary", op: "add", left: id, right: offset } as const;
    moved.push(counts.includes(node.id) ? list.once(counted, node.at) : id);
  }
  const scans = scansOf({ ...pipeline, nodes: list.nodes }, names);
  const tables = new Map<string, NodeId>();
  for (const { operator, from } of scans)
    for (const [i, type] of typesOfState(operator).entries())
      tables.set(from[i] as string, list.add({ kind: "table", name: from[i] as string, type }));
  const appended = new Map<string, number>();
  const rooms = new Map<string, string>();
  for (const [sink, scan] of ordered) {
    const at = scans.findIndex((one) => one.nodes.includes(moved[scan] as NodeId));
    const [counted] = (scans[at] as CarriedScan).from as [string];
    const scatter = mapOperands(pipeline.nodes[sink] as ScatterNode, (used) => moved[used] as NodeId);
    if (hasRooms) rooms.set(scatter.name, names.fresh(`${hintOf(scatter.name)}_room`));
    list.add(inChunk(scatter, tables.get(counted) as NodeId, rooms.get(scatter.name), list));
    appended.set(scatter.name, at);
  }
  const edges = readsEdgesAlone(linked, counts);
  const made = { source: checked, pipeline: { ...pipeline, nodes: list.nodes }, place, first, edges };
  return { ...made, scans, appended, rooms, after, isTurned };
}
