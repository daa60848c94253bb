// functions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   groups: ceil(n / 64) work-groups of 64

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
float min_f32(const float a, const float b) {
  const int a_bits = as_int(as_uint(a));
  const int a_order = a_bits ^ ((a_bits >> 31u) & as_int(2147483647u));
  const int b_bits = as_int(as_uint(b));
  const int b_order = b_bits ^ ((b_bits >> 31u) & as_int(2147483647u));
  return as_float((((as_uint(a) & 2147483647u) > 2139095040u) || ((a_order < b_order) && !((as_uint(b) & 2147483647u) > 2139095040u))) ? as_uint(a) : as_uint(b));
}

// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
float max_f32(const float a, const float b) {
  const int a_bits = as_int(as_uint(a));
  const int a_order = a_bits ^ ((a_bits >> 31u) & as_int(2147483647u));
  const int b_bits = as_int(as_uint(b));
  const int b_order = b_bits ^ ((b_bits >> 31u) & as_int(2147483647u));
  return as_float((((as_uint(a) & 2147483647u) > 2139095040u) || ((a_order > b_order) && !((as_uint(b) & 2147483647u) > 2139095040u))) ? as_uint(a) : as_uint(b));
}

// a % b with the sign of a; a % 0 is 0.
ulong rem_native_u64(const ulong a, const ulong b) {
  const ulong divisor = (b == 0UL) ? 1UL : b;
  return a % divisor;
}

// The words shifted left, by the amount modulo 64.
uint2 shl_u64(const uint lo, const uint hi, const uint amount) {
  const uint by = amount & 31u;
  const uint low = lo << by;
  if ((amount & 32u) != 0u) {
    return (uint2)(0u, low);
  }
  return (uint2)(low, (hi << by) | ((lo >> 1u) >> (31u - by)));
}

// The words shifted right, by the amount modulo 64.
uint2 shr_u64(const uint lo, const uint hi, const uint amount) {
  const uint by = amount & 31u;
  const uint high = hi >> by;
  if ((amount & 32u) != 0u) {
    return (uint2)(high, 0u);
  }
  return (uint2)((lo >> by) | ((hi << 1u) << (31u - by)), high);
}

// The double is NaN.
bool is_nan_f64(const uint lo, const uint hi) {
  return ((hi & 2147483647u) | ((lo != 0u) ? 1u : 0u)) > 2146435072u;
}

// The words shifted right by any amount; the lowest bit of the result is 1 if any bit shifted out was 1 (sticky).
uint2 shr_sticky_u64(const uint lo, const uint hi, const uint amount) {
  const uint by = min(amount, 63u);
  const uint2 kept = shr_u64(lo, hi, by);
  const uint2 back = shl_u64(kept.x, kept.y, by);
  return (uint2)(kept.x | ((((back.x ^ lo) | (back.y ^ hi)) != 0u) ? 1u : 0u), kept.y);
}

// The double nearest to the words, if their top bit has this biased exponent; the lowest bit may be sticky.
uint2 pack_f64(const uint sign, const uint exponent, const uint lo, const uint hi) {
  if ((lo | hi) == 0u) {
    return (uint2)(0u, sign);
  }
  const uint zeros = (hi == 0u) ? (clz(lo) + 32u) : clz(hi);
  const uint2 top = shl_u64(lo, hi, zeros);
  uint low = top.x;
  uint high = top.y;
  uint biased = exponent - zeros;
  if (2046 < as_int(biased)) {
    return (uint2)(0u, sign | 2146435072u);
  }
  if (as_int(biased) < 1) {
    // subnormal: the exponent is 1, and there is no hidden bit to add
    const uint2 small = shr_sticky_u64(low, high, 1u - biased);
    low = small.x;
    high = small.y;
    biased = 1u;
  }
  // keep 53 bits; round to nearest even
  const uint up = (((low & 2047u) + ((low >> 11u) & 1u)) > 1024u) ? 1u : 0u;
  const uint sum = ((low >> 11u) | (high << 21u)) + up;
  return (uint2)(sum, ((sign + ((biased - 1u) << 20u)) + (high >> 11u)) + ((sum < up) ? 1u : 0u));
}

