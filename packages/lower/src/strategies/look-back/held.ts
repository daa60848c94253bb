/**
 * The operands of a tile that a work-item keeps in registers: conditions as bits of a word, and those
 * operands that cannot be computed from conditions and indexes of items.
 */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { normalises } from "@groupwise/ir/tables/op.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { and, binary, ne, select, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Values } from "../../parts/values.ts";
import type { Fused } from "./fused.ts";
import { conditionsOf } from "./kind.ts";
import { HeldPairs } from "./tiles/pairs.ts";
import { copyArrays } from "./tiles/partials.ts";

/** Bits of a word. */
const MOST_ITEMS = 32;

/** The values that are held for an item. */
export interface Holding {
  readonly conditions: readonly NodeId[];
  readonly operands: readonly NodeId[];
  /** In place of these: the operands of two rows in each word. */
  readonly isInPairs?: boolean;
}

/** @param items of a work-item in a tile */
export function holdingOf({ components }: Fused, checked: Checked, items: number): Holding {
  const conditions = new Set<NodeId>();
  const operands = new Set<NodeId>();
  for (const id of components.flatMap(({ of }) => of)) {
    const found = items <= MOST_ITEMS ? conditionsOf(checked, id) : undefined;
    if (found) for (const condition of found) conditions.add(condition);
    else operands.add(id);
  }
  return { conditions: [...conditions], operands: [...operands] };
}

/** The held values of a tile. */
export class Held {
  private readonly holding: Holding;
  private readonly bits: readonly VarExpr[];
  private readonly arrays: readonly ArrayRef[];
  readonly pairs: HeldPairs | undefined;

  constructor(code: Code, hint: string, holding: Holding, { types }: Checked, items: number) {
    this.holding = holding;
    this.pairs = holding.isInPairs ? new HeldPairs(code, hint, items) : undefined;
    this.bits = holding.conditions.map(() => code.var(`${hint}_bits`, u32(0)));
    this.arrays = holding.operands.map((id) => code.array(hint, types[id] as Expr["type"], items));
  }

  /** Clears all held values. */
  clear(code: Code): void {
    for (const word of this.bits) code.assign(word, u32(0));
  }

  /** Adds an item, the `k`-th of the work-item, after {@link clear}. */
  put(code: Code, k: Expr, values: Values): void {
    this.holding.conditions.forEach((id, i) => {
      const word = this.bits[i] as VarExpr;
      const bit = select(values.get(id, code), 1, 0);
      code.assign(word, binary("or", word, binary("shl", bit, k)));
    });
    this.holding.operands.forEach((id, i) => {
      code.store(this.arrays[i] as ArrayRef, k, values.get(id, code));
    });
  }

  /** Sets the held values of an item. */
  restore(code: Code, k: Expr, values: Values): void {
    this.holding.conditions.forEach((id, i) => {
      const bit = and(binary("shr", this.bits[i] as Expr, k), 1);
      values.set(id, code.let("holds", ne(bit, 0)));
    });
    this.holding.operands.forEach((id, i) => {
      values.set(id, code.load(this.arrays[i] as ArrayRef, k));
    });
  }

  /** Copies what another one holds. */
  copy(code: Code, from: Held, items: number): void {
    for (const [i, word] of this.bits.entries()) code.assign(word, from.bits[i] as Expr);
    copyArrays(code, this.arrays, from.arrays, items);
    if (from.pairs) this.pairs?.copy(code, from.pairs);
  }
}

/** A node's value, computed from the operands of the pass. */
export interface Known {
  readonly id: NodeId;
  from(operands: readonly Expr[]): Expr;
}

/** The operands, and the conditions that they count. */
export function knownOf({ components }: Fused, { pipeline, types }: Checked): Known[] {
  const operands = components.flatMap(({ of, builtin }) => of.map((id) => ({ id, builtin })));
  return operands.flatMap(({ id, builtin }, i): Known[] => {
    if (builtin && (normalises(builtin.op, builtin.type) || builtin.type !== types[id])) return [];
    const own: Known = { id, from: (values) => values[i] as Expr };
    const node = pipeline.nodes[id];
    if (node?.kind !== "cast" || node.to !== "u32" || types[node.of] !== "bool") return [own];
    return [own, { id: node.of, from: (values) => ne(values[i] as Expr, 0) }];
  });
}
