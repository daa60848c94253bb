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
  var total_add_lo = select(0u, x_i_lo, exists);
  var total_add_hi = select(0u, x_i_hi, exists);
  var total_min_lo = select(0xffffffffu, x_i_lo, exists);
  var total_min_hi = select(0x7fffffffu, x_i_hi, exists);
  var lower_add_lo: array<u32, 6>;
  var lower_add_hi: array<u32, 6>;
  workgroupBarrier();
  for (var round = 0u; round < 6u; round += 1u) {
    let bit = 1u << round;
    let slot = ((round & 1u) * 64u) + lane;
    lanes_i64_lo[slot] = total_add_lo;
    lanes_i64_hi[slot] = total_add_hi;
    lanes_i64_2_lo[slot] = total_min_lo;
    lanes_i64_2_hi[slot] = total_min_hi;
    workgroupBarrier();
    let at = slot ^ bit;
    let theirs_add_lo = lanes_i64_lo[at];
    let theirs_add_hi = lanes_i64_hi[at];
    let at_2 = slot ^ bit;
    let theirs_min_lo = lanes_i64_2_lo[at_2];
    let theirs_min_hi = lanes_i64_2_hi[at_2];
    let is_upper = (lane & bit) != 0u;
    lower_add_lo[round] = select(total_add_lo, theirs_add_lo, is_upper);
    lower_add_hi[round] = select(total_add_hi, theirs_add_hi, is_upper);
    let sum = total_add_lo + theirs_add_lo;
    let both_add_hi = (total_add_hi + theirs_add_hi) + u32(sum < total_add_lo);
    let left = theirs_min_hi ^ 0x80000000u;
    let right = total_min_hi ^ 0x80000000u;
    let less = (left < right) | ((left == right) & (theirs_min_lo < total_min_lo));
    let both_min_lo = select(total_min_lo, theirs_min_lo, less);
    let both_min_hi = select(total_min_hi, theirs_min_hi, less);
    total_add_lo = sum;
    total_add_hi = both_add_hi;
    total_min_lo = both_min_lo;
    total_min_hi = both_min_hi;
  }
  var carry_add_lo = 0u;
  var carry_add_hi = 0u;
  var inclusive_add_lo = total_add_lo;
  var inclusive_add_hi = total_add_hi;
  for (var step = 0u; step < 6u; step += 1u) {
    let round = 5u - step;
    let is_upper = (lane & (1u << round)) != 0u;
    let sum = carry_add_lo + lower_add_lo[round];
    let joined_add_hi = (carry_add_hi + lower_add_hi[round]) + u32(sum < carry_add_lo);
    inclusive_add_lo = select(sum, inclusive_add_lo, is_upper);
    inclusive_add_hi = select(joined_add_hi, inclusive_add_hi, is_upper);
    carry_add_lo = select(carry_add_lo, sum, is_upper);
    carry_add_hi = select(carry_add_hi, joined_add_hi, is_upper);
  }
  if (exists) {
    balance[i << 1u] = inclusive_add_lo;
    balance[(i << 1u) + 1u] = inclusive_add_hi;
    if (lane == 0u) {
      lowest[(i / 64u) << 1u] = total_min_lo;
      lowest[((i / 64u) << 1u) + 1u] = total_min_hi;
    }
  }
}
