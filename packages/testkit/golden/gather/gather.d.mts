// gather: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Float32Array;
  readonly level: Uint32Array;
  /** of any length */ readonly palette: Float32Array;
}
export interface Outputs {
  /** n elements */
  readonly reversed: Float32Array;
  /** n elements */
  readonly step: Float32Array;
  /** n elements */
  readonly colour: Float32Array;
  /** n elements */
  readonly between: Float32Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function gatherPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, palette_length: number, x: Float32Array, level: Uint32Array, palette: Float32Array, reversed: Float32Array, step: Float32Array, colour: Float32Array, between: Float32Array, scan_inclusive_3: Float32Array): void;
