/** Record holder: which item holds the record, the earliest of equal ones. */
import { argmax, f32, pipeline } from "@groupwise/dsl";

export default pipeline("record-holder", { x: f32 }, ({ x }, { index }) => {
  const best = argmax(f32).scanInclusive({ value: x, index: index() });
  return { record: best.value, holder: best.index };
});
