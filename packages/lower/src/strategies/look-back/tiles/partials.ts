/** What registers keep of the first sweep over a tile, where combining takes long. */
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, mul, u32 } from "@groupwise/kernel/language/make-expr.js";

/** Copies private arrays of the same types. */
export const copyArrays = (
  code: Code,
  arrays: readonly ArrayRef[],
  from: readonly ArrayRef[],
  length: number,
): void =>
  code.for("k", 0, length, (body, k) =>
    arrays.forEach((array, i) => {
      body.store(array, k, body.load(from[i] as ArrayRef, k));
    }),
  );

/** Values of a lane's row that its prefixes combine: its first item, its first two, its third. */
const LEAVES = 3;

/** What a work-item keeps of the first sweep over a tile for the second one: totals across lanes, and the leaves of its rows. */
export class Partials {
  private readonly arrays: readonly ArrayRef[];
  private readonly across: number;
  private readonly length: number;

  /** @param across the number of totals across lanes */
  constructor(code: Code, hint: string, types: readonly Scalar[], rows: number, across: number) {
    this.across = across;
    this.length = across + rows * LEAVES;
    this.arrays = types.map((type) => code.array(hint, type, this.length));
  }

  copy(code: Code, from: Partials): void {
    copyArrays(code, this.arrays, from.arrays, this.length);
  }

  putAcross(code: Code, totals: readonly (readonly Expr[])[]): void {
    for (const [k, values] of totals.entries()) this.put(code, u32(k), values);
  }

  takeAcross(code: Code): Expr[][] {
    return Array.from({ length: this.across }, (_, k) => this.take(code, u32(k)));
  }

  putRow(code: Code, row: Expr, leaves: readonly (readonly Expr[])[]): void {
    for (const [j, values] of leaves.entries()) this.put(code, this.leaf(row, j), values);
  }

  takeRow(code: Code, row: Expr): Expr[][] {
    return Array.from({ length: LEAVES }, (_, j) => this.take(code, this.leaf(row, j)));
  }

  private leaf(row: Expr, j: number): Expr {
    return add(mul(row, LEAVES), this.across + j);
  }

  private put(code: Code, at: Expr, values: readonly Expr[]): void {
    code.storeAll(this.arrays, at, values);
  }

  private take(code: Code, at: Expr): Expr[] {
    return this.arrays.map((array) => code.let("kept", code.load(array, at)));
  }
}
