/** High-water mark: the highest level so far, and how far each item is below it. */
import { i32, pipeline } from "@groupwise/dsl";

export default pipeline("high-water-mark", { level: i32 }, ({ level }) => {
  const highest = level.scanInclusive("max");
  return { highest, below: highest.sub(level) };
});
