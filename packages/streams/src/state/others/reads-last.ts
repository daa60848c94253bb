/**
 * Whether results depend on the values that the first items read of items before the range, which are those of the last item. Keys compare an item with the one before it, and the first item
 * begins a segment anyway.
 */
import type { Checked } from "@groupwise/ir/document/check.js";
import { formOf, isCollective, isMonoid } from "@groupwise/ir/document/collectives.js";
import { knownValue } from "@groupwise/ir/document/known.js";
import type {
  MonoidCollective,
  NodeId,
  PipelineNode,
  UserCollectiveNode,
} from "@groupwise/ir/document/node.js";
import { isSink, operandsOf } from "@groupwise/ir/document/operands.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import { isLinearId } from "@groupwise/ir/document/query.js";
import { decodeLiteral, sameValue } from "@groupwise/ir/tables/literal.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { distanceBack, isPrevious } from "./reads.ts";

/** What is known of a value. The first items are those that read before the range. */
interface Fact {
  /** By the first items, and for all others: whether it depends on the last item. */
  readonly first: readonly boolean[];
  readonly atOthers: boolean;
  /** By the first items: the value, if it is the same in every run. */
  readonly known: readonly (ScalarValue | undefined)[];
}
type Known = ScalarValue | undefined;

/** Whether an output depends on the values that the first items read of items before the range. */
export function readsLast(checked: Checked): boolean {
  const { nodes } = checked.pipeline;
  if (!nodes.some((node) => isPrevious(node, nodes))) return false;
  const facts = new Facts(checked);
  for (const node of nodes) facts.add(node);
  return nodes.some((node) => isSink(node) && facts.isTouched(node.id));
}

class Facts {
  private readonly checked: Checked;
  private readonly facts: Fact[] = [];
  /** The number of first items, each. */
  private readonly firsts: readonly number[];

  constructor(checked: Checked) {
    this.checked = checked;
    const { nodes } = checked.pipeline;
    const length = Math.max(...nodes.map((node) => distanceBack(node, nodes)));
    this.firsts = Array.from({ length }, (_, i) => i);
  }

  isTouched(id: NodeId): boolean {
    const { first, atOthers } = this.of(id);
    return first.includes(true) || atOthers;
  }

  add(node: PipelineNode): void {
    this.facts.push(this.factOf(node));
  }

  private of(id: NodeId): Fact {
    return this.facts[id] as Fact;
  }

  private factOf(node: PipelineNode): Fact {
    const { firsts } = this;
    const none = firsts.map(() => undefined);
    const back = distanceBack(node, this.checked.pipeline.nodes);
    if (node.kind === "gather" && back > 0) {
      const { first, known } = this.of(node.of);
      return {
        first: firsts.map((i) => i < back || (first[i - back] as boolean)),
        atOthers: this.isTouched(node.of),
        known: firsts.map((i) => (i < back ? undefined : known[i - back])),
      };
    }
    if (isLinearId(node)) return { first: firsts.map(() => false), atOthers: false, known: firsts };
    if (isCollective(node) && isMonoid(node)) return this.ofCollective(node);
    const used = operandsOf(node);
    // Any other read may be of one of the first items.
    if (isCollective(node) || node.kind === "gather") {
      const isAny = used.some((id) => this.isTouched(id));
      return { first: firsts.map(() => isAny), atOthers: isAny, known: none };
    }
    const known = firsts.map((i) => this.knownAt(node, i));
    return {
      first: firsts.map((i) => known[i] === undefined && this.isTouchedAt(node, i)),
      atOthers: used.some((id) => this.of(id).atOthers),
      known,
    };
  }

  /** The value of an element-wise node at one of the first items. */
  private knownAt(node: PipelineNode, i: number): Known {
    const { pipeline, types } = this.checked;
    const at = (id: NodeId): Known => this.of(id).known[i];
    if (node.kind === "binary") {
      const sides = [at(node.left), at(node.right)];
      if (node.op === "or" && sides.includes(true)) return true;
      if (node.op === "and" && sides.includes(false)) return false;
    }
    if (node.kind === "select" && at(node.condition) === undefined) {
      const [a, b] = [at(node.then), at(node.otherwise)];
      return a !== undefined && b !== undefined && sameValue(a, b) ? a : undefined;
    }
    const known: Known[] = [];
    for (const id of operandsOf(node)) known[id] = at(id);
    return knownValue(node, pipeline, types, known);
  }

