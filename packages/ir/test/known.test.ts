/** A value is known before a run if, and only if, all items of all runs have it. */
import { expect, test } from "vitest";
import { check } from "../src/document/check.ts";
import { knownValue } from "../src/document/known.ts";
import type { NodeId } from "../src/document/node.ts";
import { LAST_DIMENSION, QUERIES, type Query } from "../src/document/query.ts";
import { reference } from "../src/reference/reference.ts";
import type { ScalarValue } from "../src/tables/scalar.ts";
import { type Draft, documentOf, input } from "./support.ts";

const nodes: Draft[] = [input("u32")];
const add = (node: Draft): NodeId => nodes.push(node) - 1;
const x = 0;
const [seven, three] = [7, 3].map((value) => add({ kind: "const", type: "u32", value })) as [NodeId, NodeId];
const [yes, no] = [true, false].map((value) => add({ kind: "const", type: "bool", value })) as [
  NodeId,
  NodeId,
];
const half = add({ kind: "const", type: "f32", value: 1.5 });
const isLarge = add({ kind: "binary", op: "gt", left: x, right: three });
for (const [query, { beyond }] of Object.entries(QUERIES))
  for (const dimension of beyond === undefined ? [0] : [0, 1, 2, LAST_DIMENSION])
    add({ kind: "query", query: query as Query, dimension });
for (const of of [seven, x]) {
  add({ kind: "unary", op: "not", of });
  add({ kind: "cast", to: "f32", of });
  add({ kind: "bitcast", to: "f32", of });
}
add({ kind: "cast", to: "u32", of: half });
add({ kind: "bitcast", to: "u32", of: half });
for (const [left, right] of [
  [seven, three],
  [three, x],
  [x, three],
] as const) {
  add({ kind: "binary", op: "sub", left, right });
  add({ kind: "binary", op: "lt", left, right });
  add({ kind: "function", op: "mod", of: [left, right] });
}
for (const condition of [yes, no, isLarge])
  for (const [then, otherwise] of [
    [seven, three],
    [seven, x],
    [x, three],
  ] as const)
    add({ kind: "select", condition, then, otherwise });

test("constants, sizes of work-groups, and operators of those", () => {
  const outputs = nodes.map((_, of): Draft => ({ kind: "output", name: `y${of}`, of }));
  const checked = check(documentOf([...nodes, ...outputs], [2, 3]));
  const runs = [
    { globalSize: [5, 4], globalOffset: [1, 2] },
    { globalSize: [7, 10], globalOffset: [3, 4] },
  ].map((range) => {
    const n = range.globalSize.reduce((a, b) => a * b);
    return reference(checked, { ...range, inputs: { x: Array.from({ length: n }, (_, i) => i) } });
  });
  const known: (ScalarValue | undefined)[] = [];
  for (const node of checked.pipeline.nodes)
    known.push(knownValue(node, checked.pipeline, checked.types, known));
  const common = nodes.map((_, id) => {
    const [value, ...others] = new Set(runs.flatMap((run) => [...(run[`y${id}`] ?? [])]));
    return others.length === 0 ? value : undefined;
  });
  expect(known.slice(0, nodes.length)).toEqual(common);
});
