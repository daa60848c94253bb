/** Loops whose iterations are so short that their address decides how long they take. */
import type { ForStmt, Stmt } from "@groupwise/core/kernel";

const STRAIGHT: ReadonlySet<Stmt["kind"]> = new Set<Stmt["kind"]>(["let", "assign", "store"]);
/** Statements of an iteration. */
const MOST = 6;

/**
 * The macro before a loop that carries a value from item to item and does little else. gcc makes five instructions of a reduce, and aligns them to
 * 16 bytes: where they lie in two lines of the instruction cache, an iteration takes two cycles in place of one.
 */
export function unrolling({ step, body }: ForStmt): "" | "GW_UNROLL " | "GW_UNROLL_VECTORS " {
  const kinds = body.map(({ kind }) => kind);
  const isShort = step === 1 && body.length <= MOST && kinds.every((kind) => STRAIGHT.has(kind));
  if (!isShort || !kinds.includes("assign")) return "";
  return kinds.includes("store") ? "GW_UNROLL " : "GW_UNROLL_VECTORS ";
}
