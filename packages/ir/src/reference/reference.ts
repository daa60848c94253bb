/**
 * The meaning of the Pipeline IR: a plain interpreter, one item after the other, on arrays of host
 * values. It shares no code with the lowerings; only the tables of operators are common.
 */

import { OBJECT, requireArguments, shaped, type Wanted } from "../base/arguments.ts";
import { errorOf } from "../base/errors.ts";
import { prefixes } from "../base/fenwick.ts";
import type { Checked } from "../document/check.ts";
import { formOf, isScan } from "../document/collectives.ts";
import { LIMITS } from "../document/limits.ts";
import type {
  BroadcastNode,
  GatherNode,
  NodeKind,
  OutputNode,
  PipelineNode,
  ReduceNode,
  ScanNode,
  ScatterNode,
  Scope,
  TableLengthNode,
  UserCollectiveNode,
  ValueNode,
  VoteNode,
} from "../document/node.ts";
import { operandsOf } from "../document/operands.ts";
import type { Operator } from "../document/operator.ts";
import { applierOf, identityOf } from "../document/operator-apply.ts";
import { HOST_OPS, type HostOp } from "../document/rules.ts";
import { CHECKED } from "../document/shapes.ts";
import type { Uniformity } from "../document/uniformity.ts";
import { castValue } from "../tables/convert-value.ts";
import type { BinaryOp } from "../tables/expr-op.ts";
import { type Narrow, storedValue } from "../tables/narrow.ts";
import { normalisedValue, OPS } from "../tables/op.ts";
import type { Scalar, ScalarValue } from "../tables/scalar.ts";
import { type At, ELEMENTS, type ElementKind } from "./elements.ts";
import { type CutRange, groupCounts, type Item, itemAt, linear } from "./items.ts";
import { rankItems } from "./ranks.ts";
import { Slots } from "./slots.ts";

/** The arguments of a run of the reference. */
export interface ReferenceRun {
  /** Number of items; it may be absent if `globalSize` is given. */
  readonly n?: number;
  /** Items per dimension; default: `[n]`. */
  readonly globalSize?: readonly number[];
  /** Default: zeros. */
  readonly globalOffset?: readonly number[];
  /** n values per input, in linear order. */
  readonly inputs: Readonly<Record<string, readonly ScalarValue[]>>;
  readonly params?: Readonly<Record<string, ScalarValue>>;
  /** The elements of each table. */
  readonly tables?: Readonly<Record<string, readonly ScalarValue[]>>;
  /** Whether two items that write one slot are an error; default: the slot has the value of the last one. */
  readonly checkSlots?: boolean;
}

/** By output: n values of an item-wise value, one per group of a group's value, one of a uniform value. */
export type ReferenceOutputs = Record<string, ScalarValue[]>;

const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);

export const RUN: Wanted = /*@__PURE__*/ shaped("a range, with its inputs", { inputs: OBJECT });

/**
 * Runs a checked pipeline.
 * @throws GroupwiseError `bad-argument`, `bad-divisor`, `scatter-outside`, `empty-broadcast`, `bad-capacity`, `scatter-conflict`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { check, reference } from "@groupwise/core";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { y } = reference(check(sums.ir), { n: 3, inputs: { x: [1, 2, 4] } });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export function reference(checked: Checked, run: ReferenceRun): ReferenceOutputs {
  requireArguments(arguments, "reference", { pipeline: CHECKED, run: RUN });
  return new Reference(checked, run).outputs();
}

export type NodeOf<K extends NodeKind> = Extract<PipelineNode, { kind: K }>;
/** One value for each group of a scope, available to every item of the group, and the value of the first group, which may be empty. */
interface PerGroup {
  readonly all: ScalarValue[];
  readonly alone: ScalarValue | undefined;
}

