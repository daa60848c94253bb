/** Histogram: how many items fall into each of 16 bins. */
import { f32, pipeline, u32 } from "@groupwise/dsl";

export default pipeline("histogram", { x: f32 }, ({ x }) => {
  const bin = x.mul(16).toU32().min(15);
  return { counts: u32(1).perItem().scatter({ to: bin, capacity: 16, combine: "add" }) };
});
