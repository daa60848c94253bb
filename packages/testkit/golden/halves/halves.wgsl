// halves: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: f16 x[n]
// Outputs: f16 before[n], f16 peak[ceil(n / 64)]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   groups: G = ceil(n / 64), each of 64 work-items

struct Params {
  n: u32, // number of items
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<u32>; // input: n elements; 2 f16 to a word
@group(0) @binding(2) var<storage, read_write> before: array<atomic<u32>>; // output: n elements; 2 f16 to a word
// output: ceil(n / 64) elements; 2 f16 to a word
@group(0) @binding(3) var<storage, read_write> peak: array<atomic<u32>>;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> lanes_f16: array<f32, 128>;
var<workgroup> lanes_f16_2: array<f32, 128>;

// An element of x, 2 of which share a word.
fn x_at(index: u32) -> u32 {
  return (x[index >> 1u] >> ((index & 1u) << 4u)) & 0xffffu;
}

// The float with these bits. A function, because constants may not be infinite or NaN.
fn f32_of_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
fn max_f32(a: f32, b: f32) -> f32 {
  let a_bits = bitcast<i32>(bitcast<u32>(a));
  let a_order = a_bits ^ ((a_bits >> 31u) & bitcast<i32>(0x7fffffffu));
  let b_bits = bitcast<i32>(bitcast<u32>(b));
  return bitcast<f32>(select(bitcast<u32>(b), bitcast<u32>(a), (((a_order > (b_bits ^ ((b_bits >> 31u) & bitcast<i32>(0x7fffffffu)))) & (!((bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u))) | ((bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u))));
}

// A sum or a difference of two halves, rounded to the nearest half, ties to even.
fn round_sum_f16(x: f32) -> f32 {
  let bits = bitcast<i32>(x * 5.192297e33f);
  return bitcast<f32>(((min(bits, 0x7fffefffi) + 0xfffi) + ((bits >> 13u) & 1i)) & -8192i) * 1.92593e-34f;
}

// The 16 bits of a float that is a half.
fn f16_bits_of_f32(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return ((bits >> 16u) & 0x8000u) | ((bitcast<u32>(select((x * 5.192297e33f), ((bitcast<f32>(bitcast<u32>(x) & 0x7fffffffu) * 2.5961484e33f) + 1.5845633e29f), ((bits & 0x7fffffffu) < 0x38800000u))) >> 13u) & 0x7fffu);
}

// The half in the low 16 bits, as a float.
fn f32_of_f16_bits(bits: u32) -> f32 {
  let raised = bitcast<f32>(((bits & 0x7fffu) << 13u) | 0x70000000u);
  return select(raised, ((raised * 2f) - 3.1691265e29f), ((bits & 0x7c00u) == 0u)) * bitcast<f32>(((bits & 0x8000u) << 16u) | 0x07800000u);
}

// Returns x. Compilers cannot see through it, so they cannot contract two operations.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
}

// Work-groups of 64, one item to a work-item.
@compute @workgroup_size(64)
fn groups(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 63u) / 64u)) { return; }
  let item = (group * 64u) + lane;
  let exists = item < params.n;
  let i = min(item, params.n - 1u);
  let count = min(64u, params.n - (group * 64u));
  let x_i = f32_of_f16_bits(x_at(i));
  // across the work-group: scan-exclusive add, reduce max
  var total_add = x_i;
  var total_max = x_i;
  var lower_add: array<f32, 6>;
  var lower_max: array<f32, 6>;
  workgroupBarrier();
  for (var round = 0u; round < 6u; round += 1u) {
    let bit = 1u << round;
    let slot = ((round & 1u) * 64u) + lane;
    lanes_f16[slot] = total_add;
    lanes_f16_2[slot] = total_max;
    workgroupBarrier();
    let theirs_add = lanes_f16[slot ^ bit];
    let theirs_max = lanes_f16_2[slot ^ bit];
    let is_upper = (lane & bit) != 0u;
    lower_add[round] = select(total_add, theirs_add, is_upper);
    lower_max[round] = select(total_max, theirs_max, is_upper);
    total_add = round_sum_f16(total_add + theirs_add);
    total_max = max_f32(total_max, theirs_max);
  }
  var carry_add = f32_of_bits(0x80000000u);
  var carry_max = f32_of_bits(0xff800000u);
  var inclusive_add = round_sum_f16(rounded_f32(f32_of_bits(0x80000000u), zero) + total_add);
  var inclusive_max = max_f32(f32_of_bits(0xff800000u), total_max);
  for (var step = 0u; step < 6u; step += 1u) {
    let round = 5u - step;
    let is_upper = (lane & (1u << round)) != 0u;
    let block_add = lower_add[round];
    let joined_add = round_sum_f16(rounded_f32(carry_add, zero) + block_add);
    let joined_max = max_f32(carry_max, lower_max[round]);
    inclusive_add = select(joined_add, inclusive_add, is_upper);
    inclusive_max = select(joined_max, inclusive_max, is_upper);
    carry_add = select(carry_add, joined_add, is_upper);
    carry_max = select(carry_max, joined_max, is_upper);
  }
  workgroupBarrier();
  if (lane == (count - 1u)) {
    lanes_f16[0u] = inclusive_add;
    lanes_f16_2[0u] = inclusive_max;
  }
  workgroupBarrier();
  let announced = lanes_f16_2[0u];
  let scan_exclusive = select(carry_add, 0f, (lane == 0u));
  let reduce = announced;
  if (exists) {
    let before_shift = (i & 1u) << 4u;
    atomicAnd(&before[i >> 1u], ~(0xffffu << before_shift));
    atomicOr(&before[i >> 1u], (f16_bits_of_f32(scan_exclusive) & 0xffffu) << before_shift);
    if (lane == 0u) {
      let peak_index = i / 64u;
      let peak_shift = (peak_index & 1u) << 4u;
      atomicAnd(&peak[peak_index >> 1u], ~(0xffffu << peak_shift));
      atomicOr(&peak[peak_index >> 1u], (f16_bits_of_f32(reduce) & 0xffffu) << peak_shift);
    }
  }
}