// a + b, rounded to nearest even.
uint2 add_f64(const uint a_lo, const uint a_hi, const uint b_lo, const uint b_hi) {
  const uint left = a_hi & 2147483647u;
  const uint right = b_hi & 2147483647u;
  const bool swap = (left < right) || ((left == right) && (a_lo < b_lo));
  const uint x_lo = swap ? b_lo : a_lo;
  const uint x_hi = swap ? b_hi : a_hi;
  const uint y_lo = swap ? a_lo : b_lo;
  const uint y_hi = swap ? a_hi : b_hi;
  const bool differ = (x_hi ^ y_hi) >= 2147483648u;
  if ((x_hi & 2147483647u) >= 2146435072u) {
    if (is_nan_f64(x_lo, x_hi) || (differ && ((y_hi & 2147483647u) == 2146435072u))) {
      return (uint2)(0u, 2146959360u);
    }
    return (uint2)(x_lo, x_hi);
  }
  const uint x_exponent = (x_hi >> 20u) & 2047u;
  const uint y_exponent = (y_hi >> 20u) & 2047u;
  const uint x_digits = (x_hi & 1048575u) | ((x_exponent == 0u) ? 0u : 1048576u);
  const uint large_lo = x_lo << 10u;
  const uint large_hi = (x_digits << 10u) | (x_lo >> 22u);
  const uint y_digits = (y_hi & 1048575u) | ((y_exponent == 0u) ? 0u : 1048576u);
  const uint2 small = shr_sticky_u64(y_lo << 10u, (y_digits << 10u) | (y_lo >> 22u), max(x_exponent, 1u) - max(y_exponent, 1u));
  const uint sum = large_lo + small.x;
  const uint total_lo = differ ? (large_lo - small.x) : sum;
  const uint total_hi = differ ? ((large_hi - small.y) - ((large_lo < small.x) ? 1u : 0u)) : ((large_hi + small.y) + ((sum < large_lo) ? 1u : 0u));
  const uint2 packed = pack_f64((differ && ((total_lo | total_hi) == 0u)) ? 0u : (x_hi & 2147483648u), max(x_exponent, 1u) + 1u, total_lo, total_hi);
  return (uint2)(packed.x, packed.y);
}

// a precedes b in the order of all numbers; -0 precedes +0.
bool precedes_f64(const uint a_lo, const uint a_hi, const uint b_lo, const uint b_hi) {
  if ((a_hi ^ b_hi) >= 2147483648u) {
    return a_hi >= 2147483648u;
  }
  if (a_hi < 2147483648u) {
    return (a_hi < b_hi) || ((a_hi == b_hi) && (a_lo < b_lo));
  }
  return (b_hi < a_hi) || ((b_hi == a_hi) && (b_lo < a_lo));
}

// a == b; NaN equals nothing.
bool eq_f64(const uint a_lo, const uint a_hi, const uint b_lo, const uint b_hi) {
  return !is_nan_f64(a_lo, a_hi) && (((a_lo == b_lo) && (a_hi == b_hi)) || (((a_lo | b_lo) | ((a_hi | b_hi) << 1u)) == 0u));
}

// a < b; false for NaN.
bool lt_f64(const uint a_lo, const uint a_hi, const uint b_lo, const uint b_hi) {
  return !((is_nan_f64(a_lo, a_hi) || is_nan_f64(b_lo, b_hi)) || (((a_lo | b_lo) | ((a_hi | b_hi) << 1u)) == 0u)) && precedes_f64(a_lo, a_hi, b_lo, b_hi);
}

// The bits of a float, rounded to the nearest half, ties to even.
uint round_f16(const uint bits) {
  if ((bits & 2147483647u) > 2139095040u) {
    return bits;
  }
  const uint magnitude = bits & 2147483647u;
  if (magnitude < 864026624u) {
    return (bits & 2147483648u) | ((magnitude > 855638016u) ? 864026624u : 0u);
  }
  const uint drop = 126u - min(magnitude >> 23u, 113u);
  const uint rounded = (((magnitude + ((1u << (drop - 1u)) - 1u)) + ((magnitude >> drop) & 1u)) >> drop) << drop;
  return (bits & 2147483648u) | ((rounded >= 1199570944u) ? 2139095040u : rounded);
}

