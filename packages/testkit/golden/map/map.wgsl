// groupwise 0.1.0: the pipeline map in WGSL
// Made by: groupwise emit pipeline.json --target wgsl
// tile: 256x4; expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   map: G = ceil(floor(n / 4) / 256)
//   map_tail: G = min((n - (floor(n / 4) * 4)), 1)

struct Params {
  n: u32, // number of items
  alpha: f32,
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<f32>; // input: n elements
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> y: array<f32>; // input: n elements
@group(0) @binding(2) var<storage, read> y_rows: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> z: array<f32>; // output: n elements
@group(0) @binding(3) var<storage, read_write> z_rows: array<vec4<f32>>;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

// Returns x. Compilers cannot see through it, so they cannot contract two operations.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
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
    let y_row = y_rows[base >> 2u];
    let x_row = x_rows[base >> 2u];
    let v3 = rounded_f32(x_row.x * params.alpha, zero);
    let v3_2 = rounded_f32(x_row.y * params.alpha, zero);
    let v3_3 = rounded_f32(x_row.z * params.alpha, zero);
    let v3_4 = rounded_f32(x_row.w * params.alpha, zero);
    z_rows[base >> 2u] = vec4<f32>(v3 + y_row.x, v3_2 + y_row.y, v3_3 + y_row.z, v3_4 + y_row.w);
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
    let y_i = y[i];
    z[i] = rounded_f32(x_i * params.alpha, params.always_zero) + y_i;
  }
}
