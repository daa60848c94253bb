// ledger: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: BigInt64Array;
}
export interface Outputs {
  /** n elements */
  readonly balance: BigInt64Array;
  /** ceil(n / 64) elements */
  readonly lowest: BigInt64Array;
}
/** Runs the pipeline over n items: the length of the inputs, or `options.n`. */
export default function ledgerPipeline(values: Values, options?: { readonly n?: number }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, x: Uint32Array, balance: Uint32Array, lowest: Uint32Array): void;
