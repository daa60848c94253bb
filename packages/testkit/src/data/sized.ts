/** Documents of any size, one family for each kind of node, to measure the cost of parsing, checking, lowering and printing. */
import type { ArrayType, Operator, Pipeline, Scope } from "@groupwise/core";
import {
  type BinaryOp,
  type CollectiveForm,
  encodeLiteral,
  type NodeKind,
  NodeList,
  OPS,
  type OperatorNode,
  PipelineNodes,
} from "@groupwise/core/target";

/** A document under construction. Equal nodes remain several, so that its size is the requested one. */
class Document extends PipelineNodes {
  override input(name: string = "x", type: ArrayType = "u32"): number {
    return super.input(name, type);
  }

  const(value: number): number {
    return this.add({ kind: "const", type: "u32", value });
  }

  override binary(op: BinaryOp, left: number, right: number): number {
    return this.add({ kind: "binary", op, left, right });
  }

  reduce(of: number, scope: Scope = "device"): number {
    const identity = encodeLiteral("u32", OPS.add.identity("u32"));
    return this.add({ kind: "reduce", op: "add", type: "u32", identity, scope, order: "fixed", of });
  }

  scan(
    of: number,
    scope: Scope = "device",
    kind: "scan-inclusive" | "scan-exclusive" = "scan-inclusive",
  ): number {
    const identity = encodeLiteral("u32", OPS.add.identity("u32"));
    return this.add({ kind, op: "add", type: "u32", identity, scope, order: "fixed", of });
  }

  fold(
    of: readonly number[],
    operator: number,
    field: number = 0,
    form: CollectiveForm = "scan-inclusive",
  ): number {
    return this.add({ kind: "user-collective", form, operator, field, scope: "device", of });
  }
}

/** An operator of `fields` u32 that adds field by field, with `nodes` more nodes that its first result is made from. */
export function operatorOfSize(fields: number, nodes: number = 0): Operator {
  const list = new NodeList<OperatorNode>();
  const results = Array.from({ length: fields }, (_, field) => {
    const [left, right] = [list.add({ kind: "left", field }), list.add({ kind: "right", field })];
    return list.add({ kind: "binary", op: "add", left, right });
  });
  const first = results[0] as number;
  let last = first;
  for (let i = 0; i < nodes; i++)
    last = list.add({ kind: "binary", op: i % 2 ? "mul" : "add", left: last, right: i % 3 ? last : first });
  return {
    name: "sums",
    fields: results.map((_, i) => ({ name: `f${i}`, type: "u32", identity: 0 })),
    commutative: true,
    nodes: list.nodes,
    results: [last, ...results.slice(1)],
  };
}

const each = (count: number, make: (i: number) => void): void => {
  for (let i = 0; i < count; i++) make(i);
};

/** A chain that `step` makes longer by `width` nodes at a time, up to `size` nodes. */
const chain =
  (width: number, step: (d: Document, last: number, x: number, i: number) => number) =>
  (size: number): Pipeline => {
    const d = new Document();
    const x = d.input();
    let last = x;
    for (let i = 0; d.nodes.length + width < size; i++) last = step(d, last, x, i);
    d.output("y", last);
    return d.pipeline("sized", [64]);
  };

/** Values side by side, each an output of its own. */
const side =
  (width: number, make: (d: Document, x: number, i: number) => number) =>
  (size: number): Pipeline => {
    const d = new Document();
    const x = d.input();
    for (let i = 0; d.nodes.length + width + 1 <= size; i++) d.output(`y${i}`, make(d, x, i));
    return d.pipeline("sized", [64]);
  };

/** Values side by side, which are summed. */
const summed = (width: number, make: (d: Document, x: number, i: number) => number) =>
  chain(width + 1, (d, last, x, i) => d.binary("add", last, make(d, x, i)));

/** Chains of collectives of the largest allowed depth, one after the other. */
const deep = (width: number, step: (d: Document, last: number, x: number) => number) =>
  chain(width + 2, (d, last, x, i) => {
    const from = i % 60 === 0 ? d.binary("add", x, d.const(i)) : last;
    return step(d, from, x);
  });

const withOperators =
  (operators: readonly Operator[], make: (size: number) => Pipeline) =>
  (size: number): Pipeline => ({ ...make(size), operators });

