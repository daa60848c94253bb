/** Every element-wise operator on a type, an output each. */
import type { Pipeline, PipelineNode, Scalar } from "@groupwise/core";
import { BINARY, type BinaryOp, SCALARS, UNARY, type UnaryOp } from "@groupwise/core/target";
import { TYPES } from "./collectives.ts";

/**
 * Unary and binary operators of `x` and `y`, shifts by `by`, casts, bitcasts, select.
 * @param casts the types to convert to
 */
export function expressionsOf(type: Scalar, casts: readonly Scalar[] = TYPES): Pipeline {
  const { kind, bits } = SCALARS[type];
  const nodes: PipelineNode[] = [
    { id: 0, kind: "input", name: "x", type },
    { id: 1, kind: "input", name: "y", type },
    { id: 2, kind: "input", name: "by", type: "u32" },
    { id: 3, kind: "input", name: "which", type: "bool" },
  ];
  const outputs: [string, number][] = [];
  const add = (name: string, node: object): void => {
    outputs.push([`${name}_out`, nodes.length]);
    nodes.push({ id: nodes.length, ...node } as PipelineNode);
  };
  for (const op of Object.keys(UNARY) as UnaryOp[])
    if (UNARY[op].on.includes(kind)) add(op, { kind: "unary", op, of: 0 });
  for (const op of Object.keys(BINARY) as BinaryOp[])
    if (BINARY[op].on.includes(kind))
      add(op, { kind: "binary", op, left: 0, right: BINARY[op].rightType ? 2 : 1 });
  add("select", { kind: "select", condition: 3, then: 0, otherwise: 1 });
  for (const to of casts) {
    if (to === type) continue;
    add(`to_${to}`, { kind: "cast", to, of: 0 });
    if (SCALARS[to].bits === bits) add(`as_${to}`, { kind: "bitcast", to, of: 0 });
  }
  for (const [name, of] of outputs) nodes.push({ id: nodes.length, kind: "output", name, of });
  return {
    format: "groupwise-pipeline",
    version: 1,
    name: `expressions-${type}`,
    workGroupSize: [64],
    nodes,
  };
}
