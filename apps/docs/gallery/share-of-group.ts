/** Share of its group: each amount over the sum of the amounts with the same key. */
import { f32, pipeline, u32 } from "@groupwise/dsl";

export default pipeline("share-of-group", { amount: f32, group: u32 }, ({ amount, group }) => ({
  share: amount.div(amount.reduce("add", { keys: group })),
}));
