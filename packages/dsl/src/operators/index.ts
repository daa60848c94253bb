/**
 * Ready-made operators. Each doc comment gives its source, laws, rounding, ties, NaN, and the result over no
 * items.
 */
export { type AffineMap, affine } from "./affine.ts";
export { type ArgOperator, argmax, argmin, type Indexed } from "./argmax.ts";
export { type Compensated, compensatedSum } from "./compensated-sum.ts";
export { type Matrix2x2, matrix2x2 } from "./matrix2x2.ts";
export { type Ends, minMax } from "./min-max.ts";
export { modularSum } from "./modular-sum.ts";
export {
  type SaturatingStep,
  type SaturatingStepValues,
  saturated,
  saturatingStep,
  saturatingSteps,
  saturatingSum,
} from "./saturating-sum.ts";
export { type InSegment, type PlainOpFor, segmented } from "./segmented.ts";
export type { FloatScalar, NumericScalar, UnsignedScalar } from "./types.ts";
export { type Moments, type MomentValues, moments, sampleVariance, variance, welford } from "./welford.ts";
