// tiles: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
export interface Values {
  readonly x: Int32Array;
}
export interface Outputs {
  /** n elements */
  readonly within: Int32Array;
  /** n elements */
  readonly relative: Int32Array;
  /** (ceil(size_x / 8) * ceil(size_y / 4)) elements */
  readonly total: Int32Array;
  /** n elements */
  readonly border: Uint8Array;
  /** n elements */
  readonly checker: Uint32Array;
}
/** Runs the pipeline over `options.globalSize` items. */
export default function tilesPipeline(values: Values, options: { readonly globalSize: readonly number[]; readonly globalOffset?: readonly number[] }): Outputs;
/** The loops alone: every array is the caller's, none is checked. */
export function kernel(n: number, size_x: number, size_y: number, offset_x: number, offset_y: number, x: Int32Array, within: Int32Array, relative: Int32Array, total: Int32Array, border: Uint8Array, checker: Uint32Array, broadcast_3: Int32Array): void;