// The bits rotated left by the amount modulo the width.
uint rotate_left_of_u32(const uint x, const uint by) {
  return (x << by) | (x >> (0u - by));
}

// The exact sum, or the nearest value of the type.
uint add_saturating_of_u32(const uint x, const uint y) {
  return add_sat(x, y);
}

// The upper half of the product.
uint mul_high_of_u32(const uint x, const uint y) {
  return mul_hi(x, y);
}

// The field of bits, extended by the sign of the type.
uint extract_bits_of_u32(const uint x, const uint offset, const uint count) {
  const uint from = min(offset, 32u);
  const uint size = min(count, 32u - from);
  if (size == 0u) {
    return 0u;
  }
  return (x << ((32u - from) - size)) >> (32u - size);
}

// The greatest whole number that is not greater.
float floor_of_f32(const float x) {
  const uint bits = as_uint(x);
  const uint magnitude = bits & 2147483647u;
  if (magnitude >= 1258291200u) {
    return x;
  }
  if (magnitude < 1065353216u) {
    return as_float((bits & 2147483648u) | ((((bits & 2147483648u) != 0u) && (magnitude != 0u)) ? 1065353216u : 0u));
  }
  const uint drop = 150u - (magnitude >> 23u);
  const uint below = (1u << drop) - 1u;
  return as_float((bits & 2147483648u) | ((magnitude + (((bits & 2147483648u) != 0u) ? below : 0u)) & (~below)));
}

// x with the sign of y; a NaN counts as positive.
float copysign_of_f32(const float x, const float y) {
  const uint y_bits = as_uint(y);
  const uint y_magnitude = y_bits & 2147483647u;
  const uint bits = as_uint(x);
  const uint magnitude = bits & 2147483647u;
  return as_float(magnitude | ((y_magnitude > 2139095040u) ? 0u : (y_bits & 2147483648u)));
}

// The nearest whole number, ties to even.
uint2 round_of_f64(const uint x_lo, const uint x_hi) {
  const ulong bits = as_ulong((uint2)(x_lo, x_hi));
  const ulong magnitude = bits & 9223372036854775807UL;
  if (magnitude >= 4841369599423283200UL) {
    return (uint2)(x_lo, x_hi);
  }
  if (magnitude < 4607182418800017408UL) {
    const ulong word = (bits & 9223372036854775808UL) | ((magnitude > 4602678819172646912UL) ? 4607182418800017408UL : 0UL);
    return (uint2)(as_uint2(word).x, as_uint2(word).y);
  }
  const uint drop = 1075u - (uint)(magnitude >> 52u);
  const ulong below = (1UL << drop) - 1UL;
  const ulong word = (bits & 9223372036854775808UL) | ((magnitude + ((below >> 1u) + ((magnitude >> drop) & 1UL))) & (~below));
  return (uint2)(as_uint2(word).x, as_uint2(word).y);
}

// x with the sign of y; a NaN counts as positive.
uint2 copysign_of_f64(const uint x_lo, const uint x_hi, const uint y_lo, const uint y_hi) {
  const ulong y_bits = as_ulong((uint2)(y_lo, y_hi));
  const ulong y_magnitude = y_bits & 9223372036854775807UL;
  const ulong bits = as_ulong((uint2)(x_lo, x_hi));
  const ulong magnitude = bits & 9223372036854775807UL;
  const ulong word = magnitude | ((y_magnitude > 9218868437227405312UL) ? 0UL : (y_bits & 9223372036854775808UL));
  return (uint2)(as_uint2(word).x, as_uint2(word).y);
}

