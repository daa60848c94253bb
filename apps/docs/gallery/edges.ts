/** Edges: where a signal crosses zero, from the item before to this one. */
import { f32, pipeline } from "@groupwise/dsl";

export default pipeline("edges", { x: f32 }, ({ x }) => ({
  up: x.ge(0).and(x.previous(0).lt(0)),
  down: x.lt(0).and(x.previous(0).ge(0)),
}));
