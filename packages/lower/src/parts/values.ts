/** Pipeline nodes as expressions of the current item. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type {
  BinaryNode,
  GatherNode,
  NodeId,
  PipelineNode,
  ScatterNode,
  SelectNode,
  ValueNode,
} from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, indexSum, join, lt, param, sub, zeroOf } from "@groupwise/kernel/language/make-expr.js";
import { elementwise, staysInline } from "@groupwise/kernel/library/functions/elementwise.js";
import type { Place } from "../geometry/index.ts";
import { type Facts, factsOf } from "./facts.ts";
import { hintFor } from "./hints.ts";
import { isPairOrder } from "./pair-order.ts";
import { type GatherWindow, windowsOf } from "./windows.ts";

/** An element of a table. */
export interface TablePlace {
  readonly table: NodeId;
  readonly index: Expr;
}

/** The position of one item in a kernel, for which values are computed. */
export interface Site {
  readonly checked: Checked;
  readonly place: Place;
  /** For names: the number of the item, if several are computed in one iteration. */
  readonly number?: number;
  /** Values that are read here, not computed. */
  readonly materialized: ReadonlySet<NodeId>;
  /** An input's element, a collective's result, or a materialized value, at this item. */
  leaf(node: PipelineNode, code: Code): Expr;
  /** Elements of a table. */
  lengthOf(table: NodeId): Expr;
  /** The element of a table. */
  table(place: TablePlace, code: Code): Expr;
  /** Whether a branch takes less time than both of its choices: where no other items wait at it. */
  readonly branches?: boolean;
  /** The element of one of two tables of a type by one read, where reads have addresses. */
  either?(condition: Expr, then: TablePlace, otherwise: TablePlace, code: Code): Expr;
  /** The element of a scatter that an earlier stage wrote. @param lengths those of `lengthsOf` */
  scattered(node: ScatterNode, index: Expr, lengths: readonly Expr[], code: Code): Expr;
  /** The value of a gather, if it is already known. */
  near?(node: GatherNode): Expr | undefined;
  /** The value of an operation, if it follows from that of the item before. */
  stepped?(node: BinaryNode, code: Code): Expr | undefined;
  /** The number of items, where gathers of a window are read together. */
  readonly windowed?: Expr;
  /** Whether words by which items are ordered are compared in pairs. */
  readonly comparesPairs?: boolean;
  /** Another item; the last one for an index past the end. @param known of a uniform index, the range may be empty */
  elsewhere(index: Expr, known: "uniform" | "inside" | "any", code: Code): Site;
}

/** The numbers that bound the slots of a scatter: a capacity, a length, or both. Without a capacity there is a slot for each item. */
const lengthsOf = ({ capacity, length }: ScatterNode): readonly NodeId[] =>
  [capacity, length].filter((id) => id !== undefined);

const NOTHING: ReadonlyMap<NodeId, Expr> = new Map();

/** Evaluates nodes at one site; each is computed once, in the code that first needs it. */
export class SiteValues {
  private readonly own = new Map<NodeId, Expr>();
  /** Values that are already known: uniform ones. */
  private readonly given: { get(id: NodeId): Expr | undefined };
  private readonly facts: Facts;
  /** Other items, by the node of their index. */
  private readonly others = new Map<NodeId, SiteValues>();
  readonly site: Site;

  constructor(site: Site, given: { get(id: NodeId): Expr | undefined } = NOTHING) {
    this.site = site;
    this.given = given;
    this.facts = factsOf(site.checked);
  }

  /** Sets the value of a node that other code has computed. */
  set(id: NodeId, value: Expr): void {
    this.own.set(id, value);
  }

  has(id: NodeId): boolean {
    return this.known(id) !== undefined;
  }

  private known(id: NodeId): Expr | undefined {
    return this.own.get(id) ?? this.given.get(id);
  }

  get(id: NodeId, code: Code): Expr {
    const before = this.known(id);
    if (before) return before;
    const node = this.site.checked.pipeline.nodes[id] as ValueNode;
    // Operands first, in order of the list, so that the recursion stays shallow.
    for (const operand of this.pending(id)) this.get(operand, code);
    const value = this.compute(node, code);
    const result = staysInline(value, this.facts.uses[id]) ? value : code.let(this.hint(node, value), value);
    this.own.set(id, result);
    return result;
  }

