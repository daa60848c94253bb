import { f32, pipeline } from "@groupwise/dsl";

export default pipeline(
  "dots",
  { x: f32, y: f32 },
  ({ x, y }) => ({ dot: x.mul(y).reduce("add", { scope: "work-group" }) }),
  { workGroupSize: [4] },
);
