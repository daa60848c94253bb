// histogram: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl --parts x=3 --part-bytes 134217728
// Inputs: u32 x[n], u32 bins
// Outputs: u32 counts[bins], u32 least[bins]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   fill: G = ceil(bins / 256), each of 256 work-items
//   map: G = ceil(n / 128), each of 128 work-items

struct Params {
  n: u32, // number of items
  bins: u32,
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x_0: array<u32>; // input: min(n, 33554432) elements; part 1 of 3 of x
// input: min(max((n - 33554432), 0), 33554432) elements; part 2 of 3 of x
@group(0) @binding(2) var<storage, read> x_1: array<u32>;
@group(0) @binding(3) var<storage, read> x_2: array<u32>; // input: max((n - 67108864), 0) elements; part 3 of 3 of x
// output: bins elements; zeros before the first pass
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> least: array<atomic<u32>>; // output: bins elements
// status: 1 element; zeros before the first pass
@group(0) @binding(6) var<storage, read_write> status: array<atomic<u32>>;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

// An element of x, which is split into 3 parts.
fn x_at(index: u32) -> u32 {
  var element = 0u;
  if (index < 33554432u) {
    element = x_0[index];
  } else if (index < 67108864u) {
    element = x_1[index - 33554432u];
  } else {
    element = x_2[index - 67108864u];
  }
  return element;
}

// a % b with the sign of a; a % 0 is 0.
fn rem_u32(a: u32, b: u32) -> u32 {
  return a % select(b, 1u, (b == 0u));
}

// The initial values of least.
@compute @workgroup_size(256)
fn fill(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.bins + 255u) / 256u)) { return; }
  let slot = (group * 256u) + lane;
  if (slot < params.bins) { atomicStore(&least[slot], 0xffffffffu); }
}

// Work-groups of 128, one item to a work-item.
@compute @workgroup_size(128)
fn map(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 127u) / 128u)) { return; }
  let item = (group * 128u) + lane;
  if (item < params.n) {
    let x_i = x_at(min(item, params.n - 1u));
    let remainder = rem_u32(x_i, params.bins);
    if (remainder < params.bins) {
      atomicAdd(&counts[remainder], 1u);
    } else {
      atomicOr(&status[0u], 1u);
    }
    if (remainder < params.bins) {
      atomicMin(&least[remainder], x_i);
    } else {
      atomicOr(&status[0u], 2u);
    }
  }
}
