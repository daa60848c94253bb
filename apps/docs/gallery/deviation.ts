/** Mean and deviation so far: Welford's operator on every prefix. */
import { f32, moments, pipeline, variance, welford } from "@groupwise/dsl";

export default pipeline("deviation", { x: f32 }, ({ x }) => {
  const soFar = welford(f32).scanInclusive(moments(x));
  return { mean: soFar.mean, deviation: variance(soFar).toF32().sqrt() };
});
