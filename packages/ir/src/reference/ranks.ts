/** Stable ranks by sorting, an algorithm without counts. */
import type { NodeOf, Reference } from "./reference.ts";

/** For each item, the number of smaller keys plus the number of earlier equal ones. */
export function rankItems(run: Reference, { id, of, bins }: NodeOf<"rank">): void {
  const keyAt = (i: number): number => Math.min(Number(run.at(of, i)), bins - 1);
  const ranks: number[] = [];
  // Equal keys stay in order.
  const sorted = [...run.items].sort((a, b) => keyAt(a) - keyAt(b));
  for (const [place, i] of sorted.entries()) ranks[i] = place;
  run.values[id] = ranks;
}
