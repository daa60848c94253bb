/** Moving average: the mean of each item and the four before it. */
import { f32, pipeline } from "@groupwise/dsl";

export default pipeline("moving-average", { x: f32 }, ({ x }, { index }) => ({
  mean: x.moving("add", 5).div(index().add(1).min(5).toF32()),
}));
