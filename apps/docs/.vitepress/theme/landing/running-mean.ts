import { f32, pipeline } from "@groupwise/dsl";

export default pipeline("running-mean", { x: f32 }, ({ x }, { index }) => {
  const sum = x.scanInclusive("add"); // of everything up to each item
  const count = index().add(1).toF32();
  return { mean: sum.div(count) };
});