export class Reference {
  readonly checked: Checked;
  readonly run: ReferenceRun;
  readonly range: CutRange;
  readonly n: number;
  readonly items: readonly number[];
  readonly places: readonly Item[];
  /** The items of each work-group, in linear order. */
  private readonly workGroups: number[][];
  /** By node: n values. Every item has one, for any uniformity of the node. */
  readonly values: ScalarValue[][] = [];
  /** By node: the value over no items (n = 0), which exists if it is uniform. */
  readonly alone: (ScalarValue | undefined)[] = [];
  private readonly written: ReferenceOutputs = {};
  /** By scatter that items read: its elements. */
  private readonly read = new Map<number, readonly ScalarValue[]>();
  private readonly scatters: ScatterNode[] = [];

  constructor(checked: Checked, run: ReferenceRun) {
    this.checked = checked;
    this.run = run;
    const size = run.globalSize ?? [run.n ?? 0];
    const offset = run.globalOffset ?? size.map(() => 0);
    this.range = { size, offset, workGroup: checked.pipeline.workGroupSize };
    this.n = product(size);
    for (const { name, divides } of checked.params) {
      const value = Number(run.params?.[name]);
      // A remainder by 0 is NaN.
      if (divides && this.n % value !== 0)
        throw errorOf("bad-divisor", { name, value, n: this.n }, checked.pipeline.name);
    }
    this.items = Array.from({ length: this.n }, (_, i) => i);
    this.places = Array.from({ length: Math.max(this.n, 1) }, (_, i) => itemAt(this.range, i));
    const counts = groupCounts(this.range);
    this.workGroups = Array.from({ length: this.n && product(counts) }, () => []);
    for (const i of this.items) {
      const { group } = this.places[i] as Item;
      this.workGroups[linear(group, counts)]?.push(i);
    }
  }

  outputs(): ReferenceOutputs {
    for (const node of this.checked.pipeline.nodes)
      (NODES[node.kind] as (run: Reference, node: PipelineNode) => void)(this, node);
    // Hosts compute all capacities before anything is written.
    const capacities = this.scatters.map((node) => this.capacity(node));
    for (const [i, node] of this.scatters.entries())
      this.written[node.name] = this.scattered(node, capacities[i] as number);
    return this.written;
  }

  at(id: number, i: number): ScalarValue {
    return this.values[id]?.[i] as ScalarValue;
  }
  typeOf(id: number): Scalar {
    return this.checked.types[id] as Scalar;
  }
  private uniformityOf(id: number): Uniformity {
    return this.checked.uniformities[id] as Uniformity;
  }
  private readonly zero = (id: number): ScalarValue => castValue("bool", this.typeOf(id), false);
  private isTable(id: number): boolean {
    return this.checked.pipeline.nodes[id]?.kind === "table";
  }
  private elementsOf(id: number): readonly ScalarValue[] {
    const node = this.checked.pipeline.nodes[id] as PipelineNode;
    if (node.kind !== "scatter") return this.tableAt(id);
    const read = this.read.get(id) ?? this.scattered(node, this.capacity(node));
    this.read.set(id, read);
    return read;
  }
  private tableAt(id: number): readonly ScalarValue[] {
    const node = this.checked.pipeline.nodes[id];
    return (node?.kind === "table" && this.run.tables?.[node.name]) || [];
  }

  elementwise(node: NodeOf<ElementKind>): void {
    const compute = ELEMENTS[node.kind] as (
      run: Reference,
      node: PipelineNode,
      at: At,
      i: number,
    ) => ScalarValue;
    const { id } = node;
    this.values[id] = this.items.map((i) => compute(this, node, (used) => this.at(used, i), i));
    // A value that depends on a broadcast over no items is also absent.
    const isAbsent = operandsOf(node).some((used) => this.alone[used] === undefined);
    if (this.n === 0 && this.uniformityOf(id) === "uniform" && !isAbsent)
      this.alone[id] = compute(this, node, (used) => this.alone[used] as ScalarValue, 0);
  }

  tableLength({ id, of }: TableLengthNode): void {
    this.values[id] = this.items.map(() => this.tableAt(of).length);
    this.alone[id] = this.tableAt(of).length;
  }

