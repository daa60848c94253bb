// work-group: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Uint32Array;
}
export interface Outputs {
  /** n elements */
  readonly before: Uint32Array;
  /** ceil(n / 100) elements */
  readonly total: Uint32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function workGroupPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Uint32Array, before: Uint32Array, total: Uint32Array): void;
