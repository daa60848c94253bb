// mixed-scopes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Int32Array;
}
export interface Outputs {
  /** n elements */
  readonly within: Int32Array;
  /** ceil(n / 64) elements */
  readonly top: Int32Array;
  /** n elements */
  readonly joined: Int32Array;
  /** n elements */
  readonly against: Int32Array;
  /** 1 elements */
  readonly tops: Int32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function mixedScopesPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Int32Array, within: Int32Array, top: Int32Array, joined: Int32Array, against: Int32Array, tops: Int32Array): void;
