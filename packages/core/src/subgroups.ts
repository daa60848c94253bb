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
