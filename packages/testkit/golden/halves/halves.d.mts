// halves: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Uint16Array;
}
export interface Outputs {
  /** n elements */
  readonly before: Uint16Array;
  /** ceil(n / 64) elements */
  readonly peak: Uint16Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function halvesPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Uint16Array, before: Uint16Array, peak: Uint16Array): void;
