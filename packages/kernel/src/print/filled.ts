/** Arrays of a work-item whose elements are all stored at once. */
import type { Expr } from "../language/expr.ts";
import { partsOf } from "../language/map-expr.ts";
import type { ArrayStmt, Stmt, StoreStmt } from "../language/stmt.ts";
import { blocksOf, exprsOf } from "../language/walk.ts";

/** An array, and the stores of all of its elements in order, of which `at` is the first's place in the block. */
export interface FilledArray {
  readonly array: ArrayStmt;
  readonly at: number;
  readonly stores: readonly StoreStmt[];
}

/** Statements that may occur between an array and its first element. */
const NEAR = 8;

/** The statement of a block, if it is an array that nothing reads before consecutive stores have written all elements. */
export function filledAt(block: readonly Stmt[], i: number): FilledArray | undefined {
  const array = block[i];
  if (array?.kind !== "array") return undefined;
  const { name, length } = array;
  const isOwn = (e: { readonly space: string; readonly array: string }): boolean =>
    e.space === "private" && e.array === name;
  const reads = (e: Expr): boolean => (e.kind === "load" && isOwn(e)) || partsOf(e).some(reads);
  const touches = (stmt: Stmt): boolean =>
    (stmt.kind === "store" && isOwn(stmt)) ||
    exprsOf(stmt).some(reads) ||
    blocksOf(stmt).some((inner) => inner.some(touches));
  const first = block.slice(i + 1, i + 1 + NEAR).findIndex(touches);
  if (first < 0) return undefined;
  const at = i + 1 + first;
  const stores = block
    .slice(at, at + length)
    .filter((stmt, e): stmt is StoreStmt => stmt.kind === "store" && isOwn(stmt) && isElement(stmt, e))
    .filter(({ value }) => !reads(value));
  return stores.length === length ? { array, at, stores } : undefined;
}

const isElement = ({ index }: StoreStmt, e: number): boolean => index.kind === "const" && index.value === e;
