// functions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Float32Array;
  readonly d: Float64Array;
  readonly h: Uint16Array;
  readonly u: Uint32Array;
}
export interface Outputs {
  /** n elements */
  readonly root: Float32Array;
  /** n elements */
  readonly fused: Float32Array;
  /** n elements */
  readonly angle: Float64Array;
  /** n elements */
  readonly part: Uint16Array;
  /** n elements */
  readonly mixed: Uint32Array;
  /** n elements */
  readonly bounded: Uint32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function functionsPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Float32Array, d: Float64Array, h: Uint16Array, u: Uint32Array, root: Float32Array, fused: Float32Array, angle: Float64Array, part: Uint16Array, mixed: Uint32Array, bounded: Uint32Array): void;
