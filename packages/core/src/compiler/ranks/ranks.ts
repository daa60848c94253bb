/**
 * Scatters that fill consecutive slots: the slot of an item is the number of earlier items that write too. A tile of items then
 * writes one run of slots, without gaps.
 */
import type { Checked } from "../../ir/document/check.ts";
import type { NodeId, PipelineNode, ScatterNode } from "../../ir/document/node.ts";
import { keysOf, keysOfPairs } from "./keys.ts";

/** What is known of such a scatter. */
export interface Rank {
  /** The condition of the items that write. */
  readonly where: NodeId;
  /** What an item that does not write must add to its slot to get the number of earlier items that write. */
  readonly skipped: 0 | 1;
  /** The total of the same count, where the scatter's length is that: its slots are all written, and no others. */
  readonly total: NodeId | undefined;
}

export type Ranks = ReadonlyMap<NodeId, Rank>;
export const NO_RANKS: Ranks = new Map();

const known = new WeakMap<Checked, Ranks>();

/** By scatter. */
export function ranksOf(checked: Checked): Ranks {
  const before = known.get(checked);
  if (before) return before;
  const ranks = findRanks(checked);
  known.set(checked, ranks);
  return ranks;
}

function findRanks(checked: Checked): Ranks {
  const scatters = checked.sinks.filter(hasCondition);
  if (scatters.length === 0) return NO_RANKS;
  const finder = new Finder(checked);
  const found = scatters.map((sink) => [sink.id, finder.rankOf(sink)] as const);
  return new Map(found.filter((entry): entry is readonly [NodeId, Rank] => entry[1] !== undefined));
}

type Conditional = ScatterNode & { readonly where: NodeId };
const hasCondition = (sink: PipelineNode): sink is Conditional =>
  sink.kind === "scatter" && sink.where !== undefined && sink.combine === undefined;

/** A slot that counts items: those before the item, or those up to it, less one. */
interface Count {
  /** What is counted. */
  readonly condition: NodeId;
  readonly inclusive: boolean;
}

class Finder {
  private readonly checked: Checked;
  private readonly keyOf: ReturnType<typeof keysOf>;
  private pairs: ReturnType<typeof keysOfPairs> | undefined;

  constructor(checked: Checked) {
    this.checked = checked;
    this.keyOf = keysOf(checked);
  }

  rankOf({ where, slot, length }: Conditional): Rank | undefined {
    const count = this.countOf(slot);
    if (!count) return undefined;
    const isOwn = this.keyOf(count.condition) === this.keyOf(where);
    if (!isOwn && !(count.inclusive && this.isEndOf(where, count.condition))) return undefined;
    const isTotal = length !== undefined && this.isTotalOf(length, count.condition);
    return { where, skipped: isOwn && count.inclusive ? 1 : 0, total: isTotal ? length : undefined };
  }

  private node(id: NodeId): PipelineNode {
    return this.checked.pipeline.nodes[id] as PipelineNode;
  }

  private countOf(slot: NodeId): Count | undefined {
    const node = this.node(slot);
    const isLess = node.kind === "binary" && node.op === "sub" && this.isConstant(node.right, 1);
    const scan = isLess ? this.node(node.left) : node;
    if (scan.kind !== (isLess ? "scan-inclusive" : "scan-exclusive")) return undefined;
    if (scan.op !== "add" || scan.type !== "u32" || scan.scope !== "device") return undefined;
    const condition = this.counted(scan.of);
    return condition === undefined ? undefined : { condition, inclusive: isLess };
  }

  /** The condition of which a value is 1 where it holds, and 0 where it does not. */
  private counted(id: NodeId): NodeId | undefined {
    const node = this.node(id);
    if (node.kind === "cast" && node.to === "u32" && this.checked.types[node.of] === "bool") return node.of;
    const isChoice =
      node.kind === "select" && this.isConstant(node.then, 1) && this.isConstant(node.otherwise, 0);
    return isChoice ? node.condition : undefined;
  }

  private isTotalOf(id: NodeId, condition: NodeId): boolean {
    const node = this.node(id);
    if (node.kind !== "reduce" || node.op !== "add" || node.type !== "u32" || node.scope !== "device")
      return false;
    const counted = this.counted(node.of);
    return counted !== undefined && this.keyOf(counted) === this.keyOf(condition);
  }

  /**
   * Whether `end` holds for the last items of the runs that begin where `start` holds: for the last item of all, and where `start`
   * holds for the next one. As many runs end before an item as begin up to it, less one.
   */
  private isEndOf(end: NodeId, start: NodeId): boolean {
    const [ends, starts] = [this.node(end), this.node(start)];
    if (!isOr(ends) || !isOr(starts) || this.checked.pipeline.workGroupSize.length > 1) return false;
    this.pairs ??= keysOfPairs(this.checked);
    const { here, next } = this.pairs;
    const sides = ({ left, right }: Either): [NodeId, NodeId][] => [
      [left, right],
      [right, left],
    ];
    return sides(starts).some(
      ([first, startsRun]) =>
        this.isFirst(first) &&
        sides(ends).some(([last, endsRun]) => this.isLast(last) && next(startsRun) === here(endsRun)),
    );
  }

  private isFirst(id: NodeId): boolean {
    const node = this.node(id);
    return (
      node.kind === "binary" && node.op === "eq" && this.isIndex(node.left) && this.isConstant(node.right, 0)
    );
  }

  private isLast(id: NodeId): boolean {
    const node = this.node(id);
    if (node.kind !== "binary" || node.op !== "eq") return false;
    const [next, size] = [this.node(node.left), this.node(node.right)];
    const isNext =
      next.kind === "binary" &&
      next.op === "add" &&
      this.isIndex(next.left) &&
      this.isConstant(next.right, 1);
    return isNext && size.kind === "query" && size.query === "global-size" && size.dimension === 0;
  }

  private isIndex(id: NodeId): boolean {
    const node = this.node(id);
    return node.kind === "query" && node.query === "global-linear-id";
  }

  private isConstant(id: NodeId, value: number): boolean {
    const node = this.node(id);
    return node.kind === "const" && node.type === "u32" && node.value === value;
  }
}

type Either = Extract<PipelineNode, { kind: "binary" }>;
const isOr = (node: PipelineNode): node is Either => node.kind === "binary" && node.op === "or";