  gather(node: GatherNode): void {
    const { id, of, index } = node;
    this.values[id] = this.items.map((i) => this.gathered(node, Number(this.at(index, i))));
    // Over no items, tables still have elements.
    const start = this.alone[index];
    if (this.n === 0 && this.uniformityOf(id) === "uniform" && this.isTable(of) && start !== undefined)
      this.alone[id] = this.gathered(node, Number(start));
  }

  private gathered({ id, of }: GatherNode, index: number): ScalarValue {
    const isScatter = this.checked.pipeline.nodes[of]?.kind === "scatter";
    if (!isScatter && !this.isTable(of)) return this.at(of, Math.min(index, this.n - 1));
    const table = this.elementsOf(of);
    return table.length === 0 ? this.zero(id) : (table[Math.min(index, table.length - 1)] as ScalarValue);
  }

  private groupsOf(scope: Scope): readonly (readonly number[])[] {
    return scope === "device" ? [this.items] : this.workGroups;
  }

  private perGroup(scope: Scope, result: (group: readonly number[]) => ScalarValue): PerGroup {
    const groups = this.groupsOf(scope).map((group) => ({ group, value: result(group) }));
    const all: ScalarValue[] = [];
    for (const { group, value } of groups) for (const i of group) all[i] = value;
    return { all, alone: groups[0]?.value };
  }

  private give({ id }: PipelineNode, { all, alone }: PerGroup): void {
    this.values[id] = all;
    this.alone[id] = alone;
  }

  /** A reduce or a scan from the prefixes of a group; the first prefix is the identity. */
  combine<N extends ReduceNode | ScanNode | UserCollectiveNode>(
    node: N,
    prefixesOf: (node: N, group: readonly number[]) => ScalarValue[],
  ): void {
    if (!isScan(node)) {
      this.give(
        node,
        this.perGroup(node.scope, (group) => prefixesOf(node, group).at(-1) as ScalarValue),
      );
      return;
    }
    const all: ScalarValue[] = [];
    const first = formOf(node) === "scan-inclusive" ? 1 : 0;
    for (const group of this.groupsOf(node.scope)) {
      const list = prefixesOf(node, group);
      group.forEach((i, place) => {
        all[i] = list[first + place] as ScalarValue;
      });
    }
    this.values[node.id] = all;
  }

  prefixes({ op, of }: ReduceNode | ScanNode, group: readonly number[]): ScalarValue[] {
    const type = this.typeOf(of);
    const x = group.map((i) => normalisedValue(op, type, this.at(of, i)));
    return [OPS[op].identity(type), ...prefixes(x, (a, b) => OPS[op].apply(type, a, b))];
  }

  prefixesOfField(
    { operator: index, of, field }: UserCollectiveNode,
    group: readonly number[],
  ): ScalarValue[] {
    const operator = this.checked.pipeline.operators?.[index] as Operator;
    const records = group.map((i) => of.map((id) => this.at(id, i)));
    const all = [identityOf(operator), ...prefixes(records, applierOf(operator))];
    return all.map((record) => record[field] as ScalarValue);
  }

  vote(node: VoteNode, decide: (truths: readonly boolean[]) => boolean): void {
    const result = this.perGroup(node.scope, (group) =>
      decide(group.map((i) => Boolean(this.at(node.of, i)))),
    );
    this.give(node, result);
  }

  broadcast(node: BroadcastNode): void {
    const result = this.perGroup(node.scope, (group) => {
      const first = group[0] ?? 0;
      const sides = node.scope === "device" ? this.range.size : (this.places[first]?.localSize ?? []);
      // Each coordinate is clamped in its own dimension.
      const index = sides.map((side, d) =>
        Math.min(Number(this.at(node.index[d] as number, first)), side - 1),
      );
      return this.at(node.of, group[linear(index, sides)] as number);
    });
    this.give(node, result);
  }

  output({ id, name, of, as }: OutputNode): void {
    const every = this.values[of] as ScalarValue[];
    const uniformity = this.uniformityOf(id);
    if (uniformity === "uniform" && this.n === 0 && this.alone[of] === undefined)
      throw errorOf("empty-broadcast", { name });
    const results: Readonly<Record<Uniformity, () => ScalarValue[]>> = {
      item: () => every,
      uniform: () => [(this.n === 0 ? this.alone[of] : every[0]) as ScalarValue],
      group: () => this.workGroups.map((group) => every[group[0] as number] as ScalarValue),
    };
    this.written[name] = stored(as, results[uniformity]());
  }

