/** Normalised: from 0 at the least to 1 at the greatest value, by two reductions that all items read. */
import { f32, pipeline } from "@groupwise/dsl";

export default pipeline("normalise", { x: f32 }, ({ x }) => {
  const least = x.reduce("min");
  return { scaled: x.sub(least).div(x.reduce("max").sub(least)) };
});
