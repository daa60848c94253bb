/**
 * The meaning of the Pipeline IR: a plain interpreter, one item after the other, on arrays of host
 * values. It shares no code with the lowerings; only the tables of operators are common.
 */

import { errorOf } from "./errors.ts";
import { prefixes } from "./fenwick.ts";
import { type Checked, LIMITS } from "./ir/check.ts";
import { BINARY, bitcastValue, castValue, UNARY } from "./ir/expr-op.ts";
import type {
  BroadcastNode,
  FoldNode,
  GatherNode,
  ReduceNode,
  ScanNode,
  ScatterNode,
  Scope,
  ValueNode,
  VoteNode,
} from "./ir/node.ts";
import { formOf, isScan, operandsOf } from "./ir/node.ts";
import type { Operator } from "./ir/operator.ts";
import { applierOf, identityOf } from "./ir/operator-apply.ts";
import { decodeLiteral } from "./literal.ts";
import { OPS } from "./op.ts";
import type { Scalar, ScalarValue } from "./scalar.ts";
import { answer, type CutRange, groupCounts, type Item, itemAt, linear } from "./walk-range.ts";

/** What a run of the reference is given. */
export interface ReferenceRun {
  /** Number of items; it may be left out where `globalSize` is given. */
  readonly n?: number;
  /** Items per dimension; `[n]` where it is absent. */
  readonly globalSize?: readonly number[];
  /** Zeros where it is absent. */
  readonly globalOffset?: readonly number[];
  /** n values per input, in linear order. */
  readonly inputs: Readonly<Record<string, readonly ScalarValue[]>>;
  readonly params?: Readonly<Record<string, ScalarValue>>;
  /** The elements of each table. */
  readonly tables?: Readonly<Record<string, readonly ScalarValue[]>>;
}

/** n values per output of an item's value, one per group of a group's value, one of a uniform value. */
export type ReferenceOutputs = Record<string, ScalarValue[]>;

const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);

/**
 * Runs a checked pipeline.
 * @throws GroupwiseError `scatter-outside`, `empty-broadcast`, `bad-capacity`
 */