  scatter(node: ScatterNode): void {
    if (this.n === 0 && node.length !== undefined && this.alone[node.length] === undefined)
      throw errorOf("empty-broadcast", { name: node.name });
    this.scatters.push(node);
  }

  private capacity({ capacity, name }: ScatterNode): number {
    if (capacity === undefined) return this.n;
    const got = this.onHost(capacity, name);
    if (got > LIMITS.capacity) throw errorOf("bad-capacity", { name, got, limit: LIMITS.capacity });
    return got;
  }

  // In whole numbers, which equal the u32 results of kernels as long as nothing leaves u32.
  private onHost(id: number, name: string): number {
    const node = this.checked.pipeline.nodes[id] as ValueNode;
    let value = Number(this.alone[id] ?? this.at(id, 0));
    if (node.kind === "binary")
      value = exactOf(node.op)(this.onHost(node.left, name), this.onHost(node.right, name));
    if (!(value >= 0 && value < 2 ** 32))
      throw errorOf("bad-capacity", { name, got: value, limit: 2 ** 32 - 1 });
    return value;
  }

  private scattered(node: ScatterNode, capacity: number): ScalarValue[] {
    const { where, combine } = node;
    const length =
      node.length === undefined
        ? capacity
        : Number(this.n ? this.at(node.length, 0) : this.alone[node.length]);
    const type = this.typeOf(node.id);
    const start = combine === undefined ? this.zero(node.id) : OPS[combine].identity(type);
    const written: ScalarValue[] = new Array(Math.min(capacity, length)).fill(start);
    const slots = new Slots(node);
    for (const i of this.items.filter((j) => where === undefined || this.at(where, j))) {
      const slot = Number(this.at(node.slot, i));
      if (slot >= written.length) throw errorOf("scatter-outside", { names: node.name });
      if (this.run.checkSlots) slots.claim(slot, i);
      const value = this.at(node.value, i);
      written[slot] =
        combine === undefined ? value : OPS[combine].apply(type, written[slot] as ScalarValue, value);
    }
    return stored(node.as, written);
  }
}

/** The values after a store to an array of narrow elements. */
const stored = (as: Narrow | undefined, values: ScalarValue[]): ScalarValue[] =>
  as === undefined ? values : values.map((value) => storedValue(as, value));

function exactOf(op: BinaryOp): HostOp["exact"] {
  const found = HOST_OPS[op];
  if (!found) throw new Error(`a host cannot compute ${op}`);
  return found.exact;
}

const elementwise = (run: Reference, node: NodeOf<ElementKind>): void => run.elementwise(node);
const combined = (run: Reference, node: ReduceNode | ScanNode): void =>
  run.combine(node, (one, group) => run.prefixes(one, group));

const NODES: { readonly [K in NodeKind]: (run: Reference, node: NodeOf<K>) => void } = {
  const: elementwise,
  param: elementwise,
  input: elementwise,
  query: elementwise,
  unary: elementwise,
  binary: elementwise,
  function: elementwise,
  select: elementwise,
  cast: elementwise,
  bitcast: elementwise,
  spread: elementwise,
  // Only its elements and its length are values.
  table: () => {},
  "table-length": (run, node) => run.tableLength(node),
  gather: (run, node) => run.gather(node),
  reduce: combined,
  "scan-inclusive": combined,
  "scan-exclusive": combined,
  "user-collective": (run, node) => run.combine(node, (one, group) => run.prefixesOfField(one, group)),
  all: (run, node) => run.vote(node, (truths) => truths.every(Boolean)),
  any: (run, node) => run.vote(node, (truths) => truths.some(Boolean)),
  broadcast: (run, node) => run.broadcast(node),
  rank: rankItems,
  output: (run, node) => run.output(node),
  scatter: (run, node) => run.scatter(node),
};
