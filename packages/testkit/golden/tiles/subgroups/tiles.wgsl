// tiles: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl --subgroups
// Inputs: i32 x[n]
// Outputs: i32 within[n], i32 relative[n], i32 total[(ceil(size_x / 8) * ceil(size_y / 4))], bool border[n], u32 checker[n]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   groups: G = (ceil(size_x / 8) * ceil(size_y / 4)), each of 32 work-items

enable subgroups;

struct Params {
  n: u32, // number of items
  size_x: u32, // items in the dimension
  size_y: u32, // items in the dimension
  offset_x: u32, // the first global id in the dimension
  offset_y: u32, // the first global id in the dimension
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<i32>; // input: n elements
@group(0) @binding(2) var<storage, read_write> within: array<i32>; // output: n elements
@group(0) @binding(3) var<storage, read_write> relative: array<i32>; // output: n elements
// output: (ceil(size_x / 8) * ceil(size_y / 4)) elements
@group(0) @binding(4) var<storage, read_write> total: array<i32>;
@group(0) @binding(5) var<storage, read_write> border: array<u32>; // output: n elements; bool as 0 or 1
@group(0) @binding(6) var<storage, read_write> checker: array<u32>; // output: n elements

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> lanes_i32: array<i32, 64>;

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
fn div_u32(a: u32, b: u32) -> u32 {
  return a / select(b, 1u, (b == 0u));
}

// Work-groups of 8 x 4, one item to a work-item.
// A lane is a local linear id. The lanes of a smaller group have no gaps.
@compute @workgroup_size(32)
fn groups(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) subgroup_size: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  let near = min(31u - countLeadingZeros(min(subgroup_size, 32u)), 5u);
  let subgroup_lane = lane & (subgroup_size - 1u);
  if (group >= (((params.size_x + 7u) / 8u) * ((params.size_y + 3u) / 4u))) { return; }
  let groups_x = (params.size_x / 8u) + u32((params.size_x % 8u) != 0u);
  let group_y = div_u32(group, groups_x);
  let start_x = (group - (group_y * groups_x)) * 8u;
  let start_y = group_y * 4u;
  let extent_x = min(8u, params.size_x - start_x);
  let count = extent_x * min(4u, params.size_y - start_y);
  let exists = lane < count;
  let lane_or_last = min(lane, count - 1u);
  let local_y = div_u32(lane_or_last, extent_x);
  let local_x = lane_or_last - (local_y * extent_x);
  let item_x = start_x + local_x;
  let item_y = start_y + local_y;
  let i = (item_y * params.size_x) + item_x;
  let x_i = x[i];
  // across the work-group: scan-inclusive add, reduce add
  var total_2 = select(0i, x_i, exists);
  var lower: array<i32, 5>;
  for (var round = 0u; round < near; round += 1u) {
    let bit = 1u << round;
    let theirs = subgroupShuffle(total_2, subgroup_lane ^ bit);
    lower[round] = select(total_2, theirs, ((lane & bit) != 0u));
    total_2 = total_2 + theirs;
  }
  workgroupBarrier();
  for (var round = near; round < 5u; round += 1u) {
    let bit = 1u << round;
    let slot = ((round & 1u) * 32u) + lane;
    lanes_i32[slot] = total_2;
    workgroupBarrier();
    let theirs = lanes_i32[slot ^ bit];
    lower[round] = select(total_2, theirs, ((lane & bit) != 0u));
    total_2 = total_2 + theirs;
  }
  var carry = 0i;
  var inclusive = total_2;
  for (var step = 0u; step < 5u; step += 1u) {
    let round = 4u - step;
    let is_upper = (lane & (1u << round)) != 0u;
    let joined = carry + lower[round];
    inclusive = select(joined, inclusive, is_upper);
    carry = select(carry, joined, is_upper);
  }
  // broadcast; an index past the end means the last item
  workgroupBarrier();
  if (lane == 0u) { lanes_i32[0u] = x_i; }
  workgroupBarrier();
  let announced = lanes_i32[0u];
  if (exists) {
    within[i] = inclusive;
    relative[i] = x_i - announced;
    border[i] = u32(min(local_x, local_y) == 0u);
    checker[i] = ((item_x + params.offset_x) ^ (item_y + params.offset_y)) & 1u;
    if (lane == 0u) { total[group] = total_2; }
  }
}
