/** Mean and deviation so far: Welford's operator on every prefix. */
import { f32, moments, pipeline, variance, welford } from "@groupwise/dsl";

export default pipeline("deviation", { x: f32 }, ({ x }) => {
  const so_far = welford(f32).scanInclusive(moments(x));
  return { mean: so_far.mean, deviation: variance(so_far).toF32().sqrt() };
});
