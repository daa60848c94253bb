/** Bracket depth: how many brackets are open at each character. */
import { pipeline, u8 } from "@groupwise/dsl";

export default pipeline("bracket-depth", { text: u8 }, ({ text }) => {
  const opens = text.eq(40).toI32(); // (
  const closes = text.eq(41).toI32(); // )
  return { depth: opens.sub(closes).scanInclusive("add") };
});
