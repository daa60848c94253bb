// histogram: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Uint32Array;
  readonly bins: number;
}
export interface Outputs {
  /** bins elements */
  readonly counts: Uint32Array;
  /** bins elements */
  readonly least: Uint32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function histogramPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, bins: number, x: Uint32Array, counts: Uint32Array, least: Uint32Array, status: Uint32Array): void;
