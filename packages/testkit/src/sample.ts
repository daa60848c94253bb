/**
 * Checks that stand for the others on devices that are slow to compile for. Every test run takes these there, and the
 * full run takes all: each strategy, class of types and feature of the language has one here. Devices whose compilers
 * are quick take all of them in every run.
 */

/** Beginnings of names, and what they stand for. */
const SAMPLE: readonly (readonly [start: string, standsFor: string])[] = [
  ["every work-group collective of i32, work-groups of 64", "all operators in a work-group"],
  [
    "every work-group collective of f32, work-groups of 7",
    "a work-group that is no power of two; float order",
  ],
  ["every device collective of i32", "integers of 32 bits over the range"],
  ["every device collective of f32", "floats over the range: order, NaN, -0, infinities"],
  ["every device collective of i64", "integers in two words"],
  ["every device collective of f16", "halves"],
  ["the laws of device collectives of f32", "the laws, on the kernels above"],
  ["exclusive minima and maxima of f32", "identities"],
  ["broadcasts of every type by 3 coordinates", "broadcasts; every type in memory"],
  ["every element-wise operator on i32", "operators and conversions of integers"],
  ["every element-wise operator on f32", "operators and conversions of floats"],
  ["every element-wise operator on f64", "doubles, in words where the device has none"],
  ["broadcasts and scatters by coordinates", "ranges of several dimensions"],
  ["line-index:", "scans that scatters read"],
  ["shifted:", "an error that the device reports"],
  ["broadcast:", "broadcasts by what is known when"],
  ["votes:", "all and any"],
  ["mixed-scopes:", "both scopes in one pipeline"],
  ["chained-scans:", "stages that wait for one another"],
  ["no-algebra:", "float expressions that compilers may not rewrite"],
  ["constants:", "literals"],
  ["wide-mix:", "wide types beside one another"],
  ["constants-in-halves:", "literals of halves"],
  ["affine-maps-in-space:", "an operator that does not commute; seeds of records"],
  ["argmax:", "records of several types"],
  ["keyed:", "segments"],
  ["gather-crossing:", "gathers between stages"],
  ["tables:", "arrays of other lengths"],
  ["gather-grid:", "combining scatters"],
];

/** Whether a check stands for others. */
export const isInSample = (name: string): boolean => SAMPLE.some(([start]) => name.startsWith(start));

/** The beginnings, for whoever asks whether each is the name of a check. */
export const SAMPLED: readonly string[] = SAMPLE.map(([start]) => start);
