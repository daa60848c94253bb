/** Whether two items write one slot of a scatter, on the user's sample data or on generated values. */
import { type Checked, type HostArray, plan, type RunOptions, type RunValues } from "@groupwise/core";
import { arraySpec, inspectorOf, SCALARS, valueTypeOf } from "@groupwise/core/target";
import { js } from "@groupwise/target-js";
import { isGroupwiseError, type Problem, problemOf } from "../base/problem.ts";

/** Number of generated items, and a number coprime to it: `7 i + 3` modulo the number of items is a permutation. */
const MADE = 100;
const STEP = 7;

/** Generated values by name: whole numbers below the number of items, all different if the type can represent them. */
function madeValues({ inputs, tables, params }: Checked): RunValues {
  const arrays = [...inputs, ...tables].map(({ name, type }) => {
    const { array, toHost } = arraySpec(type);
    const { whole } = SCALARS[valueTypeOf(type)];
    const made = new array(MADE) as HostArray & { [i: number]: number | bigint };
    for (let i = 0; i < MADE; i++) made[i] = toHost(whole((STEP * i + 3) % MADE));
    return [name, made];
  });
  return Object.fromEntries([
    ...arrays,
    ...params.map(({ name, type }) => [name, SCALARS[type].whole(MADE)]),
  ]);
}

/** The range of generated values: 100 items, or 10 x 10, or 10 x 10 x 1. */
function madeRange({ pipeline: { workGroupSize } }: Checked): RunOptions {
  const sides = [[MADE], [10, 10], [10, 10, 1]][workGroupSize.length - 1] ?? [MADE];
  return { globalSize: sides };
}

/**
 * The problem of two items that write one slot, if there is one.
 * @param given the user's values and range. Without them values are generated, and other errors are ignored
 * @throws GroupwiseError what a run of the user's values throws
 */
export function slotProblem(
  checked: Checked,
  given?: { readonly values: RunValues; readonly options: RunOptions },
): Problem | undefined {
  try {
    const made = plan(checked.pipeline, js);
    const { values, options } = given ?? { values: madeValues(checked), options: madeRange(checked) };
    inspectorOf(true, made, js.print(made, {}).manifest)(values, options);
  } catch (error) {
    if (isGroupwiseError(error) && error.code === "scatter-conflict") return problemOf(error);
    if (given || !isGroupwiseError(error)) throw error;
  }
  return undefined;
}
