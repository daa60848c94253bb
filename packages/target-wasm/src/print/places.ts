/** Where arrays lie in memory. */

/** The first byte that is used: sums of an index and a small number may begin below an array (`code/function.ts`). */
export const FIRST = 256;
