import { f32, operator, param, pipeline, scalar, u32 } from "@groupwise/dsl";

/** What must be known of a part to join it with its neighbours. `npm run check` tests the laws. */
const streak = operator(
  "streak",
  { count: u32, lead: u32, trail: u32, best: u32 },
  {
    combine: (left, right) => ({
      count: left.count.add(right.count),
      lead: left.lead.eq(left.count).select(left.count.add(right.lead), left.lead),
      trail: right.trail.eq(right.count).select(left.trail.add(right.count), right.trail),
      best: left.best.max(right.best).max(left.trail.add(right.lead)),
    }),
    identity: { count: 0, lead: 0, trail: 0, best: 0 },
  },
);

/** The longest run of values above a limit. */
export const longest = pipeline("longest", { x: f32, limit: param(f32) }, ({ x, limit }) => {
  const above = x.gt(limit).toU32();
  return { run: scalar(streak.reduce({ count: 1, lead: above, trail: above, best: above }).best) };
});
