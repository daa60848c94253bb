import { type Capabilities, hasSiblings } from "@groupwise/kernel/capabilities/capabilities.js";
import { LEAST_SUBGROUP, type Manifest } from "../plan/manifest.ts";

/**
 * Evaluates the test of a device's subgroups. Languages do not define which work-items form a subgroup; kernels rely
 * on consecutive ones. In the test every work-item writes the subgroup's size if it reaches all its siblings,
 * `i ^ bit` for each bit below the size, otherwise 0.
 * @param found the values that the work-items of work-groups of `size` wrote
 * @param least the required subgroup size, if the work-group is that large
 * @returns the reason why the device's subgroups cannot be used; undefined if they can
 */
export function subgroupProblem(
  found: ArrayLike<number>,
  size: number,
  least: number = 1,
): string | undefined {
  const sizes = Array.from(found);
  const what = `in work-groups of ${size}, subgroups`;
  const wrong = sizes.indexOf(0);
  if (wrong >= 0)
    return `${what} do not consist of consecutive work-items (tested; wrong at ${wrong % size})`;
  if (sizes.some((other) => other !== sizes[0])) return `${what} differ in size (tested)`;
  const isPower = Number.isInteger(Math.log2(sizes[0] as number));
  const isEnough = (sizes[0] as number) >= Math.min(least, size);
  if (isPower && isEnough) return undefined;
  return `${what} have ${sizes[0]} work-items (tested)${isEnough ? "" : `, but ${least} are required`}`;
}

/** By sizes of work-groups and subgroups: the reason why a device's subgroups cannot be used, or undefined. */
export type SubgroupTrials = Map<string, Promise<string | undefined>>;

/**
 * Tests a device's subgroups in every size of work-groups whose kernels shuffle, each size once.
 * @param capabilities those with which the passes were lowered
 * @param trials the cache of results of the device
 * @param tryOut returns {@link subgroupProblem}'s result for a work-group size and a minimum subgroup size
 * @returns the reason why the device cannot run the emitted files; undefined if it can
 */
export async function trySubgroups(
  { passes, flags }: Manifest,
  { leastGroup }: Pick<Capabilities, "leastGroup">,
  trials: SubgroupTrials,
  tryOut: (size: number, least: number) => Promise<string | undefined>,
): Promise<string | undefined> {
  const least = Number(flags[LEAST_SUBGROUP] ?? 1);
  for (const { workGroupSize: size } of passes) {
    if (!hasSiblings(size, leastGroup)) continue;
    const key = `${size} ${least}`;
    const answer = trials.get(key) ?? tryOut(size, least);
    trials.set(key, answer);
    // A test that failed to run says nothing about the device.
    answer.catch(() => trials.delete(key));
    const problem = await answer;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
