// map: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
// Inputs: f32 x[n], f32 y[n], f32 alpha
// Outputs: f32 z[n]
// Strategy: one-thread
export interface Values {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly alpha: number;
}
export interface Outputs {
  /** n elements */
  readonly z: Float32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function mapPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops only: the caller provides every array, and none is checked. */
export function kernel(n: number, alpha: number, x: Float32Array, y: Float32Array, z: Float32Array): void;
