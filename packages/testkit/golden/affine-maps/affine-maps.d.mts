// affine-maps: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}
export interface Outputs {
  /** n elements */
  readonly scan_a: Uint32Array;
  /** n elements */
  readonly scan_b: Uint32Array;
  /** n elements */
  readonly before: Uint32Array;
  /** 1 elements */
  readonly total_a: Uint32Array;
  /** 1 elements */
  readonly total_b: Uint32Array;
  /** n elements */
  readonly inGroup: Uint32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function affineMapsPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, a: Uint32Array, b: Uint32Array, scan_a: Uint32Array, scan_b: Uint32Array, before: Uint32Array, total_a: Uint32Array, total_b: Uint32Array, inGroup: Uint32Array): void;
