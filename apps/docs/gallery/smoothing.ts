/** Exponential smoothing: a recurrence as a scan of maps. */
import { affine, f32, pipeline, select } from "@groupwise/dsl";

export default pipeline("smoothing", { x: f32 }, ({ x }, { index }) => {
  const isFirst = index().eq(0);
  const maps = { a: select(isFirst, 0, f32(0.75)), b: select(isFirst, x, x.mul(0.25)) };
  return { smooth: affine(f32).scanInclusive(maps).b };
});
