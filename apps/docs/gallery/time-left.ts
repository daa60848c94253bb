/** Time left: the sum of everything from each item to the end, by a scan in reverse. */
import { pipeline, u32 } from "@groupwise/dsl";

export default pipeline("time-left", { minutes: u32 }, ({ minutes }) => ({
  left: minutes.scanInclusive("add", { reverse: true }),
}));
