/**
 * Checks that represent the others on devices that compile slowly. Every test run includes them there, and the full run
 * includes all checks: each strategy, class of types and feature of the language has one here. JavaScript runs all checks in
 * every run.
 */

/** Beginnings of names, and what they represent. */
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
  ["every element-wise operator on u32", "the same without a sign"],
  ["every element-wise operator on f32", "operators and conversions of floats"],
  ["every element-wise operator on f64", "doubles, in words where the device has none"],
  ["every element-wise function on i32", "functions of integers"],
  ["every element-wise function on u64", "the same in two words"],
  ["every element-wise function on f32", "functions of floats"],
  ["every element-wise function on f64", "the same in words where the device has no doubles"],
  ["every element-wise function on f16", "halves as floats; their neighbours"],
  ["every elementary function on f32", "functions of 64-bit digits"],
  ["every elementary function on f16", "the same, rounded for halves"],
  ["every elementary function on f64", "the same, rounded for doubles"],
  ["functions of every target", "functions without calls"],
  ["broadcasts and scatters by coordinates", "ranges of several dimensions"],
  ["line-index:", "scans that scatters read"],
  ["shifted:", "an error that the device reports"],
  ["broadcast:", "broadcasts by what is known when"],
  ["votes:", "all and any"],
  ["mixed-scopes:", "both scopes in one pipeline"],
  ["chained-scans:", "stages that wait for one another"],
  ["no-algebra:", "float expressions that compilers may not rewrite"],
  ["constants:", "literals"],
  ["functions:", "functions of several types beside one another"],
  ["product-of-counts:", "a 64-bit scan of a scan of words"],
  ["wide-mix:", "wide types beside one another"],
  ["constants-in-halves:", "literals of halves"],
  ["affine-maps:", "an operator that does not commute, over several tiles"],
  ["affine-maps-in-space:", "an operator that does not commute; seeds of records"],
  ["argmax:", "records of several types"],
  ["keyed:", "segments"],
  ["gather-crossing:", "gathers between stages"],
  ["tables:", "arrays of other lengths"],
  ["combine:", "scatters of every combination"],
  ["gather-plain:", "gathers at literal places, of floats and truth values alone"],
  ["gather-grid:", "combining scatters"],
  ["tally:", "a histogram"],
  ["bins:", "scatters that combine in work-group memory"],
  ["bins-beside-scans:", "the same between stages"],
  ["sort-bytes:", "stable ranks, and items that move by way of work-group memory"],
  ["ranked-types:", "the same for words, halves and bytes"],
  ["ranked-stages:", "ranks between stages"],
  ["kept:", "scatters without gaps; a total that the pass of a scan leaves"],
  ["narrow-map:", "arrays of 8 and 16 bits in rows"],
  ["upper-case:", "bytes to bytes, whole words and the tail"],
  ["narrow-scans:", "their single elements, tables and scatters"],
  ["bits:", "bitmaps in and out, as tables and scatters"],
];

/**
 * The checks of the sample that compile quickly, for devices that run the same texts as another device, with other features
 * or limits.
 */
const FEW: readonly string[] = [
  ...["every work-group collective of f32, work-groups of 7", "exclusive minima and maxima of f32"],
  ...["broadcasts of every type by 3 coordinates", "every element-wise operator on i32"],
  ...["every element-wise operator on f32", "every element-wise operator on f64"],
  ...["every element-wise function on i32", "every element-wise function on f32"],
  ...[
    "line-index:",
    "shifted:",
    "no-algebra:",
    "constants-in-halves:",
    "argmax:",
    "gather-grid:",
    "tally:",
    "sort-bytes:",
    "kept:",
    "upper-case:",
  ],
];

/** The checks of the sample that compile slowest, and the tests that replace them there. */
const SLOW: readonly (readonly [start: string, shownBy: string])[] = [
  ["every element-wise operator on u32", "those on i32; JavaScript, PoCL"],
  ["every elementary function", "JavaScript, PoCL, C"],
  ["every work-group collective of i32", "those of f32; JavaScript, PoCL"],
  ["every device collective of i32", "those of f32 and i64; JavaScript, PoCL"],
  ["every device collective of f16", "those of f32, functions on f16; JavaScript, PoCL"],
  ["mixed-scopes:", "votes; JavaScript, PoCL"],
  ["chained-scans:", "mixed-scopes; PoCL"],
  ["wide-mix:", "collectives of i64, operators on f64; PoCL"],
  ["affine-maps", "argmax; PoCL"],
  ["keyed:", "argmax; PoCL"],
  ["bins-beside-scans:", "bins; PoCL"],
  ["ranked-types:", "sort-bytes; PoCL"],
  ["ranked-stages:", "sort-bytes; PoCL"],
  ["bits:", "narrow-map; PoCL"],
  ["narrow-scans:", "narrow-map, upper-case; PoCL"],
  ["combine:", "gather-grid; PoCL"],
  ["gather-crossing:", "gather-grid; PoCL"],
  ["gather-plain:", "gather-grid; PoCL"],
  ["tables:", "gather-grid; PoCL"],
];

/** The share of checks outside of full runs, from a dozen to all that represent others. */
export type Share = "few" | "some" | "sample";

const starts = SAMPLE.map(([start]) => start);
const STARTS: Readonly<Record<Share, readonly string[]>> = {
  few: FEW,
  some: starts.filter((start) => !SLOW.some(([slow]) => start.startsWith(slow))),
  sample: starts,
};

/** Whether a check belongs to the share. */
export const isIn = (share: Share, name: string): boolean =>
  STARTS[share].some((start) => name.startsWith(start));

/** The beginnings, for the test that each is the name of a check. */
export const SAMPLED: readonly string[] = [...STARTS.sample, ...STARTS.few];
