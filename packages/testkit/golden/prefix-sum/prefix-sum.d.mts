// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Float32Array;
}
export interface Outputs {
  /** n elements */
  readonly sum: Float32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function prefixSumPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Float32Array, sum: Float32Array): void;
