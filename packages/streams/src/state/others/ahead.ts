/**
 * Reads of later items at a constant distance. A chunk takes the first items after it, so the value must be computed from inputs at that item alone; such a
 * read becomes reads of the inputs.
 */
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { GatherNode, InputNode, NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import type { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { mapOperands, operandsOf } from "@groupwise/ir/document/operands.js";
import { isCount, isLinearId } from "@groupwise/ir/document/query.js";
import { isOther, offsetOf } from "./reads.ts";

/** The greatest distance of a read of later items. */
const FARTHEST_AHEAD = 0x10000;

type Nodes = readonly PipelineNode[];

/** The number of items by which a node reads after its own; 0 for other nodes. Past the end it reads the last item. */
export function distanceAhead(node: PipelineNode, nodes: Nodes): number {
  const offset = offsetOf(node, nodes) ?? 0;
  return offset > 0 && offset <= FARTHEST_AHEAD ? offset : 0;
}

const constOf = (node: PipelineNode | undefined): number | undefined =>
  node?.kind === "const" && node.type === "u32" ? Number(node.value) : undefined;

/** The constant c of max(n, c) - c, for the number of items n. */
function lessItems(node: PipelineNode | undefined, nodes: Nodes): number | undefined {
  if (node?.kind !== "binary" || node.op !== "sub") return undefined;
  const [most, by] = [nodes[node.left], constOf(nodes[node.right])];
  if (most?.kind !== "binary" || most.op !== "max" || !isCount(nodes[most.left])) return undefined;
  return constOf(nodes[most.right]) === by ? by : undefined;
}

/**
 * The k of a comparison that is true where no item is k after: `index + 1 == n`, or `index >= max(n, k) - k`; 0 for other nodes, and without an input whose later
 * items show where the range ends.
 */
function endDistance(node: PipelineNode, nodes: Nodes): number {
  if (node.kind !== "binary" || !nodes.some(({ kind }) => kind === "input")) return 0;
  const [left, right] = [nodes[node.left], nodes[node.right]];
  if (node.op === "ge" && isLinearId(left)) return boundedDistance(lessItems(right, nodes));
  const isNext =
    left?.kind === "binary" &&
    left.op === "add" &&
    isLinearId(nodes[left.left]) &&
    constOf(nodes[left.right]) === 1;
  return node.op === "eq" && isNext && isCount(right) ? 1 : 0;
}

const boundedDistance = (k: number | undefined): number => (k !== undefined && k <= FARTHEST_AHEAD ? k : 0);

/** Whether a node is a comparison with the end of the range, which a chunk knows from the items after it. */
export const isEnd = (node: PipelineNode, nodes: Nodes): boolean => endDistance(node, nodes) > 0;

/** Whether a node reads a later item, and inputs at that item determine its value. */
export function isReadAhead(node: PipelineNode, checked: Checked): node is GatherNode {
  const { nodes } = checked.pipeline;
  return distanceAhead(node, nodes) > 0 && isOfInputs((node as GatherNode).of, checked);
}

function isOfInputs(id: NodeId, checked: Checked): boolean {
  const { pipeline, uniformities } = checked;
  const node = pipeline.nodes[id] as PipelineNode;
  if (uniformities[id] === "uniform" || node.kind === "input" || isEnd(node, pipeline.nodes)) return true;
  if (isCollective(node) || node.kind === "query") return false;
  if (isOther(node, pipeline.nodes)) return isReadAhead(node, checked);
  return operandsOf(node).every((used) => isOfInputs(used, checked));
}

/** Makes the nodes of values at a later item. */
export class Ahead {
  private readonly checked: Checked;
  private readonly list: PipelineNodes;
  private readonly moved: readonly NodeId[];
  private readonly made = new Map<string, NodeId>();

  /** @param moved by the id of a node: the node that is made of it */
  constructor(checked: Checked, list: PipelineNodes, moved: readonly NodeId[]) {
    this.checked = checked;
    this.list = list;
    this.moved = moved;
  }

  /** The value of a node that `isReadAhead` accepts. */
  read(node: GatherNode): NodeId {
    return this.at(node.of, distanceAhead(node, this.checked.pipeline.nodes));
  }

  private at(id: NodeId, by: number): NodeId {
    const key = `${id} ${by}`;
    const known = this.made.get(key) ?? this.make(this.checked.pipeline.nodes[id] as PipelineNode, by);
    this.made.set(key, known);
    return known;
  }

  private make(node: PipelineNode, by: number): NodeId {
    const { nodes } = this.checked.pipeline;
    const { id } = node;
    if (this.checked.uniformities[id] === "uniform") return this.moved[id] as NodeId;
    if (node.kind === "input")
      return this.list.add({ kind: "gather", of: this.moved[id] as NodeId, index: this.index(by) });
    // The last item is the nearest to items past the end, so distances add up.
    if (isOther(node, nodes)) return this.at((node as GatherNode).of, by + distanceAhead(node, nodes));
    if (isEnd(node, nodes)) return this.end(by + endDistance(node, nodes));
    return this.list.add(mapOperands(node, (used) => this.at(used, by)));
  }

  private end(by: number): NodeId {
    const { list } = this;
    const distance = list.constant("u32", by);
    const from = list.binary("sub", list.binary("max", list.query("global-size"), distance), distance);
    return list.binary("ge", list.query("global-linear-id"), from);
  }

  private index(by: number): NodeId {
    return this.list.binary("add", this.list.query("global-linear-id"), this.list.constant("u32", by));
  }
}

/** What a chunk takes of the items after it. */
export interface ItemsAfter {
  /** The number of items; fewer only at the end of the range. */
  readonly items: number;
  /** The inputs that are read, each with the table for its elements. */
  readonly tables: ReadonlyMap<string, string>;
}

/**
 * The items after a chunk that it reads; undefined if there are none.
 * @param checked a pipeline whose reads of later items are of inputs
 * @param nameOf the name of the table for an input
 */
export function itemsAfter(checked: Checked, nameOf: (input: string) => string): ItemsAfter | undefined {
  const { inputs, pipeline } = checked;
  const { nodes } = pipeline;
  const items = Math.max(
    ...nodes.map((node) => Math.max(distanceAhead(node, nodes), endDistance(node, nodes))),
  );
  if (items === 0) return undefined;
  const read = new Set(
    nodes.flatMap((node) => (distanceAhead(node, nodes) > 0 ? [(node as GatherNode).of] : [])),
  );
  const some = inputs.filter(({ id }) => read.has(id));
  // The number of items after the chunk is that of any input.
  const names = (some.length > 0 ? some : inputs.slice(0, 1)).map(({ name }) => name);
  return { items, tables: new Map(names.map((name) => [name, nameOf(name)])) };
}

/** Makes the reads of a chunk of its own items and of those after it. */
export class AfterChunk {
  private readonly nodes: Nodes;
  private readonly list: PipelineNodes;
  private readonly item: NodeId;
  /** The number of items of the chunk, and with those after it. */
  private readonly own: NodeId;
  private readonly all: NodeId;
  private readonly none: NodeId;
  private readonly tables: ReadonlyMap<string, NodeId>;

  constructor({ pipeline, inputs }: Checked, { tables }: ItemsAfter, list: PipelineNodes) {
    this.nodes = pipeline.nodes;
    this.list = list;
    this.tables = new Map(
      [...tables].map(([input, name]) => {
        const { type } = inputs.find((node) => node.name === input) as InputNode;
        return [input, list.add({ kind: "table", name, type })];
      }),
    );
    const [table] = this.tables.values();
    this.item = list.query("global-linear-id");
    this.own = list.query("global-size");
    const after = list.once({ kind: "table-length", of: table as NodeId });
    this.all = list.binary("add", this.own, after);
    this.none = list.binary("eq", after, list.constant("u32", 0));
  }

  /** @param input the moved node of the input */
  read(node: GatherNode, input: NodeId): NodeId {
    const { list } = this;
    const index = list.binary("add", this.item, list.constant("u32", distanceAhead(node, this.nodes)));
    const { name } = this.nodes[node.of] as InputNode;
    const own = list.once({ kind: "gather", of: input, index });
    const of = this.tables.get(name) as NodeId;
    const later = list.once({ kind: "gather", of, index: list.binary("sub", index, this.own) });
    // Without items after the chunk the last item is its own last one.
    return list.select(list.binary("or", list.binary("lt", index, this.own), this.none), own, later);
  }

  end(node: PipelineNode): NodeId {
    const left = this.list.binary("sub", this.all, this.item);
    return this.list.binary("le", left, this.list.constant("u32", endDistance(node, this.nodes)));
  }
}