/** A family of documents, by the number of their nodes. */
export type Family = (size: number) => Pipeline;

/** Families by name: their most frequent kind of node, and how these depend on each other. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  input: chain(2, (d, last, _, i) => d.binary("add", last, d.input(`x${i}`))),
  param: chain(2, (d, last, _, i) =>
    d.binary("add", last, d.add({ kind: "param", name: `p${i}`, type: "u32" })),
  ),
  const: chain(2, (d, last, _, i) => d.binary("xor", last, d.const(i * 7 + 1))),
  "const of const": (size) => {
    const d = new Document();
    d.input();
    let last = d.const(1);
    while (d.nodes.length + 2 < size) last = d.binary("add", last, d.const(3));
    d.output("y", last);
    return d.pipeline("sized", [64]);
  },
  query: summed(1, (d, _, i) =>
    d.add({ kind: "query", query: i % 2 ? "global-id" : "local-id", dimension: 0 }),
  ),
  unary: chain(1, (d, last, _, i) => d.add({ kind: "unary", op: i % 2 ? "not" : "popcount", of: last })),
  binary: chain(1, (d, last, x) => d.binary("mul", last, x)),
  "binary of itself": chain(1, (d, last) => d.binary("mul", last, last)),
  function: chain(1, (d, last, x) => d.add({ kind: "function", op: "mulHigh", of: [last, x] })),
  select: chain(2, (d, last, x) =>
    d.add({ kind: "select", condition: d.binary("gt", last, x), then: last, otherwise: x }),
  ),
  "select of itself": chain(2, (d, last, x) =>
    d.add({ kind: "select", condition: d.binary("gt", last, x), then: last, otherwise: last }),
  ),
  cast: chain(2, (d, last) =>
    d.add({ kind: "cast", to: "u32", of: d.add({ kind: "cast", to: "f32", of: last }) }),
  ),
  "wide cast": chain(2, (d, last) =>
    d.add({ kind: "cast", to: "u32", of: d.add({ kind: "cast", to: "u64", of: last }) }),
  ),
  "half cast": chain(2, (d, last) =>
    d.add({ kind: "cast", to: "u32", of: d.add({ kind: "cast", to: "f16", of: last }) }),
  ),
  bitcast: chain(2, (d, last) =>
    d.add({ kind: "bitcast", to: "u32", of: d.add({ kind: "bitcast", to: "i32", of: last }) }),
  ),
  spread: chain(1, (d, last) => d.add({ kind: "spread", of: last })),
  "table and gather": summed(2, (d, x, i) =>
    d.add({ kind: "gather", of: d.add({ kind: "table", name: `t${i}`, type: "u32" }), index: x }),
  ),
  "table-length": summed(2, (d, _, i) =>
    d.add({ kind: "table-length", of: d.add({ kind: "table", name: `t${i}`, type: "u32" }) }),
  ),
  "gather of items": summed(2, (d, x, i) =>
    d.add({ kind: "gather", of: x, index: d.binary("add", x, d.const(i)) }),
  ),
  "gather of gathers": (size) => {
    const d = new Document();
    const x = d.input();
    let sum = x;
    let last = x;
    // Gathers may depend on one another 64 times.
    for (let i = 1; d.nodes.length + 2 < size; i++) {
      last = d.add({ kind: "gather", of: last, index: x });
      if (i % 50 > 0) continue;
      sum = d.binary("add", sum, last);
      last = x;
    }
    d.output("y", d.binary("add", sum, last));
    return d.pipeline("sized", [64]);
  },
  "gathers side by side": side(1, (d, x) => d.add({ kind: "gather", of: x, index: x })),
  reduce: summed(3, (d, x, i) => d.reduce(d.binary("add", x, d.const(i)))),
  "reduce, shared": summed(1, (d, x) => d.reduce(x)),
  "reduces side by side": side(3, (d, x, i) => d.reduce(d.binary("add", x, d.const(i)))),
  "reduces in a chain": deep(2, (d, last, x) => d.binary("add", x, d.reduce(last))),
  "work-group reduces": summed(3, (d, x, i) => d.reduce(d.binary("add", x, d.const(i)), "work-group")),
  "scan-inclusive": summed(3, (d, x, i) => d.scan(d.binary("add", x, d.const(i)))),
  "scan-exclusive": summed(3, (d, x, i) =>
    d.scan(d.binary("add", x, d.const(i)), "device", "scan-exclusive"),
  ),
  "scans side by side": side(3, (d, x, i) => d.scan(d.binary("add", x, d.const(i)))),
  "scans in a chain": deep(1, (d, last) => d.scan(last)),
  "work-group scans": summed(3, (d, x, i) => d.scan(d.binary("add", x, d.const(i)), "work-group")),
  "user-collective": withOperators(
    [operatorOfSize(2)],
    summed(3, (d, x, i) => d.fold([x, d.binary("add", x, d.const(i))], 0, i % 2)),
  ),
  "folds in a chain": withOperators(
    [operatorOfSize(2)],
    deep(1, (d, last, x) => d.fold([last, x], 0)),
  ),
  "fields of one fold": withOperators(
    [operatorOfSize(32)],
    summed(1, (d, x, i) =>
      d.fold(
        Array.from({ length: 32 }, () => x),
        0,
        i % 32,
      ),
    ),
  ),
  "folds of many fields": withOperators(
    [operatorOfSize(32)],
    deep(1, (d, last, x) => d.fold([...Array.from({ length: 31 }, () => x), last], 0, 31)),
  ),
  "reduces by an operator": withOperators(
    [operatorOfSize(2)],
    summed(3, (d, x, i) => d.fold([x, d.binary("add", x, d.const(i))], 0, i % 2, "reduce")),
  ),
  all: summed(4, (d, x, i) =>
    d.add({
      kind: "cast",
      to: "u32",
      of: d.add({ kind: "all", scope: "device", of: d.binary("gt", x, d.const(i)) }),
    }),
  ),
  any: summed(4, (d, x, i) =>
    d.add({
      kind: "cast",
      to: "u32",
      of: d.add({ kind: "any", scope: "work-group", of: d.binary("gt", x, d.const(i)) }),
    }),
  ),
  broadcast: summed(2, (d, x, i) =>
    d.add({ kind: "broadcast", scope: "device", of: x, index: [d.const(i)] }),
  ),
  rank: summed(2, (d, x, i) => d.add({ kind: "rank", scope: "device", of: x, bins: 1 + (i % 16) })),
  "work-group broadcasts": summed(2, (d, x, i) =>
    d.add({ kind: "broadcast", scope: "work-group", of: x, index: [d.const(i % 64)] }),
  ),
  "broadcasts in a chain": deep(3, (d, last, x) =>
    d.binary("add", x, d.add({ kind: "broadcast", scope: "device", of: last, index: [d.const(0)] })),
  ),
  output: side(0, (_, x) => x),
  scatter: (size) => {
    const d = new Document();
    const x = d.input();
    each(size - 2, (i) => d.add({ kind: "scatter", name: `y${i}`, value: x, slot: x }));
    return d.pipeline("sized", [64]);
  },
  "scatters with capacities": (size) => {
    const d = new Document();
    const x = d.input();
    const capacity = d.const(100);
    each(size - 3, (i) =>
      d.add({ kind: "scatter", name: `y${i}`, value: x, slot: x, capacity, combine: i % 2 ? "min" : "add" }),
    );
    return d.pipeline("sized", [64]);
  },
  "scatters with lengths": (size) => {
    const d = new Document();
    const x = d.input();
    for (let i = 0; d.nodes.length + 4 <= size; i++) {
      const length = d.reduce(d.binary("min", x, d.const(i)));
      d.add({ kind: "scatter", name: `y${i}`, value: x, slot: x, length });
    }
    return d.pipeline("sized", [64]);
  },
};

/** The kinds of nodes that families have. */
export const kindsOf = (families: Readonly<Record<string, Family>>): ReadonlySet<NodeKind> =>
  new Set(Object.values(families).flatMap((family) => family(40).nodes.map(({ kind }) => kind)));

/** Pipelines of a single user-defined collective, by an operator of a number of nodes. */
export const operatorOfNodes: Family = (size) => {
  const d = new Document();
  d.output("y", d.fold([d.input()], 0));
  return { ...d.pipeline("sized", [64]), operators: [operatorOfSize(1, size)] };
};
