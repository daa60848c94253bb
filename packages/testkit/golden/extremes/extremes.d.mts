// extremes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Float32Array;
  readonly k: Int32Array;
}
export interface Outputs {
  /** n elements */
  readonly highest_value: Float32Array;
  /** n elements */
  readonly highest_index: Uint32Array;
  /** 1 elements */
  readonly lowest_value: Int32Array;
  /** 1 elements */
  readonly lowest_index: Uint32Array;
  /** ceil(n / 64) elements */
  readonly ends_min: Float32Array;
  /** ceil(n / 64) elements */
  readonly ends_max: Float32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function extremesPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Float32Array, k: Int32Array, highest_value: Float32Array, highest_index: Uint32Array, lowest_value: Int32Array, lowest_index: Uint32Array, ends_min: Float32Array, ends_max: Float32Array): void;
