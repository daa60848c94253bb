// broadcast: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: f32 x[n], u32 at
// Outputs: f32 first[n], f32 chosen[1], f32 ofGroup[ceil(n / 64)], f32 last[n]
// Strategy: reduce-then-scan
// Subnormal f32: exact
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   groups: G = ceil(n / 64), each of 64 work-items
//   finish: G = 1, each of 1 work-item
//   map: G = ceil(floor(n / 4) / 256), each of 256 work-items
//   map_tail: G = min((n - (floor(n / 4) * 4)), 1), each of 4 work-items

struct Params {
  n: u32, // number of items
  at: u32,
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<f32>; // input: n elements
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> first: array<f32>; // output: n elements
@group(0) @binding(2) var<storage, read_write> first_rows: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> chosen: array<f32>; // output: 1 element
@group(0) @binding(4) var<storage, read_write> ofGroup: array<f32>; // output: ceil(n / 64) elements
@group(0) @binding(5) var<storage, read_write> last: array<f32>; // output: n elements
@group(0) @binding(6) var<storage, read_write> broadcast_3: array<f32>; // scratch: 1 element

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> lanes_f32: array<f32, 1>;

// a - b also for subnormal numbers, which devices may flush.
fn sub_f32(a: f32, b: f32) -> f32 {
  let own = a - b;
  if ((bitcast<u32>(own) & 0x7fffffffu) >= 0x0d000000u) { return own; }
  let minus_b = bitcast<f32>(bitcast<u32>(b) ^ 0x80000000u);
  if ((max(bitcast<u32>(a) & 0x7fffffffu, bitcast<u32>(minus_b) & 0x7fffffffu) - 1u) >= 0x0cffffffu) {
    return own;
  }
  let a_whole = select(((bitcast<u32>(a) & 0x7fffffffu) + 0x4a800000u), bitcast<u32>(f32(bitcast<u32>(a) & 0x7fffffffu)), (((bitcast<u32>(a) & 0x7fffffffu) >> 23u) == 0u)) | (bitcast<u32>(a) & 0x80000000u);
  let b_whole = select(((bitcast<u32>(minus_b) & 0x7fffffffu) + 0x4a800000u), bitcast<u32>(f32(bitcast<u32>(minus_b) & 0x7fffffffu)), (((bitcast<u32>(minus_b) & 0x7fffffffu) >> 23u) == 0u)) | (bitcast<u32>(minus_b) & 0x80000000u);
  let whole = bitcast<f32>(a_whole) + bitcast<f32>(b_whole);
  let magnitude = bitcast<u32>(whole) & 0x7fffffffu;
  return bitcast<f32>(select((magnitude - 0x4a800000u), u32(bitcast<f32>(bitcast<u32>(whole) & 0x7fffffffu)), (magnitude < 0x4b000000u)) | (bitcast<u32>(whole) & 0x80000000u));
}

// Returns x, so that compilers cannot cancel it against an equal value.
fn opaque_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + (zero << 10u));
}

// Work-groups of 64, one item to a work-item.
@compute @workgroup_size(64)
fn groups(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 63u) / 64u)) { return; }
  let item = (group * 64u) + lane;
  let exists = item < params.n;
  let i = min(item, params.n - 1u);
  let count = min(64u, params.n - (group * 64u));
  // broadcast; an index past the end means the last item
  let x_i = x[i];
  workgroupBarrier();
  if (lane == min(params.at, count - 1u)) { lanes_f32[0u] = x_i; }
  workgroupBarrier();
  let announced = lanes_f32[0u];
  // broadcast; an index past the end means the last item
  let source_2 = min(min(64u, params.n - ((i / 64u) * 64u)) - 1u, count - 1u);
  workgroupBarrier();
  if (lane == source_2) { lanes_f32[0u] = x_i; }
  workgroupBarrier();
  let announced_2 = lanes_f32[0u];
  if (exists) {
    last[i] = announced_2;
    if (lane == 0u) { ofGroup[i / 64u] = announced; }
  }
}

// Results for the whole range, by one work-group.
@compute @workgroup_size(1)
fn finish(@builtin(local_invocation_index) local_index: u32, work_group: WorkGroup) {
  var picked = 0f;
  if (0u < params.n) { picked = x[0u]; }
  var picked_2 = 0f;
  if (0u < params.n) { picked_2 = x[min(params.at, params.n - 1u)]; }
  broadcast_3[0u] = picked;
  chosen[0u] = picked_2;
}

// 4 items to a work-item, as one vec4.
@compute @workgroup_size(256)
fn map(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= (((params.n / 4u) + 255u) / 256u)) { return; }
  let row = (group * 256u) + lane;
  if (row < (params.n / 4u)) {
    let base = row * 4u;
    let broadcast_3_2 = broadcast_3[0u];
    let x_row = x_rows[base >> 2u];
    let first_i0 = sub_f32(x_row.x, opaque_f32(broadcast_3_2, zero));
    let first_i1 = sub_f32(x_row.y, opaque_f32(broadcast_3_2, zero));
    let first_i2 = sub_f32(x_row.z, opaque_f32(broadcast_3_2, zero));
    first_rows[base >> 2u] = vec4<f32>(first_i0, first_i1, first_i2, sub_f32(x_row.w, opaque_f32(broadcast_3_2, zero)));
  }
}

// The items after the last full vec4.
@compute @workgroup_size(4)
fn map_tail(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  if ((work_group.id.x + work_group.id.y * work_group.count.x) >= min(params.n - ((params.n / 4u) * 4u), 1u)) {
    return;
  }
  let count = params.n & 3u;
  if (lane < count) {
    let i = (params.n - count) + lane;
    let x_i = x[i];
    let broadcast_i = broadcast_3[0u];
    first[i] = sub_f32(x_i, opaque_f32(broadcast_i, params.always_zero));
  }
}