  /** The operands that are needed at this item. */
  private here(node: PipelineNode): readonly NodeId[] {
    const either = node.kind === "select" && this.eitherOf(node);
    if (either) return [node.condition, ...either.map(({ index }) => index)];
    if (node.kind !== "gather") return operandsOf(node);
    const { pipeline, uniformities } = this.site.checked;
    const of = pipeline.nodes[node.of] as PipelineNode;
    if (of.kind === "scatter") return [node.index, ...lengthsOf(of)];
    const isSame = uniformities[node.of] === "uniform" && pipeline.nodes[node.of]?.kind !== "table";
    return isSame ? operandsOf(node) : [node.index];
  }

  /** The reads of a select of two tables, if nothing else needs what they read. */
  private eitherOf({
    condition,
    then,
    otherwise,
  }: SelectNode): readonly [GatherNode, GatherNode] | undefined {
    const { pipeline, uniformities } = this.site.checked;
    const { either, branches } = this.site;
    if ((!either && !branches) || uniformities[condition] === "uniform") return undefined;
    const reads = [then, otherwise].map((id) => pipeline.nodes[id] as PipelineNode);
    const isOwn = (read: PipelineNode): read is GatherNode =>
      read.kind === "gather" &&
      pipeline.nodes[read.of]?.kind === "table" &&
      this.facts.uses[read.id] === 1 &&
      !this.has(read.id);
    const [a, b] = reads.filter(isOwn);
    return a && b && a.of !== b.of ? [a, b] : undefined;
  }

  private select(node: SelectNode, get: (id: NodeId) => Expr, code: Code): Expr {
    const either = this.eitherOf(node);
    if (!either) return elementwise(node, get, code);
    const places = either.map(({ of, index }): TablePlace => ({ table: of, index: get(index) }));
    const [then, otherwise] = places as [TablePlace, TablePlace];
    const condition = get(node.condition);
    if (this.site.either) return this.site.either(condition, then, otherwise, code);
    // One branch decides all that it can.
    const chosen = [node, ...this.withSame(node)].map((one) => {
      const zero = zeroOf(this.site.checked.types[one.id] as Scalar);
      return { ...one, variable: code.var(this.hint(one, zero), zero) };
    });
    const branch = (inner: Code, place: TablePlace, which: "then" | "otherwise"): void => {
      const read = inner.named("read", this.site.table(place, inner));
      for (const { id, variable, [which]: of } of chosen)
        inner.assign(variable, id === node.id || of === node.id ? read : get(of));
    };
    code.if(
      condition,
      (inner) => branch(inner, then, "then"),
      (inner) => branch(inner, otherwise, "otherwise"),
    );
    for (const { id, variable } of chosen) this.own.set(id, variable);
    return chosen[0]?.variable as Expr;
  }

  /** Other selects by a condition, whose choices are known with the one. */
  private withSame({ id, condition }: SelectNode): readonly SelectNode[] {
    const isKnown = (one: NodeId): boolean => one === id || this.has(one);
    return this.site.checked.pipeline.nodes.filter(
      (node): node is SelectNode =>
        node.kind === "select" &&
        node.condition === condition &&
        !this.has(node.id) &&
        isKnown(node.then) &&
        isKnown(node.otherwise) &&
        node.id !== id,
    );
  }

  private gather(node: GatherNode, code: Code): Expr {
    const near = this.site.near?.(node);
    if (near) return near;
    const window = this.site.windowed && windowsOf(this.site.checked).get(node.id);
    if (window) return this.window(window, node, code);
    const { of, index } = node;
    const { pipeline, uniformities } = this.site.checked;
    const at = this.get(index, code);
    const array = pipeline.nodes[of] as PipelineNode;
    if (array.kind === "scatter") {
      const lengths = lengthsOf(array).map((id) => this.get(id, code));
      return this.site.scattered(array, at, lengths, code);
    }
    // A table's uniformity is that of its length, not of its elements.
    if (uniformities[of] === "uniform" && pipeline.nodes[of]?.kind !== "table") return this.get(of, code);
    if (pipeline.nodes[of]?.kind === "table") return this.site.table({ table: of, index: at }, code);
    let other = this.others.get(index);
    if (!other) {
      const known = uniformities[index] === "uniform" ? "uniform" : "any";
      const site = this.site.elsewhere(at, known, code);
      other = new SiteValues(site, {
        get: (id) => (uniformities[id] === "uniform" ? this.known(id) : undefined),
      });
      this.others.set(index, other);
    }
    return other.get(of, code);
  }

