// argmax: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Float32Array;
}
export interface Outputs {
  /** 1 elements */
  readonly best_value: Float32Array;
  /** 1 elements */
  readonly best_index: Uint32Array;
  /** ceil(n / 64) elements */
  readonly inGroup_value: Float32Array;
  /** ceil(n / 64) elements */
  readonly inGroup_index: Uint32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function argmaxPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Float32Array, best_value: Float32Array, best_index: Uint32Array, inGroup_value: Float32Array, inGroup_index: Uint32Array): void;
