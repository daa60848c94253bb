import { hasSiblings } from "./capabilities.ts";
import { LEAST_SUBGROUP, type Manifest } from "./manifest.ts";

/**
 * What a trial of a device's subgroups tells. Languages leave open which work-items form one; kernels count on
 * consecutive ones. In the trial every work-item writes the subgroup's size if all its siblings, `i ^ bit` for
 * each bit below the size, are in reach, else 0.
 * @param found what the work-items of groups of `size` wrote
 * @param least work-items that a subgroup must have, where the group has as many
 * @returns why the device's subgroups are of no use; undefined where they are as expected
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
    return `${what} are not made of consecutive work-items (tried out; seen at ${wrong % size})`;
  if (sizes.some((other) => other !== sizes[0])) return `${what} differ in size (tried out)`;
  const isPower = Number.isInteger(Math.log2(sizes[0] as number));
  const isEnough = (sizes[0] as number) >= Math.min(least, size);
  if (isPower && isEnough) return undefined;
  return `${what} have ${sizes[0]} work-items (tried out)${isEnough ? "" : `, and ${least} are counted on`}`;
}

/** By sizes of work-groups and of subgroups: why a device's subgroups are of no use, if so. */
export type SubgroupTrials = Map<string, Promise<string | undefined>>;

/**
 * Tries a device's subgroups in every size of work-groups that kernels exchange in, each size once.
 * @param trials what is known of the device, and where it is kept
 * @param tryOut gives {@link subgroupProblem}'s answer for a size of work-groups and a least one of subgroups
 * @returns why the device cannot run what the manifest describes; undefined where it can
 */
export async function trySubgroups(
  { passes, flags }: Manifest,
  trials: SubgroupTrials,
  tryOut: (size: number, least: number) => Promise<string | undefined>,
): Promise<string | undefined> {
  const least = Number(flags[LEAST_SUBGROUP] ?? 1);
  for (const { workGroupSize: size } of passes) {
    if (!hasSiblings(size)) continue;
    const key = `${size} ${least}`;
    const answer = trials.get(key) ?? tryOut(size, least);
    trials.set(key, answer);
    // A trial that could not be made tells nothing of the device.
    answer.catch(() => trials.delete(key));
    const problem = await answer;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