// The nearest float: the top digit has that biased exponent, the lowest one is sticky.
uint2 nearest_of_f64(const ulong sign, const uint exponent, const ulong digits) {
  if (as_int(exponent) >= 2047) {
    const ulong word = sign | 9218868437227405312UL;
    return (uint2)(as_uint2(word).x, as_uint2(word).y);
  }
  ulong kept = digits;
  uint biased = exponent;
  if (as_int(exponent) < 1) {
    const uint by = min(1u - exponent, 63u);
    kept = (kept >> by) | (((kept << (64u - by)) != 0UL) ? 1UL : 0UL);
    biased = 1u;
  }
  const ulong whole = kept >> 11u;
  const ulong word = sign | ((((ulong)(biased - 1u) << 52u) + whole) + ((((kept & 2047UL) + (whole & 1UL)) > 1024UL) ? 1UL : 0UL));
  return (uint2)(as_uint2(word).x, as_uint2(word).y);
}

// The square root, rounded to nearest even.
float sqrt_of_f32(const float x) {
  const uint bits = as_uint(x);
  const uint magnitude = bits & 2147483647u;
  if ((magnitude == 0u) || (magnitude > 2139095040u)) {
    return x;
  }
  if ((bits & 2147483648u) != 0u) {
    uint quiet_nan = 2143289344u;
    return as_float(quiet_nan);
  }
  if (magnitude == 2139095040u) {
    return x;
  }
  const bool subnormal = magnitude < 8388608u;
  uint digits = (magnitude & 8388607u) | 8388608u;
  uint exponent = magnitude >> 23u;
  if (subnormal) {
    const uint by = clz(magnitude) - 8u;
    digits = magnitude << by;
    exponent = 1u - by;
  }
  const uint twice = exponent + 127u;
  uint rest = (digits << (twice & 1u)) << 1u;
  uint root = 0u;
  uint sum = 0u;
  uint unit = 16777216u;
  for (uint step = 0u; step < 25u; step++) {
    const uint tried = sum + unit;
    if (rest >= tried) {
      sum = tried + unit;
      rest = rest - tried;
      root = root + unit;
    }
    rest = rest << 1u;
    unit = unit >> 1u;
  }
  return as_float((((twice >> 1u) - 1u) << 23u) + ((root + (root & 1u)) >> 1u));
}

// The exact remainder of the truncated quotient.
uint2 fmod_of_f64(const uint x_lo, const uint x_hi, const uint y_lo, const uint y_hi) {
  const ulong x_bits = as_ulong((uint2)(x_lo, x_hi));
  const ulong x_magnitude = x_bits & 9223372036854775807UL;
  const ulong y_bits = as_ulong((uint2)(y_lo, y_hi));
  const ulong y_magnitude = y_bits & 9223372036854775807UL;
  if (((x_magnitude >= 9218868437227405312UL) || (y_magnitude > 9218868437227405312UL)) || (y_magnitude == 0UL)) {
    ulong quiet_nan = 9221120237041090560UL;
    return (uint2)(as_uint2(quiet_nan).x, as_uint2(quiet_nan).y);
  }
  if (x_magnitude < y_magnitude) {
    return (uint2)(x_lo, x_hi);
  }
  const bool x_subnormal = x_magnitude < 4503599627370496UL;
  ulong x_digits = (x_magnitude & 4503599627370495UL) | 4503599627370496UL;
  uint x_exponent = (uint)(x_magnitude >> 52u);
  if (x_subnormal) {
    const uint by = (uint)clz(x_magnitude) - 11u;
    x_digits = x_magnitude << by;
    x_exponent = 1u - by;
  }
  const bool y_subnormal = y_magnitude < 4503599627370496UL;
  ulong y_digits = (y_magnitude & 4503599627370495UL) | 4503599627370496UL;
  uint y_exponent = (uint)(y_magnitude >> 52u);
  if (y_subnormal) {
    const uint by = (uint)clz(y_magnitude) - 11u;
    y_digits = y_magnitude << by;
    y_exponent = 1u - by;
  }
  ulong rest = rem_native_u64(x_digits, y_digits);
  uint left = x_exponent - y_exponent;
  while (left > 0u) {
    const uint by = min(left, 11u);
    rest = rem_native_u64(rest << by, y_digits);
    left = left - by;
  }
  if (rest < 1UL) {
    const ulong word = x_bits & 9223372036854775808UL;
    return (uint2)(as_uint2(word).x, as_uint2(word).y);
  }
  const uint zeros = (uint)clz(rest);
  const uint2 called = nearest_of_f64(x_bits & 9223372036854775808UL, (y_exponent + 11u) - zeros, rest << zeros);
  return (uint2)(called.x, called.y);
}

