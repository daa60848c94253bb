/**
 * Whether results depend on the value that the first item reads of the item before it, which is the value of the last item. Keys compare an item with the one before it, and the first item
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
import { isPrevious } from "./reads.ts";

/** What is known of a value. */
interface Fact {
  /** Whether it depends on the last item at the first item, and elsewhere. */
  readonly atFirst: boolean;
  readonly atOthers: boolean;
  /** The value at the first item, if it is the same in every run. */
  readonly known: ScalarValue | undefined;
}

/** Whether an output depends on the value that the first item reads of the item before it. */
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

  constructor(checked: Checked) {
    this.checked = checked;
  }

  isTouched(id: NodeId): boolean {
    const { atFirst, atOthers } = this.of(id);
    return atFirst || atOthers;
  }

  add(node: PipelineNode): void {
    this.facts.push(this.factOf(node));
  }

  private of(id: NodeId): Fact {
    return this.facts[id] as Fact;
  }

  private factOf(node: PipelineNode): Fact {
    if (node.kind === "gather" && isPrevious(node, this.checked.pipeline.nodes))
      return { atFirst: true, atOthers: this.isTouched(node.of), known: undefined };
    if (isLinearId(node)) return { atFirst: false, atOthers: false, known: 0 };
    if (isCollective(node) && isMonoid(node)) return this.ofCollective(node);
    const operands = operandsOf(node).map((id) => this.of(id));
    const atOthers = operands.some((fact) => fact.atOthers);
    // Any other read may be of the first item.
    if (isCollective(node) || node.kind === "gather") {
      const isAny = atOthers || operands.some((fact) => fact.atFirst);
      return { atFirst: isAny, atOthers: isAny, known: undefined };
    }
    const known = this.knownAtFirst(node);
    const atFirst = known === undefined && this.isTouchedAtFirst(node);
    return { atFirst, atOthers, known };
  }

  /** The value of an element-wise node at the first item. */
  private knownAtFirst(node: PipelineNode): ScalarValue | undefined {
    const { pipeline, types } = this.checked;
    if (node.kind === "binary") {
      const sides = [this.of(node.left).known, this.of(node.right).known];
      if (node.op === "or" && sides.includes(true)) return true;
      if (node.op === "and" && sides.includes(false)) return false;
    }
    if (node.kind === "select" && this.of(node.condition).known === undefined) {
      const [a, b] = [this.of(node.then).known, this.of(node.otherwise).known];
      return a !== undefined && b !== undefined && sameValue(a, b) ? a : undefined;
    }
    const known: (ScalarValue | undefined)[] = [];
    for (const id of operandsOf(node)) known[id] = this.of(id).known;
    return knownValue(node, pipeline, types, known);
  }

  private isTouchedAtFirst(node: PipelineNode): boolean {
    if (node.kind === "select") {
      const { known } = this.of(node.condition);
      if (known !== undefined) return this.of(known ? node.then : node.otherwise).atFirst;
    }
    return operandsOf(node).some((id) => this.of(id).atFirst);
  }

  private ofCollective(node: MonoidCollective): Fact {
    const form = formOf(node);
    const operands = operandsOf(node).map((id) => this.of(id));
    const own = node.kind === "user-collective" ? (operands[node.field] as Fact) : (operands[0] as Fact);
    const atOthers = this.touches(node, operands);
    if (form === "reduce") return { atFirst: atOthers || own.atFirst, atOthers, known: undefined };
    if (form === "scan-inclusive") return { atFirst: own.atFirst, atOthers, known: own.known };
    return { atFirst: false, atOthers, known: this.identityOf(node) };
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
    if (node.kind !== "user-collective") return operands.some((fact) => fact.atFirst || fact.atOthers);
    const reads = readsOf(this.operatorOf(node));
    // The first item is always in the left operand, so a value that only it has does not come from the right.
    const later = closureOf(
      reads,
      [],
      sides(operands, ({ atOthers }) => atOthers),
    );
    const all = closureOf(
      reads,
      sides(operands, ({ atFirst }) => atFirst),
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
