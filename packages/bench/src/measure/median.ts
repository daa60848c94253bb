/** The middle of numbers in ascending order; the upper one of two. NaN of none. */
export const medianOf = (sorted: readonly number[]): number =>
  sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
