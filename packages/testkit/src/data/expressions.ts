/** Every element-wise operator on a type, an output each. */
import type { Pipeline, Scalar } from "@groupwise/core";
import {
  BINARY,
  type BinaryOp,
  type NewNode,
  PipelineNodes,
  SCALARS,
  UNARY,
  type UnaryOp,
} from "@groupwise/core/target";
import { TYPES } from "./collectives.ts";

/**
 * Unary and binary operators of `x` and `y`, shifts by `by`, casts, bitcasts, select.
 * @param casts the types to convert to
 */
export function expressionsOf(type: Scalar, casts: readonly Scalar[] = TYPES): Pipeline {
  const { kind, bits } = SCALARS[type];
  const list = new PipelineNodes();
  const [x, y] = [list.input("x", type), list.input("y", type)];
  const [by, which] = [list.input("by", "u32"), list.input("which", "bool")];
  const outputs: [string, number][] = [];
  const add = (name: string, node: NewNode): void => {
    outputs.push([`${name}_out`, list.add(node)]);
  };
  for (const op of Object.keys(UNARY) as UnaryOp[])
    if (UNARY[op].on.includes(kind)) add(op, { kind: "unary", op, of: x });
  for (const op of Object.keys(BINARY) as BinaryOp[])
    if (BINARY[op].on.includes(kind))
      add(op, { kind: "binary", op, left: x, right: BINARY[op].rightType ? by : y });
  add("select", { kind: "select", condition: which, then: x, otherwise: y });
  for (const to of casts) {
    if (to === type) continue;
    add(`to_${to}`, { kind: "cast", to, of: x });
    if (SCALARS[to].bits === bits) add(`as_${to}`, { kind: "bitcast", to, of: x });
  }
  for (const [name, of] of outputs) list.output(name, of);
  return list.pipeline(`expressions-${type}`, [64]);
}
