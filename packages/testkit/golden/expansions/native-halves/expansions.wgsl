// expansions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl --f16
// Inputs: f32 x[n], f32 y[n], u32 k[n], f16 h[n]
// Outputs: f32 float[n], f16 half[n], u32 count[n], i64 wide[n]
// Strategy: reduce-then-scan
// Subnormal f32: exact
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   map: G = ceil(floor(n / 4) / 256), each of 256 work-items
//   map_tail: G = min((n - (floor(n / 4) * 4)), 1), each of 4 work-items

enable f16;

struct Params {
  n: u32, // number of items
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<f32>; // input: n elements
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> y: array<f32>; // input: n elements
@group(0) @binding(2) var<storage, read> y_rows: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> k: array<u32>; // input: n elements
@group(0) @binding(3) var<storage, read> k_rows: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> h: array<f16>; // input: n elements
@group(0) @binding(4) var<storage, read> h_rows: array<vec4<f16>>;
@group(0) @binding(5) var<storage, read_write> float: array<f32>; // output: n elements
@group(0) @binding(5) var<storage, read_write> float_rows: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> half: array<f16>; // output: n elements
@group(0) @binding(6) var<storage, read_write> half_rows: array<vec4<f16>>;
@group(0) @binding(7) var<storage, read_write> count: array<u32>; // output: n elements
@group(0) @binding(7) var<storage, read_write> count_rows: array<vec4<u32>>;
// output: n elements; each i64 its low and its high word
@group(0) @binding(8) var<storage, read_write> wide: array<u32>;
@group(0) @binding(8) var<storage, read_write> wide_rows: array<vec4<u32>>;

const FRACTION_F32 = 0x007fffffu;
const SMALLEST_NORMAL_F32 = 0x00800000u;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

// The float with these bits. A function, because constants may not be infinite or NaN.
fn f32_of_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

// Truncates; saturates outside u32; NaN becomes 0.
fn u32_of_f32(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  if (bits > 0x7f800000u) { return 0u; }
  if (bits >= 0x4f800000u) { return 0xffffffffu; }
  return select(select((((bits & FRACTION_F32) | SMALLEST_NORMAL_F32) << (((bits >> 23u) - 150u) & 31u)), (((bits & FRACTION_F32) | SMALLEST_NORMAL_F32) >> ((150u - (bits >> 23u)) & 31u)), ((bits >> 23u) < 150u)), 0u, ((bits >> 23u) < 127u));
}

// The nearest float, ties to even.
fn f32_of_u32(x: u32) -> f32 {
  return (f32(x >> 16u) * 65536f) + f32(x & 0xffffu);
}

// The position of the float among all floats, as a signed integer; -0 and +0 have the same position.
fn rank_f32(x: f32) -> i32 {
  let magnitude = bitcast<i32>(bitcast<u32>(x) & 0x7fffffffu);
  return select(magnitude, (-magnitude), ((bitcast<u32>(x) & 0x80000000u) != 0u));
}

// a < b; false for NaN.
fn lt_f32(a: f32, b: f32) -> bool {
  let ordered = !(((bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u) | ((bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u));
  return ordered & (rank_f32(a) < rank_f32(b));
}

// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
fn min_f32(a: f32, b: f32) -> f32 {
  let a_bits = bitcast<i32>(bitcast<u32>(a));
  let a_order = a_bits ^ ((a_bits >> 31u) & bitcast<i32>(0x7fffffffu));
  let b_bits = bitcast<i32>(bitcast<u32>(b));
  return bitcast<f32>(select(bitcast<u32>(b), bitcast<u32>(a), (((a_order < (b_bits ^ ((b_bits >> 31u) & bitcast<i32>(0x7fffffffu)))) & (!((bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u))) | ((bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u))));
}

// a / b, rounded to nearest even: the language's own quotient and its exact remainder, or long division.
fn div_f32(a: f32, b: f32) -> f32 {
  let a_magnitude = bitcast<u32>(a) & 0x7fffffffu;
  let b_magnitude = bitcast<u32>(b) & 0x7fffffffu;
  let sign = (bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u;
  var quiet_nan = 0x7fc00000u;
  let a_power = a_magnitude >> 23u;
  let b_power = b_magnitude >> 23u;
  let power = (a_power + 127u) - b_power;
  if ((((a_power - 1u) < 254u) & ((b_power - 1u) < 254u)) & ((power - 2u) < 252u)) {
    let divisor = (b_magnitude & FRACTION_F32) | SMALLEST_NORMAL_F32;
    let less = select(0u, 1u, (((a_magnitude & FRACTION_F32) | SMALLEST_NORMAL_F32) < divisor));
    let near = bitcast<u32>(bitcast<f32>((a_magnitude & FRACTION_F32) | (1065353216u + (less * 8388608u))) / bitcast<f32>((b_magnitude & FRACTION_F32) | 0x3f800000u));
    var digits = (((near & FRACTION_F32) | SMALLEST_NORMAL_F32) << (((near >> 23u) - 126u) & 31u)) >> 1u;
    var left = bitcast<i32>((a_magnitude << (23u + less)) - (digits * divisor));
    let exponent = ((power - less) - 1u) << 23u;
    let most = bitcast<i32>(divisor);
    let by = select(0i, 1i, ((left << 1u) > most)) - select(0i, 1i, ((left << 1u) < (0i - most)));
    digits = digits + bitcast<u32>(by);
    left = left - (by * most);
    if (((left << 1u) < most) & ((left << 1u) > (0i - most))) { return bitcast<f32>(sign | (exponent + digits)); }
    for (var more = 0u; more < 2u; more += 1u) {
      let by_2 = select(0i, 1i, ((left << 1u) > most)) - select(0i, 1i, ((left << 1u) < (0i - most)));
      digits = digits + bitcast<u32>(by_2);
      left = left - (by_2 * most);
    }
    if (((left << 1u) < most) & ((left << 1u) > (0i - most))) { return bitcast<f32>(sign | (exponent + digits)); }
  }
  if (((a_magnitude > 0x7f800000u) | (b_magnitude > 0x7f800000u)) | (((a_magnitude == 0u) & (b_magnitude == 0u)) | ((a_magnitude == 0x7f800000u) & (b_magnitude == 0x7f800000u)))) {
    return bitcast<f32>(quiet_nan);
  }
  if ((a_magnitude == 0x7f800000u) | (b_magnitude == 0u)) { return bitcast<f32>(sign | 0x7f800000u); }
  if ((a_magnitude == 0u) | (b_magnitude == 0x7f800000u)) { return bitcast<f32>(sign); }
  let a_whole = select((a_magnitude + 0x4a800000u), bitcast<u32>(f32(a_magnitude)), ((a_magnitude >> 23u) == 0u));
  var a_mantissa = (a_whole & FRACTION_F32) | SMALLEST_NORMAL_F32;
  let b_whole = select((b_magnitude + 0x4a800000u), bitcast<u32>(f32(b_magnitude)), ((b_magnitude >> 23u) == 0u));
  var b_mantissa = (b_whole & FRACTION_F32) | SMALLEST_NORMAL_F32;
  var exponent = (((a_whole >> 23u) - 149u) - ((b_whole >> 23u) - 149u)) + 127u;
  if (a_mantissa < b_mantissa) {
    a_mantissa = a_mantissa << 1u;
    exponent = exponent - 1u;
  }
  // 26 bits of quotient: 24 of the significand and two for rounding; the remainder is sticky
  var quotient = 0u;
  for (var bit = 0u; bit < 26u; bit += 1u) {
    let fits = a_mantissa >= b_mantissa;
    quotient = (quotient << 1u) | select(0u, 1u, fits);
    a_mantissa = (a_mantissa - select(0u, b_mantissa, fits)) << 1u;
  }
  if (bitcast<i32>(exponent) >= 255i) { return bitcast<f32>(sign | 0x7f800000u); }
  let small = bitcast<i32>(exponent) < 1i;
  let drop = select(0u, min(1u - exponent, 26u), small) + 2u;
  let kept = quotient >> drop;
  let rest = quotient - (kept << drop);
  let half = 1u << (drop - 1u);
  let rounded = kept + select(0u, 1u, ((rest > half) | ((rest == half) & ((a_mantissa != 0u) | ((kept & 1u) != 0u)))));
  return bitcast<f32>(sign | (select(((exponent - 1u) * 8388608u), 0u, small) + rounded));
}

// a % b with the sign of a; a % 0 is 0.
fn rem_i32(a: i32, b: i32) -> i32 {
  let divisor = select(b, 1i, ((b == 0i) | ((a == i32(-2147483648)) & (b == -1i))));
  return a - ((a / divisor) * divisor);
}

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
fn div_u32(a: u32, b: u32) -> u32 {
  return a / select(b, 1u, (b == 0u));
}

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

// The words shifted right, by the amount modulo 64.
fn shr_u64(lo: u32, hi: u32, amount: u32) -> vec2<u32> {
  let far = (amount & 32u) != 0u;
  let by = amount & 31u;
  let high = select(hi, 0u, far);
  return vec2<u32>((select(lo, hi, far) >> by) | ((high << 1u) << (31u - by)), high >> by);
}

// The double is NaN.
fn is_nan_f64(lo: u32, hi: u32) -> bool {
  return ((hi & 0x7fffffffu) | u32(lo != 0u)) > 0x7ff00000u;
}

// The bits of a float, converted to the equal double.
fn f64_of_f32(bits: u32) -> vec2<u32> {
  let magnitude = bits & 0x7fffffffu;
  let sign = bits & 0x80000000u;
  if (magnitude >= 0x7f800000u) {
    return vec2<u32>(0u, (sign | 0x7ff00000u) | select(0u, 0x00080000u, (magnitude > 0x7f800000u)));
  }
  if (magnitude == 0u) { return vec2<u32>(0u, sign); }
  let shift = select(0u, (countLeadingZeros(magnitude) - 8u), (magnitude < SMALLEST_NORMAL_F32));
  let digits = magnitude << (shift & 31u);
  return vec2<u32>(digits << 29u, sign | ((digits >> 3u) + ((896u - shift) << 20u)));
}

// The magnitude of a double, truncated, at most 2^64 - 1; NaN becomes 0.
fn whole_f64(lo: u32, hi: u32) -> vec2<u32> {
  let exponent = (hi >> 20u) & 0x7ffu;
  if ((exponent < 1023u) | is_nan_f64(lo, hi)) { return vec2<u32>(0u, 0u); }
  if (exponent > 1086u) { return vec2<u32>(0xffffffffu, 0xffffffffu); }
  let whole = shr_u64(lo << 11u, ((hi << 11u) | (lo >> 21u)) | 0x80000000u, 1086u - exponent);
  return vec2<u32>(whole.x, whole.y);
}

// Truncates; saturates outside i64; NaN becomes 0.
fn i64_of_f64(lo: u32, hi: u32) -> vec2<u32> {
  let whole = whole_f64(lo, hi);
  let too_large = whole.y >= 0x80000000u;
  if (hi < 0x80000000u) {
    if (too_large) { return vec2<u32>(0xffffffffu, 0x7fffffffu); }
    return vec2<u32>(whole.x, whole.y);
  }
  if (too_large) { return vec2<u32>(0u, 0x80000000u); }
  return vec2<u32>(0u - whole.x, (~whole.y) + u32(whole.x == 0u));
}

// The bits of a float, rounded to the nearest half, ties to even.
fn round_f16(bits: u32) -> u32 {
  if ((bits & 0x7fffffffu) > 0x7f800000u) { return 0x7fc00000u; }
  let magnitude = bits & 0x7fffffffu;
  if (magnitude < 0x33800000u) {
    return (bits & 0x80000000u) | select(0u, 0x33800000u, (magnitude > 0x33000000u));
  }
  let drop = 126u - min(magnitude >> 23u, 113u);
  let rounded = (((magnitude + ((1u << ((drop - 1u) & 31u)) - 1u)) + ((magnitude >> (drop & 31u)) & 1u)) >> (drop & 31u)) << (drop & 31u);
  return (bits & 0x80000000u) | select(rounded, 0x7f800000u, (rounded >= 0x47800000u));
}

// The 16 bits of a float that is a half.
fn f16_bits_of_f32(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return ((bits >> 16u) & 0x8000u) | ((bitcast<u32>(select((x * 5.192297e33f), ((bitcast<f32>(bitcast<u32>(x) & 0x7fffffffu) * 2.5961484e33f) + 1.5845633e29f), ((bits & 0x7fffffffu) < 0x38800000u))) >> 13u) & 0x7fffu);
}

// The bits of a float, converted to the 16 bits of the nearest half, ties to even.
fn nearest_f16_bits(bits: u32) -> u32 {
  if ((bits & 0x7fffffffu) > 0x7f800000u) { return 32256u; }
  return f16_bits_of_f32(bitcast<f32>(round_f16(bits)));
}

// Returns x. Compilers cannot see through it, so they cannot contract two operations.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
}

// Returns x. Compilers cannot see through it, so they cannot contract two operations.
fn rounded_f16(x: f16, zero: u32) -> f16 {
  return f16(unpack2x16float(pack2x16float(vec2<f32>(f32(x), 0f)) + zero).x);
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
    let x_row = x_rows[base >> 2u];
    let k_row = k_rows[base >> 2u];
    let h_row = h_rows[base >> 2u];
    let y_row = y_rows[base >> 2u];
    let quotient0 = rounded_f32(div_f32(x_row.x, y_row.x), zero);
    let quotient0_2 = rounded_f32(div_f32(x_row.x, 4f), zero);
    let chosen0 = select(quotient0_2, quotient0, lt_f32(x_row.x, y_row.x));
    let chosen0_2 = rounded_f32(select(rounded_f32(f32_of_bits(0x80000000u), zero), 1f, (k_row.x == 0u)), zero);
    let float_i0 = add_f32(rounded_f32(mul_f32(rounded_f32(min_f32(chosen0, f32_of_bits(0x7f800000u)), zero), chosen0_2), zero), rounded_f32(f32_of_u32(k_row.x | 1u), zero));
    let quotient1 = rounded_f32(div_f32(x_row.y, y_row.y), zero);
    let quotient1_2 = rounded_f32(div_f32(x_row.y, 4f), zero);
    let chosen1 = select(quotient1_2, quotient1, lt_f32(x_row.y, y_row.y));
    let chosen1_2 = rounded_f32(select(rounded_f32(f32_of_bits(0x80000000u), zero), 1f, (k_row.y == 0u)), zero);
    let float_i1 = add_f32(rounded_f32(mul_f32(rounded_f32(min_f32(chosen1, f32_of_bits(0x7f800000u)), zero), chosen1_2), zero), rounded_f32(f32_of_u32(k_row.y | 1u), zero));
    let quotient2 = rounded_f32(div_f32(x_row.z, y_row.z), zero);
    let quotient2_2 = rounded_f32(div_f32(x_row.z, 4f), zero);
    let chosen2 = select(quotient2_2, quotient2, lt_f32(x_row.z, y_row.z));
    let chosen2_2 = rounded_f32(select(rounded_f32(f32_of_bits(0x80000000u), zero), 1f, (k_row.z == 0u)), zero);
    let float_i2 = add_f32(rounded_f32(mul_f32(rounded_f32(min_f32(chosen2, f32_of_bits(0x7f800000u)), zero), chosen2_2), zero), rounded_f32(f32_of_u32(k_row.z | 1u), zero));
    let quotient3 = rounded_f32(div_f32(x_row.w, y_row.w), zero);
    let quotient3_2 = rounded_f32(div_f32(x_row.w, 4f), zero);
    let chosen3 = select(quotient3_2, quotient3, lt_f32(x_row.w, y_row.w));
    let chosen3_2 = rounded_f32(select(rounded_f32(f32_of_bits(0x80000000u), zero), 1f, (k_row.w == 0u)), zero);
    let float_i3 = add_f32(rounded_f32(mul_f32(rounded_f32(min_f32(chosen3, f32_of_bits(0x7f800000u)), zero), chosen3_2), zero), rounded_f32(f32_of_u32(k_row.w | 1u), zero));
    float_rows[base >> 2u] = vec4<f32>(float_i0, float_i1, float_i2, float_i3);
    let as_f16_i0 = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(f32_of_u32(k_row.x)))).x), zero);
    let quotient0_3 = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(div_f32(f32(h_row.x), f32(as_f16_i0))))).x), zero);
    let as_f16_i1 = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(f32_of_u32(k_row.y)))).x), zero);
    let quotient1_3 = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(div_f32(f32(h_row.y), f32(as_f16_i1))))).x), zero);
    let as_f16_i2 = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(f32_of_u32(k_row.z)))).x), zero);
    let quotient2_3 = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(div_f32(f32(h_row.z), f32(as_f16_i2))))).x), zero);
    let as_f16_i3 = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(f32_of_u32(k_row.w)))).x), zero);
    let quotient3_3 = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(div_f32(f32(h_row.w), f32(as_f16_i3))))).x), zero);
    half_rows[base >> 2u] = vec4<f16>(quotient0_3 + 1h, quotient1_3 + 1h, quotient2_3 + 1h, quotient3_3 + 1h);
    let quotient0_4 = div_u32(k_row.x, u32_of_f32(x_row.x));
    let ones0 = countOneBits(k_row.x);
    let as_u32_i0_2 = u32(rem_i32(abs(i32(k_row.x)), 3i));
    let quotient1_4 = div_u32(k_row.y, u32_of_f32(x_row.y));
    let ones1 = countOneBits(k_row.y);
    let as_u32_i1_2 = u32(rem_i32(abs(i32(k_row.y)), 3i));
    count_rows[base >> 2u] = vec4<u32>((quotient0_4 + ones0) + as_u32_i0_2, (quotient1_4 + ones1) + as_u32_i1_2, (div_u32(k_row.z, u32_of_f32(x_row.z)) + countOneBits(k_row.z)) + u32(rem_i32(abs(i32(k_row.z)), 3i)), (div_u32(k_row.w, u32_of_f32(x_row.w)) + countOneBits(k_row.w)) + u32(rem_i32(abs(i32(k_row.w)), 3i)));
    let double = f64_of_f32(bitcast<u32>(x_row.x));
    let integer = i64_of_f64(double.x, double.y);
    let double_2 = f64_of_f32(bitcast<u32>(x_row.y));
    let integer_2 = i64_of_f64(double_2.x, double_2.y);
    let double_3 = f64_of_f32(bitcast<u32>(x_row.z));
    let integer_3 = i64_of_f64(double_3.x, double_3.y);
    let double_4 = f64_of_f32(bitcast<u32>(x_row.w));
    let integer_4 = i64_of_f64(double_4.x, double_4.y);
    let first = base << 1u;
    wide_rows[first >> 2u] = vec4<u32>(integer.x, integer.y, integer_2.x, integer_2.y);
    wide_rows[(first + 4u) >> 2u] = vec4<u32>(integer_3.x, integer_3.y, integer_4.x, integer_4.y);
  }
}

