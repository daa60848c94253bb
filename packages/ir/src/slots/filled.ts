/**
 * Scatters without gaps: the slot of an item is the number of earlier items that write, and the length is the number of
 * all items that write. They need no clearing, and no slot is past the length. In a chunk the scan counts from the number of elements before it, which is
 * subtracted from both.
 */
import type { Checked } from "../document/check.ts";
import type { NodeId, PipelineNode, ScatterNode } from "../document/node.ts";
import { operandsOf } from "../document/operands.ts";
import { isCount, isLinearId } from "../document/query.ts";
import { lessEarlier } from "./in-chunk.ts";
import { keysOf, keysOfPairs } from "./keys.ts";

/** Each with its length, the total of the count. */
export type FilledNodes = ReadonlyMap<NodeId, NodeId>;

/** A result for each checked pipeline, computed once: the keys of all its nodes are needed for it. */
function remembered<T>(find: (checked: Checked) => T): (checked: Checked) => T {
  const known = new WeakMap<Checked, T>();
  return (checked) => {
    const found = known.get(checked) ?? find(checked);
    known.set(checked, found);
    return found;
  };
}

/** The scatters of a pipeline that write exactly the slots below their lengths. */
export const filledScatters: (checked: Checked) => FilledNodes = remembered((checked) => {
  // Narrow elements may be added to words of zeros.
  const scatters = checked.sinks.filter(isCandidate).filter(({ as }) => as === undefined);
  const finder = scatters.length > 0 ? new Finder(checked) : undefined;
  const found = scatters
    .filter((sink) => finder?.isFilled(sink))
    .map(({ id, length }) => [id, length] as const);
  return new Map(found);
});

/**
 * The scatters whose elements are in the order of their items: an item that writes has the slot that counts the earlier
 * ones. Each with the scan that counts.
 */
export const orderedScatters: (checked: Checked) => ReadonlyMap<NodeId, NodeId> = remembered((checked) => {
  const scatters = checked.sinks.filter(isCandidate).filter(({ capacity }) => capacity === undefined);
  if (scatters.length === 0) return new Map();
  const finder = new Finder(checked);
  return new Map(
    scatters.flatMap((sink) => {
      const scan = finder.ownCountOf(sink);
      return scan === undefined ? [] : [[sink.id, scan] as const];
    }),
  );
});

/**
 * The scatters that part their items: those of a condition in order, then the others in order, so that each slot is written once. A
 * chunk's total is not that of the range.
 */
export const partingScatters: (checked: Checked) => ReadonlySet<NodeId> = remembered((checked) => {
  const scatters = checked.sinks.filter((sink) => sink.kind === "scatter");
  const isWhole = !checked.counted && checked.pipeline.workGroupSize.length === 1;
  if (scatters.length === 0 || !isWhole) return new Set();
  const finder = new Finder(checked);
  return new Set(scatters.filter(({ slot }) => finder.isParting(slot)).map(({ id }) => id));
});

/** The operands of a node whose values for the whole range a chunk needs: a chunk of an ordered scatter has a length of its own. */
export const operandsInChunk = (
  node: PipelineNode,
  ordered: ReadonlyMap<NodeId, NodeId>,
): readonly NodeId[] =>
  node.kind === "scatter" && ordered.has(node.id)
    ? operandsOf({ ...node, length: node.slot })
    : operandsOf(node);

type Candidate = ScatterNode & { readonly where: NodeId; readonly length: NodeId };
const isCandidate = (sink: PipelineNode): sink is Candidate =>
  sink.kind === "scatter" &&
  sink.where !== undefined &&
  sink.length !== undefined &&
  sink.combine === undefined;

/** A slot that counts items: those before the item, or those up to it, less one. */
interface Count {
  /** The counted condition. */
  readonly condition: NodeId;
  readonly inclusive: boolean;
  readonly scan: NodeId;
}

class Finder {
  private readonly checked: Checked;
  private readonly keyOf: ReturnType<typeof keysOf>;
  private pairs: ReturnType<typeof keysOfPairs> | undefined;

  constructor(checked: Checked) {
    this.checked = checked;
    this.keyOf = keysOf(checked);
  }

  isFilled(sink: Candidate): boolean {
    const count = this.totalledCountOf(sink);
    if (!count) return false;
    return this.isOwn(sink, count) || (count.inclusive && this.isEndOf(sink.where, count.condition));
  }

  /** The scan of a scatter whose slot counts its own condition. */
  ownCountOf(sink: Candidate): NodeId | undefined {
    const count = this.totalledCountOf(sink);
    return count && this.isOwn(sink, count) ? count.scan : undefined;
  }

  /** Whether a slot is the number of earlier items of a condition, or the number of all of these and of earlier others. */
  isParting(slot: NodeId): boolean {
    const choice = this.node(slot);
    if (choice.kind !== "select") return false;
    const [others, count] = [this.node(choice.otherwise), this.countOf(choice.then)];
    if (!count || count.inclusive || this.keyOf(count.condition) !== this.keyOf(choice.condition))
      return false;
    if (others.kind !== "binary" || others.op !== "sub") return false;
    const sum = this.node(others.left);
    if (sum.kind !== "binary" || sum.op !== "add" || this.keyOf(others.right) !== this.keyOf(choice.then))
      return false;
    const isSum = (total: NodeId, index: NodeId): boolean =>
      this.isIndex(index) && this.isTotalOf(total, choice.condition);
    return isSum(sum.left, sum.right) || isSum(sum.right, sum.left);
  }

  private totalledCountOf({ slot, length }: Candidate): Count | undefined {
    const [own, total] = [lessEarlier(this.checked, slot), lessEarlier(this.checked, length)];
    const count = this.countOf(own.of);
    if (!count || !this.isTotalOf(total.of, count.condition)) return undefined;
    const before = this.checked.counted?.get(count.scan);
    return own.table === before && total.table === before ? count : undefined;
  }

  private isOwn({ where }: Candidate, { condition }: Count): boolean {
    return this.keyOf(condition) === this.keyOf(where);
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
    return condition === undefined ? undefined : { condition, inclusive: isLess, scan: scan.id };
  }

  /** The condition whose value as a number is 1 or 0. */
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
   * Whether `end` is true for the last items of the runs that begin where `start` is true: for the last item of the range, and for each item whose
   * next item has a true `start`. The number of runs that end before an item is the number of runs that begin up to it, minus one.
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
    return isNext && isCount(size);
  }

  private isIndex(id: NodeId): boolean {
    return isLinearId(this.node(id));
  }

  private isConstant(id: NodeId, value: number): boolean {
    const node = this.node(id);
    return node.kind === "const" && node.type === "u32" && node.value === value;
  }
}

type Either = Extract<PipelineNode, { kind: "binary" }>;
const isOr = (node: PipelineNode): node is Either => node.kind === "binary" && node.op === "or";
