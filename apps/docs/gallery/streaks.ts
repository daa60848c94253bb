/** Streaks: for how many days in a row a goal was reached. */
import { bool, pipeline } from "@groupwise/dsl";

export default pipeline("streaks", { reached: bool }, ({ reached }) => ({
  streak: reached.toU32().scanInclusive("add", { segments: reached.not() }),
}));
