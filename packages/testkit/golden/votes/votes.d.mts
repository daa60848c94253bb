// votes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Int32Array;
}
export interface Outputs {
  /** ceil(n / 64) elements */
  readonly all: Uint8Array;
  /** ceil(n / 64) elements */
  readonly any: Uint8Array;
  /** 1 elements */
  readonly anywhere: Uint8Array;
  /** 1 elements */
  readonly everywhere: Uint8Array;
  /** ceil(n / 64) elements */
  readonly share: Int32Array;
  /** n elements */
  readonly outvoted: Uint8Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function votesPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Int32Array, all: Uint8Array, any: Uint8Array, anywhere: Uint8Array, everywhere: Uint8Array, share: Int32Array, outvoted: Uint8Array): void;
