// line-index: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly text: Uint32Array;
}
export interface Outputs {
  /** n elements */
  readonly line: Uint32Array;
  /** the number of elements is in lines */
  readonly starts: Uint32Array;
  /** 1 elements */
  readonly lines: Uint32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function lineIndexPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, text: Uint32Array, line: Uint32Array, starts: Uint32Array, lines: Uint32Array, status: Uint32Array): void;
