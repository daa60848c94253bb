// functions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: f32 x[n], f64 d[n], f16 h[n], u32 u[n]
// Outputs: f32 root[n], f32 fused[n], f64 angle[n], f16 part[n], u32 mixed[n], u32 bounded[n]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   groups: G = ceil(n / 64), each of 64 work-items
//   groups_2: G = ceil(n / 64), each of 64 work-items

struct Params {
  n: u32, // number of items
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<f32>; // input: n elements
@group(0) @binding(2) var<storage, read> d: array<u32>; // input: n elements; each f64 its low and its high word
@group(0) @binding(3) var<storage, read> h: array<u32>; // input: n elements; 2 f16 to a word
@group(0) @binding(4) var<storage, read> u: array<u32>; // input: n elements
@group(0) @binding(5) var<storage, read_write> root: array<f32>; // output: n elements
@group(0) @binding(6) var<storage, read_write> fused: array<f32>; // output: n elements
// output: n elements; each f64 its low and its high word
@group(0) @binding(7) var<storage, read_write> angle: array<u32>;
@group(0) @binding(8) var<storage, read_write> part: array<atomic<u32>>; // output: n elements; 2 f16 to a word
@group(0) @binding(9) var<storage, read_write> mixed: array<u32>; // output: n elements
@group(0) @binding(10) var<storage, read_write> bounded: array<u32>; // output: n elements

const SMALLEST_NORMAL_F64 = 0x00100000u;
const SMALLEST_NORMAL_F32 = 0x00800000u;
const FRACTION_F32 = 0x007fffffu;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> lanes_u32: array<u32, 128>;

// An element of h, 2 of which share a word.
fn h_at(index: u32) -> u32 {
  return (h[index >> 1u] >> ((index & 1u) << 4u)) & 0xffffu;
}

// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
fn min_f32(a: f32, b: f32) -> f32 {
  let a_bits = bitcast<i32>(bitcast<u32>(a));
  let a_order = a_bits ^ ((a_bits >> 31u) & bitcast<i32>(0x7fffffffu));
  let b_bits = bitcast<i32>(bitcast<u32>(b));
  return bitcast<f32>(select(bitcast<u32>(b), bitcast<u32>(a), (((a_order < (b_bits ^ ((b_bits >> 31u) & bitcast<i32>(0x7fffffffu)))) & (!((bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u))) | ((bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u))));
}

// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
fn max_f32(a: f32, b: f32) -> f32 {
  let a_bits = bitcast<i32>(bitcast<u32>(a));
  let a_order = a_bits ^ ((a_bits >> 31u) & bitcast<i32>(0x7fffffffu));
  let b_bits = bitcast<i32>(bitcast<u32>(b));
  return bitcast<f32>(select(bitcast<u32>(b), bitcast<u32>(a), (((a_order > (b_bits ^ ((b_bits >> 31u) & bitcast<i32>(0x7fffffffu)))) & (!((bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u))) | ((bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u))));
}

// The words shifted left, by the amount modulo 64.
fn shl_u64(lo: u32, hi: u32, amount: u32) -> vec2<u32> {
  let far = (amount & 32u) != 0u;
  let by = amount & 31u;
  let low = select(lo, 0u, far);
  return vec2<u32>(low << by, (select(hi, lo, far) << by) | ((low >> 1u) >> (31u - by)));
}

// The words shifted right, by the amount modulo 64.
fn shr_u64(lo: u32, hi: u32, amount: u32) -> vec2<u32> {
  let far = (amount & 32u) != 0u;
  let by = amount & 31u;
  let high = select(hi, 0u, far);
  return vec2<u32>((select(lo, hi, far) >> by) | ((high << 1u) << (31u - by)), high >> by);
}

// Quotient and remainder of a / b by long division; a / 0 is a, a % 0 is 0.
fn divide_u64(a_lo: u32, a_hi: u32, b_lo: u32, b_hi: u32) -> vec4<u32> {
  if ((b_lo | b_hi) == 0u) { return vec4<u32>(a_lo, a_hi, 0u, 0u); }
  let in_low = a_hi == 0u;
  let a_zeros = countLeadingZeros(select(a_hi, a_lo, in_low)) + select(0u, 32u, in_low);
  let in_low_2 = b_hi == 0u;
  let b_zeros = countLeadingZeros(select(b_hi, b_lo, in_low_2)) + select(0u, 32u, in_low_2);
  if (b_zeros < a_zeros) { return vec4<u32>(0u, 0u, a_lo, a_hi); }
  let shift = b_zeros - a_zeros;
  let aligned = shl_u64(b_lo, b_hi, shift);
  var divisor_lo = aligned.x;
  var divisor_hi = aligned.y;
  var rest_lo = a_lo;
  var rest_hi = a_hi;
  var quotient_lo = 0u;
  var quotient_hi = 0u;
  for (var step = 0u; step < (shift + 1u); step += 1u) {
    let fits = (divisor_hi < rest_hi) | ((divisor_hi == rest_hi) & (divisor_lo <= rest_lo));
    quotient_hi = (quotient_hi << 1u) | (quotient_lo >> 31u);
    quotient_lo = (quotient_lo << 1u) | u32(fits);
    if (fits) {
      let less_hi = (rest_hi - divisor_hi) - u32(rest_lo < divisor_lo);
      rest_lo = rest_lo - divisor_lo;
      rest_hi = less_hi;
    }
    divisor_lo = (divisor_lo >> 1u) | (divisor_hi << 31u);
    divisor_hi = divisor_hi >> 1u;
  }
  return vec4<u32>(quotient_lo, quotient_hi, rest_lo, rest_hi);
}

// a % b; a % 0 is 0.
fn rem_u64(a_lo: u32, a_hi: u32, b_lo: u32, b_hi: u32) -> vec2<u32> {
  let divided = divide_u64(a_lo, a_hi, b_lo, b_hi);
  return vec2<u32>(divided.z, divided.w);
}

// The double is NaN.
fn is_nan_f64(lo: u32, hi: u32) -> bool {
  return ((hi & 0x7fffffffu) | u32(lo != 0u)) > 0x7ff00000u;
}

// The words shifted right by any amount; the lowest bit of the result is 1 if any bit shifted out was 1 (sticky).
fn shr_sticky_u64(lo: u32, hi: u32, amount: u32) -> vec2<u32> {
  let by = min(amount, 63u);
  // 1 if the low word is shifted out: GPUs have units for products beside those for choices
  let far = by >> 5u;
  let above = hi - (far * hi);
  let below = lo + (far * (hi - lo));
  let down = by & 31u;
  let unit = 1u << (31u - down);
  return vec2<u32>(((above * (unit + unit)) + (below >> down)) | min((below * unit) | (lo * far), 1u), above >> down);
}

// Zero bits above the highest 1 of both words, from the exponent of a float; more than 64 for zero.
fn leading_zeros_u64(lo: u32, hi: u32) -> u32 {
  let in_high = hi != 0u;
  let word = select(lo, hi, in_high);
  return select(190u, 158u, in_high) - (bitcast<u32>(f32(word & (~(word >> 1u)))) >> 23u);
}

// a + b if it is large, or if many digits of their exact total cancel; the exponent is that of the larger.
fn rare_sum_f64(a_lo: u32, a_hi: u32, b_lo: u32, b_hi: u32, exponent: u32, lo: u32, hi: u32, rounded_lo: u32, rounded_hi: u32) -> vec2<u32> {
  let left = a_hi & 0x7fffffffu;
  let right = b_hi & 0x7fffffffu;
  let sign = select(a_hi, b_hi, (left < right)) & 0x80000000u;
  if (max(max(left, right), rounded_hi) >= 0x7ff00000u) {
    if ((is_nan_f64(a_lo, a_hi) | is_nan_f64(b_lo, b_hi)) | ((min(left, right) == 0x7ff00000u) & (a_hi != b_hi))) {
      return vec2<u32>(0u, 0x7ff80000u);
    }
    return vec2<u32>(0u, sign | 0x7ff00000u);
  }
  if (bitcast<i32>(hi) >= 128i) { return vec2<u32>(rounded_lo, sign | rounded_hi); }
  // nothing to round: only operands whose exponents differ by 1 at most cancel so many digits
  let negative = bitcast<u32>(bitcast<i32>(hi) >> 31u);
  let minuend = lo ^ negative;
  let total_lo = minuend - negative;
  let total_hi = ((hi ^ negative) - negative) - u32(minuend < negative);
  let by = min(leading_zeros_u64(total_lo, total_hi) - 1u, exponent);
  let top = shl_u64(total_lo, total_hi, by);
  return vec2<u32>((top.x >> 10u) | (top.y << 22u), (sign ^ (negative & 0x80000000u)) | ((top.y >> 10u) + ((exponent - by) << 20u)));
}

// a + b, rounded to nearest even.
fn add_f64(a_lo: u32, a_hi: u32, b_lo: u32, b_hi: u32) -> vec2<u32> {
  let left = a_hi & 0x7fffffffu;
  let right = b_hi & 0x7fffffffu;
  let swap = left < right;
  let large_lo = select(a_lo, b_lo, swap);
  let large_hi = max(left, right);
  let small_lo = select(b_lo, a_lo, swap);
  let small_hi = min(left, right);
  let x_exponent = max(large_hi, SMALLEST_NORMAL_F64) >> 20u;
  let x_digits = (large_hi + SMALLEST_NORMAL_F64) - (x_exponent << 20u);
  let y_exponent = max(small_hi, SMALLEST_NORMAL_F64) >> 20u;
  let y_digits = (small_hi + SMALLEST_NORMAL_F64) - (y_exponent << 20u);
  // if the signs differ: the complement of y, and 1 in a bit that x does not use
  let differ = bitcast<u32>(bitcast<i32>(a_hi ^ b_hi) >> 31u);
  let aligned = shr_sticky_u64(small_lo << 9u, (y_digits << 9u) | (small_lo >> 23u), x_exponent - y_exponent);
  let addend = (large_lo << 9u) - differ;
  let sum = addend + (aligned.x ^ differ);
  let total_hi = (((x_digits << 9u) | (large_lo >> 23u)) + (aligned.y ^ differ)) + u32(sum < addend);
  // the highest digit to the second highest bit, or as far as the exponent allows
  let by = min(150u - (bitcast<u32>(f32(total_hi >> 7u)) >> 23u), x_exponent);
  let unit = 1u << (by & 31u);
  let top_lo = sum * unit;
  let raised_lo = (top_lo + 0x1ffu) + ((top_lo >> 10u) & 1u);
  let raised_hi = ((total_hi * unit) + ((sum >> 1u) >> ((31u - by) & 31u))) + u32(raised_lo < top_lo);
  let magnitude = (raised_hi >> 10u) + ((x_exponent - by) << 20u);
  let any = (sum | total_hi) != 0u;
  if (((bitcast<i32>(total_hi) < 128i) & any) | (magnitude >= 0x76900000u)) {
    let rare = rare_sum_f64(a_lo, a_hi, b_lo, b_hi, x_exponent, sum, total_hi, (raised_lo >> 10u) | (raised_hi << 22u), magnitude);
    return vec2<u32>(rare.x, rare.y);
  }
  return vec2<u32>((raised_lo >> 10u) | (raised_hi << 22u), select(((a_hi & b_hi) & 0x80000000u), ((select(a_hi, b_hi, swap) & 0x80000000u) | magnitude), any));
}

// a precedes b in the order of all numbers; -0 precedes +0.
fn precedes_f64(a_lo: u32, a_hi: u32, b_lo: u32, b_hi: u32) -> bool {
  if ((a_hi ^ b_hi) >= 0x80000000u) { return a_hi >= 0x80000000u; }
  if (a_hi < 0x80000000u) { return (a_hi < b_hi) | ((a_hi == b_hi) & (a_lo < b_lo)); }
  return (b_hi < a_hi) | ((b_hi == a_hi) & (b_lo < a_lo));
}

// a == b; NaN equals nothing.
fn eq_f64(a_lo: u32, a_hi: u32, b_lo: u32, b_hi: u32) -> bool {
  return (!is_nan_f64(a_lo, a_hi)) & (((a_lo == b_lo) & (a_hi == b_hi)) | (((a_lo | b_lo) | ((a_hi | b_hi) << 1u)) == 0u));
}

// a < b; false for NaN.
fn lt_f64(a_lo: u32, a_hi: u32, b_lo: u32, b_hi: u32) -> bool {
  return (!((is_nan_f64(a_lo, a_hi) | is_nan_f64(b_lo, b_hi)) | (((a_lo | b_lo) | ((a_hi | b_hi) << 1u)) == 0u))) & precedes_f64(a_lo, a_hi, b_lo, b_hi);
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

// Returns x, so that compilers cannot cancel it against an equal value.
fn opaque_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + (zero << 10u));
}

// The bits rotated left by the amount modulo the width.
fn rotate_left_of_u32(x: u32, by: u32) -> u32 {
  return (x << (by & 31u)) | (x >> ((0u - by) & 31u));
}

// The exact sum, or the nearest value of the type.
fn add_saturating_of_u32(x: u32, y: u32) -> u32 {
  let sum = x + y;
  return select(sum, 0xffffffffu, (sum < x));
}

// The upper half of the product.
fn mul_high_of_u32(x: u32, y: u32) -> u32 {
  let x_low = x & 0xffffu;
  let x_high = x >> 16u;
  let y_low = y & 0xffffu;
  let y_high = y >> 16u;
  let first = (x_high * y_low) + ((x_low * y_low) >> 16u);
  return ((x_high * y_high) + (first >> 16u)) + (((x_low * y_high) + (first & 0xffffu)) >> 16u);
}

// The field of bits, extended by the sign of the type.
fn extract_bits_of_u32(x: u32, offset: u32, count: u32) -> u32 {
  return extractBits(x, offset, count);
}

// The greatest whole number that is not greater than x.
fn floor_of_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let magnitude = bits & 0x7fffffffu;
  if (magnitude >= 0x4b000000u) { return x; }
  if (magnitude < 0x3f800000u) {
    return bitcast<f32>((bits & 0x80000000u) | select(0u, 0x3f800000u, (((bits & 0x80000000u) != 0u) & (magnitude != 0u))));
  }
  let below = (1u << ((150u - (magnitude >> 23u)) & 31u)) - 1u;
  return bitcast<f32>((bits & 0x80000000u) | ((magnitude + select(0u, below, ((bits & 0x80000000u) != 0u))) & (~below)));
}

// x with the sign of y; a NaN counts as positive.
fn copysign_of_f32(x: f32, y: f32) -> f32 {
  let y_bits = bitcast<u32>(y);
  return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | select((y_bits & 0x80000000u), 0u, ((y_bits & 0x7fffffffu) > 0x7f800000u)));
}

// The nearest whole number, ties to even.
fn round_of_f64(x_lo: u32, x_hi: u32) -> vec2<u32> {
  let magnitude_lo = x_lo;
  let magnitude_hi = x_hi & 0x7fffffffu;
  if ((0x43300000u < magnitude_hi) | ((0x43300000u == magnitude_hi) & (0u <= magnitude_lo))) {
    return vec2<u32>(x_lo, x_hi);
  }
  if ((magnitude_hi < 0x3ff00000u) | ((magnitude_hi == 0x3ff00000u) & (magnitude_lo < 0u))) {
    let which = (0x3fe00000u < magnitude_hi) | ((0x3fe00000u == magnitude_hi) & (0u < magnitude_lo));
    return vec2<u32>(select(0u, 0u, which), (x_hi & 0x80000000u) | select(0u, 1072693248u, which));
  }
  let drop = 0x433u - (magnitude_hi >> 20u);
  let shifted = shl_u64(1u, 0u, drop);
  let below_lo = shifted.x - 1u;
  let below_hi = shifted.y - u32(shifted.x < 1u);
  let word_hi = x_hi & 0x80000000u;
  let word_lo = (below_lo >> 1u) | (below_hi << 31u);
  let shifted_2 = shr_u64(magnitude_lo, magnitude_hi, drop);
  let sum = word_lo + (shifted_2.x & 1u);
  let sum_2 = magnitude_lo + sum;
  let word_hi_4 = (magnitude_hi + ((below_hi >> 1u) + u32(sum < word_lo))) + u32(sum_2 < magnitude_lo);
  return vec2<u32>(sum_2 & (~below_lo), word_hi | (word_hi_4 & (~below_hi)));
}

// x with the sign of y; a NaN counts as positive.
fn copysign_of_f64(x_lo: u32, x_hi: u32, y_lo: u32, y_hi: u32) -> vec2<u32> {
  let y_magnitude_hi = y_hi & 0x7fffffffu;
  let which = (0x7ff00000u < y_magnitude_hi) | ((0x7ff00000u == y_magnitude_hi) & (0u < y_lo));
  return vec2<u32>(x_lo | select(0u, 0u, which), (x_hi & 0x7fffffffu) | select((y_hi & 0x80000000u), 0u, which));
}

// The float nearest to these bits. The top bit has the given biased exponent; the lowest bit is sticky.
fn nearest_of_f32(sign: u32, exponent: u32, digits: u32) -> f32 {
  if (bitcast<i32>(exponent) >= 255i) { return bitcast<f32>(sign | 0x7f800000u); }
  var kept = digits;
  var biased = exponent;
  if (bitcast<i32>(exponent) < 1i) {
    let by = min(1u - exponent, 31u);
    kept = (kept >> by) | u32((kept << ((32u - by) & 31u)) != 0u);
    biased = 1u;
  }
  let whole = kept >> 8u;
  return bitcast<f32>(sign | ((((biased - 1u) << 23u) + whole) + u32(((kept & 0xffu) + (whole & 1u)) > 128u)));
}

// The float nearest to these bits. The top bit has the given biased exponent; the lowest bit is sticky.
fn nearest_of_f64(sign_lo: u32, sign_hi: u32, exponent: u32, digits_lo: u32, digits_hi: u32) -> vec2<u32> {
  if (bitcast<i32>(exponent) >= 2047i) { return vec2<u32>(sign_lo, sign_hi | 0x7ff00000u); }
  var kept_lo = digits_lo;
  var kept_hi = digits_hi;
  var biased = exponent;
  if (bitcast<i32>(exponent) < 1i) {
    let by = min(1u - exponent, 63u);
    let shifted = shr_u64(kept_lo, kept_hi, by);
    let shifted_2 = shl_u64(kept_lo, kept_hi, 64u - by);
    kept_lo = shifted.x | select(0u, 1u, ((shifted_2.x != 0u) | (shifted_2.y != 0u)));
    kept_hi = shifted.y;
    biased = 1u;
  }
  let whole_lo = (kept_lo >> 11u) | (kept_hi << 21u);
  let sum = whole_lo;
  let word_hi_2 = (((biased - 1u) << 20u) + (kept_hi >> 11u)) + u32(sum < 0u);
  let word_lo = kept_lo & 0x7ffu;
  let sum_2 = word_lo + (whole_lo & 1u);
  let word_hi_3 = u32(sum_2 < word_lo);
  let word_lo_3 = select(0u, 1u, ((0u < word_hi_3) | ((0u == word_hi_3) & (1024u < sum_2))));
  let sum_3 = sum + word_lo_3;
  return vec2<u32>(sign_lo | sum_3, sign_hi | (word_hi_2 + u32(sum_3 < sum)));
}

// The square root, rounded to nearest even.
fn sqrt_of_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let magnitude = bits & 0x7fffffffu;
  if ((magnitude == 0u) | (magnitude > 0x7f800000u)) { return x; }
  if ((bits & 0x80000000u) != 0u) {
    var quiet_nan = 0x7fc00000u;
    return bitcast<f32>(quiet_nan);
  }
  if (magnitude == 0x7f800000u) { return x; }
  var digits = (magnitude & FRACTION_F32) | SMALLEST_NORMAL_F32;
  var exponent = magnitude >> 23u;
  if (magnitude < SMALLEST_NORMAL_F32) {
    let by = countLeadingZeros(magnitude) - 8u;
    digits = magnitude << (by & 31u);
    exponent = 1u - by;
  }
  let twice = exponent + 127u;
  var rest = (digits << (twice & 1u)) << 1u;
  var root = 0u;
  var sum = 0u;
  var unit = 16777216u;
  for (var step = 0u; step < 25u; step += 1u) {
    let tried = sum + unit;
    if (rest >= tried) {
      sum = tried + unit;
      rest = rest - tried;
      root = root + unit;
    }
    rest = rest << 1u;
    unit = unit >> 1u;
  }
  return bitcast<f32>((((twice >> 1u) - 1u) << 23u) + ((root + (root & 1u)) >> 1u));
}

// The exact remainder of the truncated quotient.
fn fmod_of_f64(x_lo: u32, x_hi: u32, y_lo: u32, y_hi: u32) -> vec2<u32> {
  let x_magnitude_lo = x_lo;
  let x_magnitude_hi = x_hi & 0x7fffffffu;
  let y_magnitude_lo = y_lo;
  let y_magnitude_hi = y_hi & 0x7fffffffu;
  if ((((0x7ff00000u < x_magnitude_hi) | ((0x7ff00000u == x_magnitude_hi) & (0u <= x_magnitude_lo))) | ((0x7ff00000u < y_magnitude_hi) | ((0x7ff00000u == y_magnitude_hi) & (0u < y_magnitude_lo)))) | ((y_magnitude_lo == 0u) & (y_magnitude_hi == 0u))) {
    var quiet_nan_lo = 0u;
    var quiet_nan_hi = 0x7ff80000u;
    return vec2<u32>(quiet_nan_lo, quiet_nan_hi);
  }
  if ((x_magnitude_hi < y_magnitude_hi) | ((x_magnitude_hi == y_magnitude_hi) & (x_magnitude_lo < y_magnitude_lo))) {
    return vec2<u32>(x_lo, x_hi);
  }
  let x_subnormal = (x_magnitude_hi < SMALLEST_NORMAL_F64) | ((x_magnitude_hi == SMALLEST_NORMAL_F64) & (x_magnitude_lo < 0u));
  var x_digits_lo = x_magnitude_lo;
  var x_digits_hi = (x_magnitude_hi & 0x000fffffu) | SMALLEST_NORMAL_F64;
  var x_exponent = x_magnitude_hi >> 20u;
  if (x_subnormal) {
    let in_low = x_magnitude_hi == 0u;
    let cast_lo_2 = countLeadingZeros(select(x_magnitude_hi, x_magnitude_lo, in_low)) + select(0u, 32u, in_low);
    let by = cast_lo_2 - 11u;
    let shifted = shl_u64(x_magnitude_lo, x_magnitude_hi, by);
    x_digits_lo = shifted.x;
    x_digits_hi = shifted.y;
    x_exponent = 1u - by;
  }
  let y_subnormal = (y_magnitude_hi < SMALLEST_NORMAL_F64) | ((y_magnitude_hi == SMALLEST_NORMAL_F64) & (y_magnitude_lo < 0u));
  var y_digits_lo = y_magnitude_lo;
  var y_digits_hi = (y_magnitude_hi & 0x000fffffu) | SMALLEST_NORMAL_F64;
  var y_exponent = y_magnitude_hi >> 20u;
  if (y_subnormal) {
    let in_low = y_magnitude_hi == 0u;
    let cast_lo_3 = countLeadingZeros(select(y_magnitude_hi, y_magnitude_lo, in_low)) + select(0u, 32u, in_low);
    let by = cast_lo_3 - 11u;
    let shifted = shl_u64(y_magnitude_lo, y_magnitude_hi, by);
    y_digits_lo = shifted.x;
    y_digits_hi = shifted.y;
    y_exponent = 1u - by;
  }
  let remainder = rem_u64(x_digits_lo, x_digits_hi, y_digits_lo, y_digits_hi);
  var rest_lo = remainder.x;
  var rest_hi = remainder.y;
  var left = x_exponent - y_exponent;
  while (left > 0u) {
    let by = min(left, 11u);
    let shifted = shl_u64(rest_lo, rest_hi, by);
    let remainder_2 = rem_u64(shifted.x, shifted.y, y_digits_lo, y_digits_hi);
    rest_lo = remainder_2.x;
    rest_hi = remainder_2.y;
    left = left - by;
  }
  if ((rest_hi < 0u) | ((rest_hi == 0u) & (rest_lo < 1u))) { return vec2<u32>(0u, x_hi & 0x80000000u); }
  let in_low = rest_hi == 0u;
  let cast_lo_3 = countLeadingZeros(select(rest_hi, rest_lo, in_low)) + select(0u, 32u, in_low);
  let zeros = cast_lo_3;
  let shifted = shl_u64(rest_lo, rest_hi, zeros);
  let called = nearest_of_f64(0u, x_hi & 0x80000000u, (y_exponent + 11u) - zeros, shifted.x, shifted.y);
  return vec2<u32>(called.x, called.y);
}

// x * y + z, rounded once.
fn fma_of_f32(x: f32, y: f32, z: f32) -> f32 {
  let x_bits = bitcast<u32>(x);
  let x_magnitude = x_bits & 0x7fffffffu;
  let y_bits = bitcast<u32>(y);
  let y_magnitude = y_bits & 0x7fffffffu;
  let z_bits = bitcast<u32>(z);
  let z_magnitude = z_bits & 0x7fffffffu;
  let sign = (x_bits ^ y_bits) & 0x80000000u;
  let product_infinite = (x_magnitude == 0x7f800000u) | (y_magnitude == 0x7f800000u);
  if (((((x_magnitude > 0x7f800000u) | (y_magnitude > 0x7f800000u)) | (z_magnitude > 0x7f800000u)) | (((x_magnitude == 0x7f800000u) & (y_magnitude == 0u)) | ((x_magnitude == 0u) & (y_magnitude == 0x7f800000u)))) | ((product_infinite & (z_magnitude == 0x7f800000u)) & (sign != (z_bits & 0x80000000u)))) {
    var quiet_nan = 0x7fc00000u;
    return bitcast<f32>(quiet_nan);
  }
  if (product_infinite) {
    return bitcast<f32>(sign | select(y_magnitude, x_magnitude, (x_magnitude == 0x7f800000u)));
  }
  if (z_magnitude == 0x7f800000u) { return z; }
  if ((x_magnitude == 0u) | (y_magnitude == 0u)) {
    if (z_magnitude != 0u) { return z; }
    return bitcast<f32>(sign & (z_bits & 0x80000000u));
  }
  var x_digits = (x_magnitude & FRACTION_F32) | SMALLEST_NORMAL_F32;
  var x_exponent = x_magnitude >> 23u;
  if (x_magnitude < SMALLEST_NORMAL_F32) {
    let by = countLeadingZeros(x_magnitude) - 8u;
    x_digits = x_magnitude << (by & 31u);
    x_exponent = 1u - by;
  }
  var y_digits = (y_magnitude & FRACTION_F32) | SMALLEST_NORMAL_F32;
  var y_exponent = y_magnitude >> 23u;
  if (y_magnitude < SMALLEST_NORMAL_F32) {
    let by = countLeadingZeros(y_magnitude) - 8u;
    y_digits = y_magnitude << (by & 31u);
    y_exponent = 1u - by;
  }
  var z_digits = (z_magnitude & FRACTION_F32) | SMALLEST_NORMAL_F32;
  var z_exponent = z_magnitude >> 23u;
  if (z_magnitude < SMALLEST_NORMAL_F32) {
    let by = countLeadingZeros(z_magnitude) - 8u;
    z_digits = z_magnitude << (by & 31u);
    z_exponent = 1u - by;
  }
  let m = x_digits << 1u;
  let n = y_digits << 1u;
  var high = mul_high_of_u32(m, n);
  var low = m * n;
  var lowest = ((x_exponent + y_exponent) - 151u) - 151u;
  let z_lowest = select((z_exponent - 151u), lowest, (z_magnitude == 0u));
  var addend_high = 0u;
  var addend_low = select((z_digits << 1u), 0u, (z_magnitude == 0u));
  let distance = z_lowest - lowest;
  if (bitcast<i32>(distance) > 0i) {
    if (distance < 32u) {
      addend_high = addend_low >> ((32u - distance) & 31u);
      addend_low = addend_low << (distance & 31u);
    } else {
      addend_high = addend_low;
      addend_low = 0u;
      lowest = z_lowest - 32u;
      let down = distance - 32u;
      if (down > 0u) {
        if (down < 32u) {
          low = (high << ((32u - down) & 31u)) | ((low >> (down & 31u)) | u32((low << ((32u - down) & 31u)) != 0u));
          high = high >> (down & 31u);
        } else {
          low = 1u;
          high = 0u;
        }
      }
    }
  } else {
    let down = 0u - distance;
    if (down > 0u) {
      if (down < 32u) {
        addend_low = (addend_low >> (down & 31u)) | u32((addend_low << ((32u - down) & 31u)) != 0u);
      } else {
        addend_low = u32(addend_low != 0u);
      }
    }
  }
  var sign_of_sum = sign;
  let before = low;
  if (sign == (z_bits & 0x80000000u)) {
    low = low + addend_low;
    high = (high + addend_high) + u32(low < before);
  } else {
    low = low - addend_low;
    high = (high - addend_high) - u32(before < low);
    if ((high & 0x80000000u) != 0u) {
      low = 0u - low;
      high = (0u - high) - u32(low != 0u);
      sign_of_sum = sign ^ 0x80000000u;
    }
  }
  if ((high | low) == 0u) { return 0f; }
  if (high == 0u) {
    let zeros = countLeadingZeros(low);
    return nearest_of_f32(sign_of_sum, (lowest + 158u) - zeros, low << (zeros & 31u));
  }
  let by = countLeadingZeros(high);
  return nearest_of_f32(sign_of_sum, (lowest + 158u) - (by - 32u), (high << (by & 31u)) | ((low >> ((32u - by) & 31u)) | u32((low << ((32u - (32u - by)) & 31u)) != 0u)));
}

// Work-groups of 64, one item to a work-item.
@compute @workgroup_size(64)
fn groups(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 63u) / 64u)) { return; }
  let item = (group * 64u) + lane;
  let i = min(item, params.n - 1u);
  let mine = u[i];
  // across the work-group: scan-inclusive saturating
  var total = mine;
  workgroupBarrier();
  for (var round = 0u; round < 6u; round += 1u) {
    let bit = 1u << round;
    let slot = ((round & 1u) * 64u) + lane;
    lanes_u32[slot] = total;
    workgroupBarrier();
    let theirs = lanes_u32[slot ^ bit];
    let is_upper = (lane & bit) != 0u;
    let both = add_saturating_of_u32(select(total, theirs, is_upper), select(theirs, total, is_upper));
    total = both;
  }
  if (item < params.n) {
    let x_i = x[i];
    root[i] = floor_of_f32(sqrt_of_f32(bitcast<f32>(bitcast<u32>(x_i) & 0x7fffffffu)));
    let fma_i = fma_of_f32(x_i, x_i, bitcast<f32>(bitcast<u32>(x_i) ^ 0x80000000u));
    fused[i] = min_f32(max_f32(fma_i, -1f), 1f);
    let d_i_lo = d[i << 1u];
    let called = fmod_of_f64(d_i_lo, d[(i << 1u) + 1u], 0u, 1081507840u);
    let which = eq_f64(called.x, called.y, 0u, 0u);
    let called_2 = copysign_of_f64(0u, 0u, 0u, 1081507840u);
    let which_2 = lt_f64(called.x, called.y, 0u, 0u) != false;
    let sum = add_f64(called.x, called.y, 0u, 1081507840u);
    let mod_i_lo = select(select(called.x, sum.x, which_2), called_2.x, which);
    let called_3 = round_of_f64(mod_i_lo, select(select(called.y, sum.y, which_2), called_2.y, which));
    angle[i << 1u] = called_3.x;
    angle[(i << 1u) + 1u] = called_3.y;
  }
}

