import { f32, pipeline } from "@groupwise/dsl";

export default pipeline("means", { x: f32 }, ({ x }, { index }) => {
  const sum = x.scanInclusive("add"); // of everything up to each item
  const count = index().add(1).toF32();
  return { mean: sum.div(count) };
});
