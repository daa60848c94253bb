/** Running total: what was counted up to each item. */
import { pipeline, u32 } from "@groupwise/dsl";

export default pipeline("running-total", { count: u32 }, ({ count }) => ({
  total: count.scanInclusive("add"),
}));
