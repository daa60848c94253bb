import { f32, pipeline } from "@groupwise/dsl";

/** Of the samples of a sound: the energy so far, and the loud ones, close together. */
export default pipeline("levels", { sample: f32 }, ({ sample }) => {
  const loud = sample.abs().gt(0.5);
  return {
    energy: sample.mul(sample).scanInclusive("add"),
    peaks: sample.scatter({ to: loud.toU32().scanExclusive("add"), where: loud }),
    count: loud.toU32().reduce("add"), // how many of `peaks` are valid
  };
});
