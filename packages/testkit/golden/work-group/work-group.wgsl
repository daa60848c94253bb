// work-group: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: u32 x[n]
// Outputs: u32 before[n], u32 total[ceil(n / 100)]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   groups: G = ceil(n / 100), each of 100 work-items

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<u32>; // input: n elements
@group(0) @binding(2) var<storage, read_write> before: array<u32>; // output: n elements
@group(0) @binding(3) var<storage, read_write> total: array<u32>; // output: ceil(n / 100) elements

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> lanes_u32: array<u32, 256>;

// Work-groups of 100, one item to a work-item.
@compute @workgroup_size(100)
fn groups(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 99u) / 100u)) { return; }
  let item = (group * 100u) + lane;
  let exists = item < params.n;
  let i = min(item, params.n - 1u);
  let mine = x[i];
  // across the work-group: scan-exclusive add, reduce add
  var total_2 = select(0u, mine, exists);
  var lower: array<u32, 7>;
  workgroupBarrier();
  for (var round = 0u; round < 7u; round += 1u) {
    let bit = 1u << round;
    lanes_u32[((round & 1u) * 128u) + lane] = total_2;
    workgroupBarrier();
    let first = (lane ^ bit) & (0u - bit);
    let theirs = select(0u, lanes_u32[((round & 1u) * 128u) + min(first, 99u)], (first < 100u));
    lower[round] = select(total_2, theirs, ((lane & bit) != 0u));
    total_2 = total_2 + theirs;
  }
  var carry = 0u;
  for (var step = 0u; step < 7u; step += 1u) {
    let round = 6u - step;
    carry = select(carry, (carry + lower[round]), ((lane & (1u << round)) != 0u));
  }
  if (exists) {
    before[i] = carry;
    if (lane == 0u) { total[i / 100u] = total_2; }
  }
}
