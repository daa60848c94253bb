// compact: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Float32Array;
  readonly least: number;
}
export interface Outputs {
  /** the number of elements is in kept_length */
  readonly kept: Float32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function compactPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, least: number, x: Float32Array, kept: Float32Array, kept_length: Uint32Array, status: Uint32Array): void;