// The items after the last full vec4.
@compute @workgroup_size(4)
fn map_tail(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  if ((work_group.id.x + work_group.id.y * work_group.count.x) >= min(params.n - ((params.n / 4u) * 4u), 1u)) {
    return;
  }
  let count_2 = params.n & 3u;
  if (lane < count_2) {
    let i = (params.n - count_2) + lane;
    let x_i = x[i];
    let y_i = y[i];
    let k_i = k[i];
    let chosen = rounded_f32(select(div_f32(x_i, 4f), div_f32(x_i, y_i), lt_f32(x_i, y_i)), zero);
    let chosen_2 = rounded_f32(select(rounded_f32(f32_of_bits(0x80000000u), zero), 1f, (k_i == 0u)), zero);
    let float_i = add_f32(rounded_f32(mul_f32(rounded_f32(min_f32(chosen, f32_of_bits(0x7f800000u)), zero), chosen_2), zero), rounded_f32(f32_of_u32(k_i | 1u), zero));
    let h_i = h[i];
    let half_i = rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(div_f32(f32(h_i), f32(rounded_f16(f16(unpack2x16float(nearest_f16_bits(bitcast<u32>(f32_of_u32(k_i)))).x), zero)))))).x), zero) + 1h;
    let sum = div_u32(k_i, u32_of_f32(x_i)) + countOneBits(k_i);
    float[i] = float_i;
    half[i] = half_i;
    count[i] = sum + u32(rem_i32(abs(i32(k_i)), 3i));
    let double = f64_of_f32(bitcast<u32>(x_i));
    let integer = i64_of_f64(double.x, double.y);
    wide[i << 1u] = integer.x;
    wide[(i << 1u) + 1u] = integer.y;
  }
}
