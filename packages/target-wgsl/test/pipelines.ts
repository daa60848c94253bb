import { bool, f32, i32, param, pipeline, u32 } from "@groupwise/dsl";

/** Names that a module might need for itself, as an author's. */
export const greedy = pipeline(
  "greedy",
  { max: f32, params: f32, local_index: u32, group_id: bool, n: param(i32), zero: param(f32) },
  (x) => ({
    select: x.max.max(x.params).reduce("add"),
    Params: x.local_index.scanInclusive("add"),
    lanes_f32: x.max.mul(x.zero).add(x.params),
    total: x.group_id.select(x.n, i32(-0x80000000)),
    workgroupBarrier: x.local_index.toF32().scanExclusive("add", { scope: "work-group" }),
    finish: x.group_id.any(),
    f32: x.max.toI32().max(x.n),
    lane: x.max.le(x.params),
  }),
);

/** Constants that a compiler may refuse, or compute in its own way. */
export const constants = pipeline("constants", { x: f32, k: i32 }, ({ x, k }) => ({
  least: k.add(-0x80000000),
  largest: x.add(3.4028234663852886e38),
  tiny: x.mul(1.401298464324817e-45),
  infinite: x.add(f32(3e38).mul(3e38)),
  nan: x.mul(u32(0x7fc00000).bitsAs("f32")),
  minus: x.add(f32(1).mul(-0)),
  wrapped: k.add(i32(0x7fffffff).add(1)),
  by_zero: k.div(0),
  shifted: k.shl(u32(33)).add(k.shr(40)),
  quotient: i32(-0x80000000).div(-1).add(k),
}));
