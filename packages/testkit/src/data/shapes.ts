/** Ranges of 1 to 3 dimensions, divided into work-groups in all ways at which indexes can be wrong. */

export interface Shape {
  readonly name: string;
  readonly workGroupSize: readonly number[];
  readonly globalSize: readonly number[];
  readonly globalOffset?: readonly number[];
}

const shape = (
  name: string,
  workGroupSize: readonly number[],
  globalSize: readonly number[],
  globalOffset?: readonly number[],
): Shape => ({ name, workGroupSize, globalSize, ...(globalOffset && { globalOffset }) });

/** Largest side of a work-group in dimensions 1 and 2, which every WebGPU device supports in the last one. */
const SIDE = 64;

/**
 * Every shape: in each dimension, one side is a prime, one is 1, one does not divide, and one is empty.
 * @param most work-items in a work-group at most
 */
export function shapesOf(most: number): readonly Shape[] {
  const deep = Math.min(SIDE, most);
  return [
    shape("1D", [64], [256]),
    shape("1D that does not divide, with an offset", [7], [30], [5]),
    shape("1D of groups of 1", [1], [13]),
    shape("1D, one group larger than the range", [64], [5]),
    shape("1D with an offset at the end of u32", [8], [21], [0xffffffff - 20]),
    shape("1D of the largest groups", [most], [2 * most + 1]),
    shape("2D", [8, 4], [16, 12]),
    shape("2D that divides in neither dimension", [4, 3], [10, 7], [100, 3]),
    shape("2D that divides in the first dimension", [4, 4], [8, 7]),
    shape("2D that divides in the second dimension", [4, 4], [7, 8], [0, 9]),
    shape("2D of prime sides", [5, 7], [23, 29]),
    shape("2D of groups of 1", [1, 1], [3, 5]),
    shape("2D of groups 1 wide", [1, 8], [5, 19], [2, 1]),
    shape("2D of groups 1 high", [8, 1], [19, 5]),
    shape("2D of a range 1 wide", [4, 4], [1, 10]),
    shape("2D without items in a dimension", [4, 3], [0, 7]),
    shape("2D of the largest groups", [most / deep, deep], [most / deep + 1, deep + 1]),
    shape("3D", [4, 2, 2], [8, 4, 6]),
    shape("3D that divides in no dimension", [2, 3, 4], [5, 7, 9], [1, 2, 3]),
    shape("3D of groups of 1", [1, 1, 1], [2, 3, 2]),
    shape("3D of groups 1 wide in two dimensions", [1, 1, 5], [3, 2, 11]),
    shape("3D of groups 1 high", [7, 1, 3], [13, 2, 4], [0, 0, 0x10000]),
    shape("3D, one group larger than the range", [8, 4, 4], [3, 2, 3]),
    shape("3D without items in a dimension", [4, 2, 2], [4, 4, 0]),
    shape("3D of the largest groups", [4, 4, most / 16 > SIDE ? SIDE : most / 16], [5, 5, SIDE + 1]),
  ].filter(({ workGroupSize }) => workGroupSize.every((side) => side >= 1 && Number.isInteger(side)));
}