  /** A comparison by two words is one of 64 bits. */
  private pairOrder(node: BinaryNode, code: Code): Expr {
    const { nodes } = this.site.checked.pipeline;
    const operands = (id: NodeId): readonly [Expr, Expr] => {
      const { left, right } = nodes[id] as BinaryNode;
      return [this.get(left, code), this.get(right, code)];
    };
    const [a, b] = operands(node.left);
    const [c, d] = operands((nodes[node.right] as BinaryNode).right);
    return lt(join("u64", [c, a]), join("u64", [d, b]));
  }

  /** All gathers of a window: without a minimum for each if all are items. */
  private window({ of, from, members, most }: GatherWindow, { id }: GatherNode, code: Code): Expr {
    const { site } = this;
    const n = site.windowed as Expr;
    const start = this.get(from, code);
    const type = site.checked.types[of] as Scalar;
    const found = members.map((one) => ({ ...one, variable: code.var("near", zeroOf(type)) }));
    const read = (inner: Code, at: (offset: number) => Expr, known: "inside" | "any"): void => {
      for (const { offset, variable } of found)
        inner.assign(variable, new SiteValues(site.elsewhere(at(offset), known, inner)).get(of, inner));
    };
    // Two branches of one condition would have their reads in common, each of an address of its own.
    code.if(lt(most, n), (inner) => {
      const first = inner.let("first", binary("min", start, sub(n, most + 1)));
      read(inner, (offset) => indexSum(first, offset), "inside");
    });
    code.if(lt(sub(n, binary("min", start, n)), most + 1), (inner) =>
      read(inner, (offset) => add(start, offset), "any"),
    );
    for (const one of found) this.own.set(one.id, one.variable);
    return this.own.get(id) as Expr;
  }

  private pending(id: NodeId): NodeId[] {
    const found = new Set<NodeId>();
    const stack = [id];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const node = this.site.checked.pipeline.nodes[next] as PipelineNode;
      if (found.has(next) || this.has(next)) continue;
      if (next !== id) found.add(next);
      if (isCollective(node) || node.kind === "table-length" || this.site.materialized.has(next)) continue;
      stack.push(...this.here(node));
    }
    return [...found].sort((a, b) => a - b);
  }

  private hint(node: ValueNode, { type }: Expr): string {
    const { place, number } = this.site;
    // Of several items in one iteration, the others have names such as i3.
    const named = place.index.kind === "var" && /^i(\d+)$/.exec(place.index.name)?.[1];
    const which = number ?? (named || "");
    if (node.kind === "input") return `${node.name}_i${which}`;
    const sink = this.facts.outputs.get(node.id);
    const hint = sink ? `${sink.name}_i` : hintFor(node, type);
    return /\d$/.test(hint) && which !== "" ? `${hint}_i${which}` : `${hint}${which}`;
  }

  private compute(node: ValueNode, code: Code): Expr {
    const get = (id: NodeId): Expr => this.get(id, code);
    if (this.site.materialized.has(node.id) || isCollective(node)) return this.site.leaf(node, code);
    switch (node.kind) {
      case "input":
        return this.site.leaf(node, code);
      case "param":
        return param(node.name, node.type);
      case "query":
        return this.site.place.query(node.query, node.dimension, code);
      case "binary":
        if (this.site.comparesPairs && isPairOrder(node, this.site.checked))
          return this.pairOrder(node, code);
        return this.site.stepped?.(node, code) ?? elementwise(node, get, code);
      case "const":
      case "unary":
      case "function":
      case "cast":
      case "bitcast":
        return elementwise(node, get, code);
      case "select":
        return this.select(node, get, code);
      case "spread":
        return get(node.of);
      case "table-length":
        return this.site.lengthOf(node.of);
      case "gather":
        return this.gather(node, code);
    }
  }
}
