/** What the operands of an item tell of it, so that nothing is read or computed a second time. */
import type { Checked } from "../../../ir/document/check.ts";
import type { NodeId } from "../../../ir/document/node.ts";
import { normalises } from "../../../ir/tables/op.ts";
import type { Expr } from "../../kernel/expr.ts";
import { ne, u32 } from "../../kernel/make-expr.ts";
import type { Fused } from "./fused.ts";

/** A node's value, made of the operands of the pass. */
export interface Known {
  readonly id: NodeId;
  from(operands: readonly Expr[]): Expr;
}

/** The operands themselves, and the conditions that they count. */
export function knownOf({ components }: Fused, { pipeline, types }: Checked): Known[] {
  const operands = components.flatMap(({ of, builtin }) => of.map((id) => ({ id, builtin })));
  return operands.flatMap(({ id, builtin }, i): Known[] => {
    if (builtin && (normalises(builtin.op, builtin.type) || builtin.type !== types[id])) return [];
    const own: Known = { id, from: (values) => values[i] as Expr };
    const node = pipeline.nodes[id];
    if (node?.kind !== "cast" || node.to !== "u32" || types[node.of] !== "bool") return [own];
    return [own, { id: node.of, from: (values) => ne(values[i] as Expr, u32(0)) }];
  });
}
