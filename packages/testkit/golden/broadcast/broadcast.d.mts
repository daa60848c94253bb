// broadcast: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Float32Array;
  readonly at: number;
}
export interface Outputs {
  /** n elements */
  readonly first: Float32Array;
  /** 1 elements */
  readonly chosen: Float32Array;
  /** ceil(n / 64) elements */
  readonly ofGroup: Float32Array;
  /** n elements */
  readonly last: Float32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function broadcastPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, at: number, x: Float32Array, first: Float32Array, chosen: Float32Array, ofGroup: Float32Array, last: Float32Array, broadcast_10: Float32Array): void;
