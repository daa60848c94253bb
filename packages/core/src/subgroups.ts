import type { Capabilities } from "./capabilities.ts";
import type { Manifest } from "./manifest.ts";

/**
 * What a trial of a device's subgroups tells. Languages leave open which work-items form one; kernels count on
 * consecutive ones. In the trial every work-item writes the subgroup's size if all its siblings, `i ^ bit` for
 * each bit below the size, are in reach, else 0.
 * @param found what the work-items of groups of `size` wrote
 * @returns why the device's subgroups are of no use; undefined where they are as expected
 */
export function subgroupProblem(found: ArrayLike<number>, size: number): string | undefined {
  const sizes = Array.from(found);
  const what = `in work-groups of ${size}, subgroups`;
  const wrong = sizes.indexOf(0);
  if (wrong >= 0)
    return `${what} are not made of consecutive work-items (tried out; seen at ${wrong % size})`;
  if (sizes.some((other) => other !== sizes[0])) return `${what} differ in size (tried out)`;
  const isPower = Number.isInteger(Math.log2(sizes[0] as number));
  return isPower ? undefined : `${what} have ${sizes[0]} work-items (tried out)`;
}

/** Sizes of work-groups whose work-items may exchange values: powers of two, of more than one. */
export const hasSiblings = (size: number): boolean => size > 1 && Number.isInteger(Math.log2(size));

/** What is left of capabilities where subgroups are not to be used, and why not. */
export const lackingSubgroups = (capabilities: Capabilities, unsupported: string): Capabilities => ({
  ...capabilities,
  subgroups: { unsupported },
  // What waits for other groups was chosen for the subgroups' sake.
  lookBack: { unsupported: `no subgroups: ${unsupported}` },
});

/** By size of work-groups: why a device's subgroups are of no use in them, if so. */
export type SubgroupTrials = Map<number, Promise<string | undefined>>;

/**
 * Tries a device's subgroups in every size of work-groups that kernels exchange in, each size once.
 * @param trials what is known of the device, and where it is kept
 * @param tryOut gives {@link subgroupProblem}'s answer for a size
 * @returns why the device cannot run what the manifest describes; undefined where it can
 */
export async function trySubgroups(
  { passes }: Manifest,
  trials: SubgroupTrials,
  tryOut: (size: number) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const { workGroupSize: size } of passes) {
    if (!hasSiblings(size)) continue;
    const answer = trials.get(size) ?? tryOut(size);
    trials.set(size, answer);
    // A trial that could not be made tells nothing of the device.
    answer.catch(() => trials.delete(size));
    const problem = await answer;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
