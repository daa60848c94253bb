// ledger: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: i64 x[n]
// Outputs: i64 balance[n], i64 lowest[ceil(n / 64)]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   groups: G = ceil(n / 64), each of 64 work-items

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<u32>; // input: n elements; each i64 its low and its high word
// output: n elements; each i64 its low and its high word
@group(0) @binding(2) var<storage, read_write> balance: array<u32>;
// output: ceil(n / 64) elements; each i64 its low and its high word
@group(0) @binding(3) var<storage, read_write> lowest: array<u32>;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> lanes_i64_lo: array<u32, 128>;
var<workgroup> lanes_i64_hi: array<u32, 128>;
var<workgroup> lanes_i64_2_lo: array<u32, 128>;
var<workgroup> lanes_i64_2_hi: array<u32, 128>;

// Work-groups of 64, one item to a work-item.
@compute @workgroup_size(64)
fn groups(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 63u) / 64u)) { return; }
  let item = (group * 64u) + lane;
  let exists = item < params.n;
  let i = min(item, params.n - 1u);
  let x_i_lo = x[i << 1u];
  let x_i_hi = x[(i << 1u) + 1u];
  // across the work-group: scan-inclusive add, reduce min
  var total_lo = select(0u, x_i_lo, exists);
  var total_hi = select(0u, x_i_hi, exists);
  var total_lo_2 = select(0xffffffffu, x_i_lo, exists);
  var total_hi_2 = select(0x7fffffffu, x_i_hi, exists);
  var lower_lo: array<u32, 6>;
  var lower_hi: array<u32, 6>;
  workgroupBarrier();
  for (var round = 0u; round < 6u; round += 1u) {
    let bit = 1u << round;
    let slot = ((round & 1u) * 64u) + lane;
    lanes_i64_lo[slot] = total_lo;
    lanes_i64_hi[slot] = total_hi;
    lanes_i64_2_lo[slot] = total_lo_2;
    lanes_i64_2_hi[slot] = total_hi_2;
    workgroupBarrier();
    let at = slot ^ bit;
    let theirs_lo = lanes_i64_lo[at];
    let theirs_hi = lanes_i64_hi[at];
    let at_2 = slot ^ bit;
    let theirs_lo_2 = lanes_i64_2_lo[at_2];
    let theirs_hi_2 = lanes_i64_2_hi[at_2];
    let is_upper = (lane & bit) != 0u;
    lower_lo[round] = select(total_lo, theirs_lo, is_upper);
    lower_hi[round] = select(total_hi, theirs_hi, is_upper);
    let sum = total_lo + theirs_lo;
    let both_hi = (total_hi + theirs_hi) + u32(sum < total_lo);
    let left = theirs_hi_2 ^ 0x80000000u;
    let right = total_hi_2 ^ 0x80000000u;
    let less = (left < right) | ((left == right) & (theirs_lo_2 < total_lo_2));
    total_lo = sum;
    total_hi = both_hi;
    total_lo_2 = select(total_lo_2, theirs_lo_2, less);
    total_hi_2 = select(total_hi_2, theirs_hi_2, less);
  }
  var carry_lo = 0u;
  var carry_hi = 0u;
  var inclusive_lo = total_lo;
  var inclusive_hi = total_hi;
  for (var step = 0u; step < 6u; step += 1u) {
    let round = 5u - step;
    let is_upper = (lane & (1u << round)) != 0u;
    let sum = carry_lo + lower_lo[round];
    let joined_hi = (carry_hi + lower_hi[round]) + u32(sum < carry_lo);
    inclusive_lo = select(sum, inclusive_lo, is_upper);
    inclusive_hi = select(joined_hi, inclusive_hi, is_upper);
    carry_lo = select(carry_lo, sum, is_upper);
    carry_hi = select(carry_hi, joined_hi, is_upper);
  }
  if (exists) {
    balance[i << 1u] = inclusive_lo;
    balance[(i << 1u) + 1u] = inclusive_hi;
    if (lane == 0u) {
      lowest[(i / 64u) << 1u] = total_lo_2;
      lowest[((i / 64u) << 1u) + 1u] = total_hi_2;
    }
  }
}
