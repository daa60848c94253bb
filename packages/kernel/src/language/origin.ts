/**
 * Numbers of statements that copies keep, so that statements before and after a pass can be compared. Nobody but tests
 * numbers a module, and no text, no comparison in JSON and no traversal sees the numbers.
 */
import type { Module } from "./module.ts";
import type { Stmt } from "./stmt.ts";
import { mapBlocks } from "./walk.ts";

const ORIGIN = Symbol("origin");
interface Numbered {
  readonly [ORIGIN]?: number;
}

/** The number of a statement, or of the statement that it was made from. */
export const originOf = (stmt: Stmt): number | undefined => (stmt as Numbered)[ORIGIN];

function numbered(stmt: Stmt, origin: number): Stmt {
  const number: Numbered = { [ORIGIN]: origin };
  return { ...stmt, ...number };
}

/** The module with a number for each statement, from 1. */
export function withOrigins(module: Module): Module {
  let last = 0;
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => {
      const origin = ++last;
      return numbered(mapBlocks(stmt, block), origin);
    });
  const inside = <B extends { readonly body: readonly Stmt[] }>(one: B): B => ({
    ...one,
    body: block(one.body),
  });
  return { ...module, functions: module.functions.map(inside), kernels: module.kernels.map(inside) };
}

/** Statements that a pass makes of one, with its number where they have none. */
export function madeOf(stmt: Stmt, made: readonly Stmt[]): readonly Stmt[] {
  const origin = originOf(stmt);
  if (origin === undefined) return made;
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((one) => numbered(mapBlocks(one, block), originOf(one) ?? origin));
  return block(made);
}
