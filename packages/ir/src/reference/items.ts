/** The items of a range in order, numbered as in the specification; used by the reference. */
import type { Query } from "../document/query.ts";
import { QUERIES } from "../document/query.ts";

/** A range and its division into work-groups; lists have one number per dimension. */
export interface CutRange {
  readonly size: readonly number[];
  readonly offset: readonly number[];
  readonly workGroup: readonly number[];
}

/** The place of an item. */
export interface Item {
  /** Per dimension, without the offset. */
  readonly at: readonly number[];
  readonly group: readonly number[];
  readonly local: readonly number[];
  /** Items of its work-group that exist, per dimension. */
  readonly localSize: readonly number[];
}

/** (z * size(1) + y) * size(0) + x, for any number of dimensions. */
export function linear(at: readonly number[], size: readonly number[]): number {
  return at.reduceRight((sum, x, d) => sum * (size[d] as number) + x, 0);
}

/** Number of work-groups per dimension. */
export function groupCounts({ size, workGroup }: CutRange): number[] {
  return size.map((side, d) => Math.ceil(side / (workGroup[d] as number)));
}

/** The position with a linear id, which may be past the last item. */
export function itemAt(range: CutRange, index: number): Item {
  const { size, workGroup } = range;
  let rest = index;
  const at = size.map((side) => {
    const x = side === 0 ? 0 : rest % side;
    rest = side === 0 ? 0 : Math.floor(rest / side);
    return x;
  });
  const group = at.map((x, d) => Math.floor(x / (workGroup[d] as number)));
  const first = group.map((g, d) => g * (workGroup[d] as number));
  return {
    at,
    group,
    local: at.map((x, d) => x - (first[d] as number)),
    localSize: first.map((start, d) => Math.min(workGroup[d] as number, (size[d] as number) - start)),
  };
}

/** The result of a query at an item. */
export function answer(range: CutRange, item: Item, query: Query, dimension: number): number {
  const { size, offset, workGroup } = range;
  const { beyond } = QUERIES[query];
  if (beyond !== undefined && dimension >= size.length) return beyond;
  const along = (list: readonly number[]): number => list[dimension] as number;
  const answers: Readonly<Record<Query, () => number>> = {
    "work-dim": () => size.length,
    "global-size": () => along(size),
    "global-id": () => along(item.at) + along(offset),
    "local-size": () => along(item.localSize),
    "enqueued-local-size": () => along(workGroup),
    "local-id": () => along(item.local),
    "num-groups": () => along(groupCounts(range)),
    "group-id": () => along(item.group),
    "global-offset": () => along(offset),
    "global-linear-id": () => linear(item.at, size),
    "local-linear-id": () => linear(item.local, item.localSize),
  };
  return answers[query]();
}
