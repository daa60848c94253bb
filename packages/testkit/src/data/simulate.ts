/**
 * The specification's execution model by brute force: every work-group of the range, every work-item of the
 * group, in nested loops. Shares nothing with the reference; for tests of the reference.
 */
import type { Shape } from "./shapes.ts";

/** The results of the work-item functions at one work-item; a list's position is `dimindx`, up to `DIMENSIONS`. */
export interface WorkItem {
  readonly get_work_dim: number;
  readonly get_global_size: readonly number[];
  readonly get_global_id: readonly number[];
  readonly get_local_size: readonly number[];
  readonly get_enqueued_local_size: readonly number[];
  readonly get_local_id: readonly number[];
  readonly get_num_groups: readonly number[];
  readonly get_group_id: readonly number[];
  readonly get_global_offset: readonly number[];
  readonly get_global_linear_id: number;
  readonly get_local_linear_id: number;
}

/** Dimensions to query: the three valid ones, and one past them. */
export const DIMENSIONS = 4;

const padded = (list: readonly number[], fill: 0 | 1): number[] =>
  Array.from({ length: DIMENSIONS }, (_, d) => list[d] ?? fill);

/** The work-items by work-group, groups and items in the order of their linear ids. */
export function simulate(shape: Shape): readonly (readonly WorkItem[])[] {
  const { workGroupSize, globalSize } = shape;
  const dimensions = workGroupSize.length;
  const [ox = 0, oy = 0, oz = 0] = shape.globalOffset ?? [];
  const [gx = 1, gy = 1, gz = 1] = globalSize;
  const [wx = 1, wy = 1, wz = 1] = workGroupSize;
  const cut = (list: readonly number[]): readonly number[] => list.slice(0, dimensions);
  const groups: WorkItem[][] = [];
  for (let z0 = 0; z0 < gz; z0 += wz)
    for (let y0 = 0; y0 < gy; y0 += wy)
      for (let x0 = 0; x0 < gx; x0 += wx) {
        // A partial work-group at the end of a dimension contains the remaining items.
        const [lx, ly, lz] = [Math.min(wx, gx - x0), Math.min(wy, gy - y0), Math.min(wz, gz - z0)];
        const items: WorkItem[] = [];
        for (let z = 0; z < lz; z++)
          for (let y = 0; y < ly; y++)
            for (let x = 0; x < lx; x++) {
              const [ix, iy, iz] = [ox + x0 + x, oy + y0 + y, oz + z0 + z];
              items.push({
                get_work_dim: dimensions,
                get_global_size: padded(globalSize, 1),
                get_global_id: padded(cut([ix, iy, iz]), 0),
                get_local_size: padded(cut([lx, ly, lz]), 1),
                get_enqueued_local_size: padded(workGroupSize, 1),
                get_local_id: padded(cut([x, y, z]), 0),
                get_num_groups: padded(cut([Math.ceil(gx / wx), Math.ceil(gy / wy), Math.ceil(gz / wz)]), 1),
                get_group_id: padded(cut([x0 / wx, y0 / wy, z0 / wz]), 0),
                get_global_offset: padded(shape.globalOffset ?? cut([0, 0, 0]), 0),
                get_global_linear_id: (iz - oz) * gy * gx + (iy - oy) * gx + (ix - ox),
                get_local_linear_id: z * ly * lx + y * lx + x,
              });
            }
        groups.push(items);
      }
  return groups;
}
