/** Counting sort: each item goes to its stable rank among small keys. */
import { pipeline, u32 } from "@groupwise/dsl";

export default pipeline("counting-sort", { key: u32 }, ({ key }, { index }) => {
  const to = key.rank({ bins: 16 });
  return { sorted: key.scatter({ to }), from: index().scatter({ to }) };
});
