/** Visits: events that are at most 30 seconds apart belong to one visit. */
import { pipeline, u32 } from "@groupwise/dsl";

export default pipeline("visits", { second: u32 }, ({ second }) => ({
  visit: second.diff().gt(30).toU32().scanInclusive("add"),
}));