// Work-groups of 64, one item to a work-item.
@compute @workgroup_size(64)
fn groups_2(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 63u) / 64u)) { return; }
  let item = (group * 64u) + lane;
  let exists = item < params.n;
  let i = min(item, params.n - 1u);
  let u_i = u[i];
  // across the work-group: scan-inclusive saturating
  var total = u_i;
  var lower: array<u32, 6>;
  workgroupBarrier();
  for (var round = 0u; round < 6u; round += 1u) {
    let bit = 1u << round;
    let slot = ((round & 1u) * 64u) + lane;
    lanes_u32[slot] = total;
    workgroupBarrier();
    let theirs = lanes_u32[slot ^ bit];
    let is_upper = (lane & bit) != 0u;
    lower[round] = select(total, theirs, is_upper);
    let both = add_saturating_of_u32(select(total, theirs, is_upper), select(theirs, total, is_upper));
    total = both;
  }
  var carry = 0u;
  var inclusive = total;
  for (var step = 0u; step < 6u; step += 1u) {
    let round = 5u - step;
    let is_upper = (lane & (1u << round)) != 0u;
    let block = lower[round];
    let joined = select(block, add_saturating_of_u32(carry, block), (((1u << round) * 2u) <= lane));
    inclusive = select(joined, inclusive, is_upper);
    carry = select(carry, joined, is_upper);
  }
  if (exists) {
    let h_i = f32_of_f16_bits(h_at(i));
    let copysign_i = bitcast<f32>(round_f16(bitcast<u32>(copysign_of_f32(h_i, -1f))));
    let part_i = round_sum_f16(rounded_f32(copysign_i, zero) - opaque_f32(bitcast<f32>(round_f16(bitcast<u32>(floor_of_f32(copysign_i)))), zero));
    let part_shift = (i & 1u) << 4u;
    atomicAnd(&part[i >> 1u], ~(0xffffu << part_shift));
    atomicOr(&part[i >> 1u], (f16_bits_of_f32(part_i) & 0xffffu) << part_shift);
    let mixed_i = extract_bits_of_u32(mul_high_of_u32(rotate_left_of_u32(u_i, 7u), 0x9e3779b1u), 4u, 20u);
    mixed[i] = mixed_i;
    bounded[i] = inclusive;
  }
}
