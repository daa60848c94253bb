/** Counts of digits by work-group. */
import type { DeviceArray, DeviceCount, PipelineSource } from "@groupwise/core";
import type { Steps } from "../base/primitive.ts";
import { DIGITS, GROUP_SIZE } from "./digit.ts";

/** Arrays of the work-groups' digits, and the items of steps over them. */
interface Counting {
  readonly counts: Readonly<Record<string, DeviceArray>>;
  /** A cell for each digit of each work-group: the number of keys that precede its own. */
  readonly offsets: DeviceArray<"u32">;
  readonly cells: number | DeviceCount;
}

/** Makes the arrays; if the number of items is in device memory, a step computes the number of cells. */
export function countingOf(
  steps: Steps<{ readonly cells: PipelineSource }>,
  items: number | DeviceCount,
  n: number,
): Counting {
  const groups = Math.ceil(n / GROUP_SIZE);
  const names = ["count0", "count1", "count2", "count3", "first"] as const;
  const counts = Object.fromEntries(names.map((name) => [name, steps.array("u32", groups)]));
  const max = DIGITS * groups;
  const offsets = steps.array("u32", max);
  if (typeof items === "number") return { counts, offsets, cells: max };
  const cells = steps.array("u32", 1);
  steps.run("cells", { items: items.count, at: items.at ?? 0, most: items.max, cells }, { n: 1 });
  return { counts, offsets, cells: { count: cells, max } };
}
