import { f32, pipeline } from "@groupwise/dsl";

export default pipeline("walk", { step: f32 }, ({ step }) => {
  const height = step.scanInclusive("add");
  return { height, highest: height.reduce("max") };
});
