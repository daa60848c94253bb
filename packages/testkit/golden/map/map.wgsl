// groupwise 0.1.0: the pipeline map in WGSL
// Made by: groupwise emit pipeline.json --target wgsl
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   map: G = ceil(n / 64)

struct Params {
  n: u32, // number of items
  alpha: f32,
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> x: array<f32>;
// input: n elements
@group(0) @binding(2) var<storage, read> y: array<f32>;
// output: n elements
@group(0) @binding(3) var<storage, read_write> z: array<f32>;

// x. A compiler cannot merge the operation that gave it with the next.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
}

// Work-groups of 64, one item to a work-item.
@compute @workgroup_size(64)
fn map(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < ((params.n + 63u) / 64u)) {
    let item = (group * 64u) + lane;
    let exists = item < params.n;
    let i = min(item, params.n - 1u);
    if (exists) {
      let x_i = x[i];
      let y_i = y[i];
      z[i] = rounded_f32(x_i * params.alpha, zero) + y_i;
    }
  }
}
