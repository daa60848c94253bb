/** Length along a line: how far each point is from the first one, along all points between. */
import { f32, pipeline } from "@groupwise/dsl";

export default pipeline("polyline", { x: f32, y: f32 }, ({ x, y }, { index }) => {
  const step = x.diff().hypot(y.diff());
  return { along: index().eq(0).select(0, step).scanInclusive("add") };
});
