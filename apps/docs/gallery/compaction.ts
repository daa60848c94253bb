/** Compaction: the values above a limit, close together, and how many there are. */
import { compaction, f32, param, pipeline } from "@groupwise/dsl";

export default pipeline("compaction", { x: f32, limit: param(f32) }, ({ x, limit }) => {
  const kept = compaction(x.gt(limit));
  return { values: x.scatter(kept), count: kept.length };
});
