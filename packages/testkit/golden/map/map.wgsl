// map: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: f32 x[n], f32 y[n], f32 alpha
// Outputs: f32 z[n]
// Strategy: reduce-then-scan
// Subnormal f32: exact
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   map: G = ceil(floor(n / 4) / 256), each of 256 work-items
//   map_tail: G = min((n - (floor(n / 4) * 4)), 1), each of 4 work-items

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

const FRACTION_F32 = 0x007fffffu;
const SMALLEST_NORMAL_F32 = 0x00800000u;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

// a + b also for subnormal numbers, which devices may flush.
fn add_f32(a: f32, b: f32) -> f32 {
  let own = a + b;
  if ((bitcast<u32>(own) & 0x7fffffffu) >= 0x0d000000u) { return own; }
  if ((max(bitcast<u32>(a) & 0x7fffffffu, bitcast<u32>(b) & 0x7fffffffu) - 1u) >= 0x0cffffffu) { return own; }
  let a_whole = select(((bitcast<u32>(a) & 0x7fffffffu) + 0x4a800000u), bitcast<u32>(f32(bitcast<u32>(a) & 0x7fffffffu)), (((bitcast<u32>(a) & 0x7fffffffu) >> 23u) == 0u)) | (bitcast<u32>(a) & 0x80000000u);
  let b_whole = select(((bitcast<u32>(b) & 0x7fffffffu) + 0x4a800000u), bitcast<u32>(f32(bitcast<u32>(b) & 0x7fffffffu)), (((bitcast<u32>(b) & 0x7fffffffu) >> 23u) == 0u)) | (bitcast<u32>(b) & 0x80000000u);
  let whole = bitcast<f32>(a_whole) + bitcast<f32>(b_whole);
  let magnitude = bitcast<u32>(whole) & 0x7fffffffu;
  return bitcast<f32>(select((magnitude - 0x4a800000u), u32(bitcast<f32>(bitcast<u32>(whole) & 0x7fffffffu)), (magnitude < 0x4b000000u)) | (bitcast<u32>(whole) & 0x80000000u));
}

// a * b also for subnormal numbers, which devices may flush.
fn mul_f32(a: f32, b: f32) -> f32 {
  let own = a * b;
  if (((bitcast<u32>(own) << 1u) - 0x02000000u) <= 0xfd000000u) { return own; }
  let a_magnitude = bitcast<u32>(a) & 0x7fffffffu;
  let b_magnitude = bitcast<u32>(b) & 0x7fffffffu;
  let sign = (bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u;
  let largest = max(a_magnitude, b_magnitude);
  if ((min(a_magnitude, b_magnitude) == 0u) | (largest > 0x7f800000u)) { return own; }
  if (largest == 0x7f800000u) { return bitcast<f32>(sign | largest); }
  let a_whole = select((a_magnitude + 0x4a800000u), bitcast<u32>(f32(a_magnitude)), ((a_magnitude >> 23u) == 0u));
  var a_mantissa = (a_whole & FRACTION_F32) | SMALLEST_NORMAL_F32;
  let b_whole = select((b_magnitude + 0x4a800000u), bitcast<u32>(f32(b_magnitude)), ((b_magnitude >> 23u) == 0u));
  var b_mantissa = (b_whole & FRACTION_F32) | SMALLEST_NORMAL_F32;
  let digits = ((((a_mantissa >> 12u) * (b_mantissa >> 12u)) << 3u) + (((((a_mantissa >> 12u) * (b_mantissa & 0xfffu)) + ((a_mantissa & 0xfffu) * (b_mantissa >> 12u))) + (((a_mantissa & 0xfffu) * (b_mantissa & 0xfffu)) >> 12u)) >> 9u)) | u32(((a_mantissa * b_mantissa) & 0x001fffffu) != 0u);
  let exponent = bitcast<i32>((((a_whole >> 23u) - 149u) + ((b_whole >> 23u) - 149u)) - 130u);
  let spare = max(select(3i, 2i, (digits < 0x04000000u)), 0i - exponent);
  let drop = bitcast<u32>(min(spare, 31i));
  return bitcast<f32>(sign | ((bitcast<u32>(spare + exponent) << 23u) + (((digits + ((1u << ((drop - 1u) & 31u)) - 1u)) + ((digits >> (drop & 31u)) & 1u)) >> (drop & 31u))));
}

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
    let z_i0 = add_f32(rounded_f32(mul_f32(x_row.x, params.alpha), zero), y_row.x);
    let z_i1 = add_f32(rounded_f32(mul_f32(x_row.y, params.alpha), zero), y_row.y);
    let z_i2 = add_f32(rounded_f32(mul_f32(x_row.z, params.alpha), zero), y_row.z);
    z_rows[base >> 2u] = vec4<f32>(z_i0, z_i1, z_i2, add_f32(rounded_f32(mul_f32(x_row.w, params.alpha), zero), y_row.w));
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
    z[i] = add_f32(rounded_f32(mul_f32(x_i, params.alpha), params.always_zero), y[i]);
  }
}