// x * y + z, rounded once.
float fma_of_f32(const float x, const float y, const float z) {
  return fma(x, y, z);
}

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groups(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global const uint* restrict d, // input, n elements of f64, each its low and its high word
  __global const half* restrict h, // input, n elements
  __global const uint* restrict u, // input, n elements
  __global float* root, // output, n elements
  __global float* fused, // output, n elements
  __global uint* angle, // output, n elements of f64, each its low and its high word
  __global half* part, // output, n elements
  __global uint* mixed, // output, n elements
  __global uint* bounded) // output, n elements
{
  __local uint lanes_u32[128];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const uint u_i = u[i];
  const uint mine = u_i;
  // across the work-group: scan-inclusive saturating
  uint total = mine;
  uint sibling[6] = {0};
  uint own[6] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 6u; round++) {
    const uint bit = 1u << round;
    const uint slot = ((round & 1u) * 64u) + lane;
    lanes_u32[slot] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint theirs = lanes_u32[slot ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    const bool is_upper = (lane & bit) != 0u;
    const uint left = is_upper ? theirs : total;
    const uint right = is_upper ? total : theirs;
    const uint part_2 = add_saturating_of_u32(left, right);
    total = part_2;
  }
  uint carry = 0u;
  bool has_carry = false;
  uint inclusive = total;
  for (uint step = 0u; step < 6u; step++) {
    const uint round = 5u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const uint block = is_upper ? sibling[round] : own[round];
    const uint part_3 = add_saturating_of_u32(carry, block);
    const uint joined = has_carry ? part_3 : block;
    if (is_upper) {
      carry = joined;
      has_carry = true;
    } else {
      inclusive = joined;
    }
  }
  const uint scan_inclusive = inclusive;
  if (exists) {
    const float x_i = x[i];
    const float v5 = sqrt_of_f32(as_float(as_uint(x_i) & 0x7fffffffu));
    const float root_i = floor_of_f32(v5);
    root[i] = root_i;
    const float v8 = fma_of_f32(x_i, x_i, as_float(as_uint(x_i) ^ 0x80000000u));
    fused[i] = min_f32(max_f32(v8, -1.0f), 1.0f);
    const uint d_i_lo = d[i << 1u];
    const uint d_i_hi = d[(i << 1u) + 1u];
    const uint2 called = fmod_of_f64(d_i_lo, d_i_hi, 0u, 1081507840u);
    const bool which = eq_f64(called.x, called.y, 0u, 0u);
    const uint2 called_2 = copysign_of_f64(0u, 0u, 0u, 1081507840u);
    const bool which_2 = lt_f64(called.x, called.y, 0u, 0u) != false;
    const uint2 sum = add_f64(called.x, called.y, 0u, 1081507840u);
    const uint word_lo = which_2 ? sum.x : called.x;
    const uint word_hi = which_2 ? sum.y : called.y;
    const uint v13_lo = which ? called_2.x : word_lo;
    const uint v13_hi = which ? called_2.y : word_hi;
    const uint2 called_3 = round_of_f64(v13_lo, v13_hi);
    angle[i << 1u] = called_3.x;
    angle[(i << 1u) + 1u] = called_3.y;
    const float h_i = vload_half(i, h);
    const float v16 = as_float(round_f16(as_uint(copysign_of_f32(h_i, -1.0f))));
    const float part_i = as_float(round_f16(as_uint(v16 - as_float(round_f16(as_uint(floor_of_f32(v16)))))));
    vstore_half_rte(part_i, i, part);
    const uint v19 = rotate_left_of_u32(u_i, 7u);
    const uint v21 = mul_high_of_u32(v19, 2654435761u);
    const uint mixed_i = extract_bits_of_u32(v21, 4u, 20u);
    mixed[i] = mixed_i;
    bounded[i] = scan_inclusive;
  }
}