export function reference(checked: Checked, run: ReferenceRun): ReferenceOutputs {
  const { pipeline, types } = checked;
  const { workGroupSize } = pipeline;
  const size = run.globalSize ?? [run.n ?? 0];
  const offset = run.globalOffset ?? size.map(() => 0);
  const range: CutRange = { size, offset, workGroup: workGroupSize };
  const n = product(size);
  const items = Array.from({ length: n }, (_, i) => i);
  const places = Array.from({ length: Math.max(n, 1) }, (_, i) => itemAt(range, i));
  // Items come in linear order, and so they do in each work-group's list.
  const workGroups: number[][] = Array.from({ length: n && product(groupCounts(range)) }, () => []);
  for (const i of items) {
    const { group } = places[i] as Item;
    workGroups[linear(group, groupCounts(range))]?.push(i);
  }
  // One array of n values a node: whatever its rate, every item knows it.
  const values: ScalarValue[][] = [];
  const at = (id: number, i: number): ScalarValue => values[id]?.[i] as ScalarValue;
  // A value without items (n = 0) still exists where it is uniform: it is kept beside.
  const alone: ScalarValue[] = [];
  const groupsOf = (scope: Scope): number[][] => {
    return scope === "device" ? [items] : workGroups;
  };
  /** All prefixes over a group, and the identity, as one node of a collective gives them. */
  const combined = (node: ReduceNode | ScanNode | FoldNode, group: readonly number[]): ScalarValue[] => {
    if (node.kind === "fold") {
      const operator = pipeline.operators?.[node.operator] as Operator;
      const records = group.map((i) => node.of.map((id) => at(id, i)));
      const all = [identityOf(operator), ...prefixes(records, applierOf(operator))];
      return all.map((record) => record[node.field] as ScalarValue);
    }
    const { op, of } = node;
    const type = types[of] as Scalar;
    const identity = OPS[op].identity(type);
    const truth = (v: ScalarValue): ScalarValue => OPS[op].apply(type, v, identity);
    const x = group.map((i) => (op.startsWith("logical") ? truth(at(of, i)) : at(of, i)));
    return [identity, ...prefixes(x, (a, b) => OPS[op].apply(type, a, b))];
  };
  const perGroup = (
    scope: Scope,
    result: (group: readonly number[]) => ScalarValue,
  ): { all: ScalarValue[]; alone: ScalarValue | undefined } => {
    const groups = groupsOf(scope).map((group) => ({ group, value: result(group) }));
    const all: ScalarValue[] = [];
    for (const { group, value } of groups) for (const i of group) all[i] = value;
    return { all, alone: groups[0]?.value };
  };
  const reduce = (node: ReduceNode | FoldNode) =>
    perGroup(node.scope, (group) => combined(node, group).at(-1) as ScalarValue);
  const scan = (node: ScanNode | FoldNode): ScalarValue[] => {
    const all: ScalarValue[] = [];
    const first = formOf(node) === "inclusive-scan" ? 1 : 0;
    for (const group of groupsOf(node.scope)) {
      const list = combined(node, group);
      group.forEach((i, place) => {
        all[i] = list[first + place] as ScalarValue;
      });
    }
    return all;
  };
  const vote = (node: VoteNode) =>
    perGroup(node.scope, (group) =>
      group[node.kind === "all" ? "every" : "some"]((i) => Boolean(at(node.of, i))),
    );
  const broadcast = (node: BroadcastNode) =>
    perGroup(node.scope, (group) => {
      const first = group[0] ?? 0;
      const sides = node.scope === "device" ? size : (places[first]?.localSize ?? []);
      // Each coordinate is clamped in its own dimension.
      const index = sides.map((side, d) => Math.min(Number(at(node.index[d] as number, first)), side - 1));
      return at(node.of, group[linear(index, sides)] as number);
    });

  const compute = (node: ValueNode, i: number): ScalarValue => {
    const get = (id: number): ScalarValue => (i < n ? at(id, i) : (alone[id] as ScalarValue));
    switch (node.kind) {
      case "const":
        return decodeLiteral(node.type, node.value) as ScalarValue;
      case "param":
        return run.params?.[node.name] as ScalarValue;
      case "input":
        return run.inputs[node.name]?.[i] as ScalarValue;
      case "query":
        return answer(range, places[i] as Item, node.query, node.dimension);
      case "unary":
        return UNARY[node.op].apply(types[node.of] as Scalar, get(node.of));
      case "binary":
        return BINARY[node.op].apply(types[node.left] as Scalar, get(node.left), get(node.right));
      case "select":
        return get(node.condition) ? get(node.then) : get(node.otherwise);
      case "cast":
        return castValue(types[node.of] as Scalar, node.to, get(node.of));
      case "bitcast":
        return bitcastValue(types[node.of] as Scalar, node.to, get(node.of));
      default:
        return get((node as { of: number }).of);
    }
  };

  const tableAt = (id: number): readonly ScalarValue[] => {
    const node = pipeline.nodes[id];
    return (node?.kind === "table" && run.tables?.[node.name]) || [];
  };
  const zero = (id: number): ScalarValue => castValue("bool", types[id] as Scalar, false);
  const gather = (node: GatherNode, index: number): ScalarValue => {
    if (pipeline.nodes[node.of]?.kind !== "table") return at(node.of, Math.min(index, n - 1));
    const table = tableAt(node.of);
    return table.length === 0 ? zero(node.id) : (table[Math.min(index, table.length - 1)] as ScalarValue);
  };
  // In whole numbers, which are the u32 that everyone else computes as long as nothing leaves u32.
  const onHost = (id: number, name: string): number => {
    const node = pipeline.nodes[id] as ValueNode;
    let value = Number(alone[id] ?? at(id, 0));
    if (node.kind === "binary") {
      const [a, b] = [onHost(node.left, name), onHost(node.right, name)];
      const exact = { add: a + b, sub: a - b, mul: a * b, div: Math.floor(a / b) } as Record<string, number>;
      value = exact[node.op] ?? value;
    }
    if (!(value >= 0 && value < 2 ** 32))
      throw errorOf("bad-capacity", { name, got: value, limit: 2 ** 32 - 1 });
    return value;
  };

  const scattered = (node: ScatterNode, capacity: number): ScalarValue[] => {
    const length = node.length === undefined ? capacity : Number(n ? at(node.length, 0) : alone[node.length]);
    const type = types[node.id] as Scalar;
    const start = node.combine === undefined ? zero(node.id) : OPS[node.combine].identity(type);
    const written: ScalarValue[] = new Array(Math.min(capacity, length)).fill(start);
    for (const i of items.filter((j) => node.where === undefined || at(node.where, j))) {
      const slot = Number(at(node.slot, i));
      if (slot >= written.length) throw errorOf("scatter-outside", { names: node.name });
      const value = at(node.value, i);
      written[slot] =
        node.combine === undefined
          ? value
          : OPS[node.combine].apply(type, written[slot] as ScalarValue, value);
    }
    return written;
  };

  const outputs: ReferenceOutputs = {};
  const scatters: ScatterNode[] = [];
  for (const node of pipeline.nodes) {
    const { id } = node;
    const rate = checked.rates[id];
    if (node.kind === "table") continue;
    if (node.kind === "table-length") {
      values[id] = items.map(() => tableAt(node.of).length);
      alone[id] = tableAt(node.of).length;
    } else if (node.kind === "gather") {
      values[id] = items.map((i) => gather(node, Number(at(node.index, i))));
      // Over no items, tables still have elements.
      const isTable = pipeline.nodes[node.of]?.kind === "table";
      if (n === 0 && rate === "uniform" && isTable && alone[node.index] !== undefined)
        alone[id] = gather(node, Number(alone[node.index]));
    } else if (isScan(node)) values[id] = scan(node);
    else if (
      node.kind === "reduce" ||
      node.kind === "fold" ||
      node.kind === "all" ||
      node.kind === "any" ||
      node.kind === "broadcast"
    ) {
      const result =
        node.kind === "reduce" || node.kind === "fold"
          ? reduce(node)
          : node.kind === "broadcast"
            ? broadcast(node)
            : vote(node);
      values[id] = result.all;
      alone[id] = result.alone as ScalarValue;
    } else if (node.kind === "output") {
      const every = values[node.of] as ScalarValue[];
      if (rate === "uniform" && n === 0 && alone[node.of] === undefined)
        throw errorOf("empty-broadcast", { name: node.name });
      const first = n === 0 ? (alone[node.of] as ScalarValue) : (every[0] as ScalarValue);
      outputs[node.name] =
        rate === "item"
          ? every
          : rate === "uniform"
            ? [first]
            : workGroups.map((group) => every[group[0] as number] as ScalarValue);
    } else if (node.kind === "scatter") {
      if (n === 0 && node.length !== undefined && alone[node.length] === undefined) {
        throw errorOf("empty-broadcast", { name: node.name });
      }
      scatters.push(node);
    } else {
      values[id] = items.map((i) => compute(node, i));
      // What is made from a broadcast of no item is as absent as that.
      const absent = operandsOf(node).some((used) => alone[used] === undefined);
      if (n === 0 && rate === "uniform" && !absent) alone[id] = compute(node, 0);
    }
  }
  // Hosts know all capacities before anything is written.
  const capacities = scatters.map(({ capacity, name }) => {
    if (capacity === undefined) return n;
    const got = onHost(capacity, name);
    if (got > LIMITS.capacity) throw errorOf("bad-capacity", { name, got, limit: LIMITS.capacity });
    return got;
  });
  for (const [i, node] of scatters.entries()) outputs[node.name] = scattered(node, capacities[i] as number);
  return outputs;
}
