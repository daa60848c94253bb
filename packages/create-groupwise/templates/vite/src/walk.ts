import { f32, pipeline } from "@groupwise/dsl";

/** The height after each step of a walk, and the highest one. */
export default pipeline("walk", { step: f32 }, ({ step }) => {
  const height = step.scanInclusive("add");
  return { height, highest: height.reduce("max") };
});
