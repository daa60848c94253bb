/** Filled gaps: where a sensor sent nothing, its last value stands. */
import { bool, f32, pipeline } from "@groupwise/dsl";

export default pipeline("fill-gaps", { value: f32, sent: bool }, ({ value, sent }, { index }) => {
  const last = sent.select(index(), 0).scanInclusive("max");
  return { filled: value.at(last) };
});
