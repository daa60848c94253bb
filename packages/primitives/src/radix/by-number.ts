/** Sorts by small numbers, such as those of rows and groups, with values of any type. */
import type { DeviceArray, DeviceCount, PipelineSource, Scalar } from "@groupwise/core";
import { u32 } from "@groupwise/dsl";
import type { Steps } from "../base/primitive.ts";
import type { ElementType } from "../base/stand-in.ts";
import { keyOf } from "./order.ts";
import { sortPipelines, sortSteps } from "./sort-steps.ts";

const NUMBER = /*@__PURE__*/ keyOf(u32, false);

/** The pipeline of all rounds. */
export const moveByNumber = (values: { readonly type: Scalar }): PipelineSource =>
  sortPipelines(NUMBER, values as ElementType).move;

/** What is sorted. */
export interface Numbered {
  readonly keys: DeviceArray<"u32">;
  readonly values: DeviceArray<Scalar>;
  readonly sorted: DeviceArray<"u32">;
  readonly moved: DeviceArray<Scalar>;
  readonly items: number | DeviceCount;
  readonly n: number;
  /** Numbers are below it. */
  readonly below: number;
}

/** Adds the steps of a stable sort. @param move the name of {@link moveByNumber} of the values among the pipelines */
export function sortByNumber<K extends string>(
  steps: Steps<{ readonly [N in K]: PipelineSource }>,
  move: K,
  { items, n, below, ...arrays }: Numbered,
): void {
  const moving: Steps<ReturnType<typeof sortPipelines>> = {
    array: (type, length) => steps.array(type, length),
    run: (_, given, options) => steps.run(move, given as never, options),
  };
  sortSteps(moving, { key: NUMBER, arrays, items, n, end: Math.ceil(Math.log2(below)) });
}
