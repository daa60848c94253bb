/** Since the last event: how many items ago an event happened, as the distance from a running maximum of places. */
import { bool, pipeline } from "@groupwise/dsl";

export default pipeline("since-event", { event: bool }, ({ event }, { index }) => {
  const place = event.select(index().add(1), 0).scanInclusive("max"); // 0 before the first event
  return { since: index().add(1).sub(place) };
});