  private isTouchedAt(node: PipelineNode, i: number): boolean {
    const at = (id: NodeId): boolean => this.of(id).first[i] as boolean;
    if (node.kind === "select") {
      const known = this.of(node.condition).known[i];
      if (known !== undefined) return at(known ? node.then : node.otherwise);
    }
    return operandsOf(node).some(at);
  }

  private ofCollective(node: MonoidCollective): Fact {
    const { firsts } = this;
    const form = formOf(node);
    const operands = operandsOf(node).map((id) => this.of(id));
    const own = node.kind === "user-collective" ? (operands[node.field] as Fact) : (operands[0] as Fact);
    const atOthers = this.touches(node, operands);
    const all = (atFirst: boolean, known: Known): Fact => ({
      first: firsts.map((i) => (i === 0 ? atFirst : atOthers)),
      atOthers,
      known: firsts.map((i) => (i === 0 ? known : undefined)),
    });
    const first = own.first[0] as boolean;
    if (form === "reduce") return { ...all(atOthers || first, undefined), atOthers: atOthers || first };
    if (form === "scan-inclusive") return all(first, own.known[0]);
    return all(false, this.identityOf(node));
  }

  private identityOf(node: MonoidCollective): ScalarValue | undefined {
    if (node.kind === "all" || node.kind === "any") return undefined;
    if (node.kind !== "user-collective") return OPS[node.op].identity(node.type);
    const field = this.operatorOf(node).fields[node.field];
    return field && decodeLiteral(field.type, field.identity);
  }

  private operatorOf(node: UserCollectiveNode): Operator {
    return this.checked.pipeline.operators?.[node.operator] as Operator;
  }

  /** Whether results of a collective depend on the last item, apart from its value at the first item. */
  private touches(node: MonoidCollective, operands: readonly Fact[]): boolean {
    const isLater = ({ first, atOthers }: Fact): boolean => atOthers || first.indexOf(true, 1) > 0;
    if (node.kind !== "user-collective") return operands.some((fact) => fact.first[0] || isLater(fact));
    const reads = readsOf(this.operatorOf(node));
    // The first item is always in the left operand, so a value that only it has does not come from the right.
    const later = closureOf(reads, [], sides(operands, isLater));
    const all = closureOf(
      reads,
      sides(operands, ({ first }) => first[0] === true),
      later,
    );
    return all.has(node.field);
  }
}

const sides = (operands: readonly Fact[], of: (fact: Fact) => boolean): readonly number[] =>
  operands.flatMap((fact, field) => (of(fact) ? [field] : []));

/** The fields of the operands that a result depends on. */
interface Reads {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
}

function readsOf({ nodes, results }: Operator): readonly Reads[] {
  const reads: Reads[] = [];
  for (const node of nodes) {
    const isSide = node.kind === "left" || node.kind === "right";
    const below = isSide ? [] : operandsOf(node).map((id) => reads[id] as Reads);
    const all = (side: "left" | "right"): Set<number> =>
      new Set([...(node.kind === side ? [node.field] : []), ...below.flatMap((read) => [...read[side]])]);
    reads.push({ left: all("left"), right: all("right") });
  }
  return results.map((id) => reads[id] as Reads);
}

/** The fields that depend on some: on those of `left` only as the left operand, on those of `both` as either. */
function closureOf(
  reads: readonly Reads[],
  left: readonly number[],
  both: Iterable<number>,
): ReadonlySet<number> {
  const right = new Set(both);
  const found = new Set([...left, ...right]);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [field, read] of reads.entries()) {
      const isFound =
        [...read.left].some((id) => found.has(id)) || [...read.right].some((id) => right.has(id));
      if (!isFound) continue;
      found.add(field);
      if (left.length === 0) right.add(field);
    }
  }
  return found;
}
