// groupwise 0.1.0: the pipeline doubles in WGSL
// Made by: groupwise emit pipeline.json --target wgsl
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   tile_totals: G = floor(n / 1024)
//   tile_totals_2: G = floor(n / 2097152)
//   finish: G = 1

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements; each f64 its low and its high word
@group(0) @binding(1) var<storage, read> x: array<u32>;
// output: 1 element; each f64 its low and its high word
@group(0) @binding(2) var<storage, read_write> sum: array<u32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements; each f64 its low and its high word
@group(0) @binding(3) var<storage, read_write> tile_totals_add: array<u32>;

// The words shifted left, by the amount modulo 64.
fn shl_u64(lo: u32, hi: u32, amount: u32) -> vec2<u32> {
  let by = amount & 31u;
  let low = lo << (by & 31u);
  if ((amount & 32u) != 0u) {
    return vec2<u32>(0u, low);
  }
  return vec2<u32>(low, (hi << (by & 31u)) | ((lo >> 1u) >> ((31u - by) & 31u)));
}

// The words shifted right, by the amount modulo 64.
fn shr_u64(lo: u32, hi: u32, amount: u32) -> vec2<u32> {
  let by = amount & 31u;
  let high = hi >> (by & 31u);
  if ((amount & 32u) != 0u) {
    return vec2<u32>(high, 0u);
  }
  return vec2<u32>((lo >> (by & 31u)) | ((hi << 1u) << ((31u - by) & 31u)), high);
}

// The double is NaN.
fn is_nan_f64(lo: u32, hi: u32) -> bool {
  return ((hi & 2147483647u) | u32(lo != 0u)) > 2146435072u;
}

// The words shifted right by any amount; the lowest bit of the result is 1 if any bit shifted out was 1 (sticky).
fn shr_sticky_u64(lo: u32, hi: u32, amount: u32) -> vec2<u32> {
  let by = min(amount, 63u);
  let kept = shr_u64(lo, hi, by);
  let back = shl_u64(kept.x, kept.y, by);
  return vec2<u32>(kept.x | u32(((back.x ^ lo) | (back.y ^ hi)) != 0u), kept.y);
}

// The double nearest to the words, if their top bit has this biased exponent; the lowest bit may be sticky.
fn pack_f64(sign: u32, exponent: u32, lo: u32, hi: u32) -> vec2<u32> {
  if ((lo | hi) == 0u) {
    return vec2<u32>(0u, sign);
  }
  let zeros = select(countLeadingZeros(hi), (countLeadingZeros(lo) + 32u), (hi == 0u));
  let top = shl_u64(lo, hi, zeros);
  var low = top.x;
  var high = top.y;
  var biased = exponent - zeros;
  if (2046i < bitcast<i32>(biased)) {
    return vec2<u32>(0u, sign | 2146435072u);
  }
  if (bitcast<i32>(biased) < 1i) {
    // subnormal: the exponent is 1, and there is no hidden bit to add
    let small = shr_sticky_u64(low, high, 1u - biased);
    low = small.x;
    high = small.y;
    biased = 1u;
  }
  // keep 53 bits; round to nearest even
  let up = u32(((low & 2047u) + ((low >> 11u) & 1u)) > 1024u);
  let sum = ((low >> 11u) | (high << 21u)) + up;
  return vec2<u32>(sum, ((sign + ((biased - 1u) << 20u)) + (high >> 11u)) + u32(sum < up));
}

// a + b, rounded to nearest even.
fn add_f64(a_lo: u32, a_hi: u32, b_lo: u32, b_hi: u32) -> vec2<u32> {
  let left = a_hi & 2147483647u;
  let right = b_hi & 2147483647u;
  let swap = (left < right) | ((left == right) & (a_lo < b_lo));
  let x_lo = select(a_lo, b_lo, swap);
  let x_hi = select(a_hi, b_hi, swap);
  let y_lo = select(b_lo, a_lo, swap);
  let y_hi = select(b_hi, a_hi, swap);
  let differ = (x_hi ^ y_hi) >= 2147483648u;
  if ((x_hi & 2147483647u) >= 2146435072u) {
    if (is_nan_f64(x_lo, x_hi) | (differ & ((y_hi & 2147483647u) == 2146435072u))) {
      return vec2<u32>(0u, 2146959360u);
    }
    return vec2<u32>(x_lo, x_hi);
  }
  let x_exponent = (x_hi >> 20u) & 2047u;
  let y_exponent = (y_hi >> 20u) & 2047u;
  let x_digits = (x_hi & 1048575u) | select(1048576u, 0u, (x_exponent == 0u));
  let large_lo = x_lo << 10u;
  let large_hi = (x_digits << 10u) | (x_lo >> 22u);
  let y_digits = (y_hi & 1048575u) | select(1048576u, 0u, (y_exponent == 0u));
  let small = shr_sticky_u64(y_lo << 10u, (y_digits << 10u) | (y_lo >> 22u), max(x_exponent, 1u) - max(y_exponent, 1u));
  let sum = large_lo + small.x;
  let total_lo = select(sum, (large_lo - small.x), differ);
  let total_hi = select(((large_hi + small.y) + u32(sum < large_lo)), ((large_hi - small.y) - u32(large_lo < small.x)), differ);
  let packed = pack_f64(select((x_hi & 2147483648u), 0u, (differ & ((total_lo | total_hi) == 0u))), max(x_exponent, 1u) + 1u, total_lo, total_hi);
  return vec2<u32>(packed.x, packed.y);
}

var<workgroup> tile_totals_lanes_f64_lo: array<u32, 512>;
var<workgroup> tile_totals_lanes_f64_hi: array<u32, 512>;
// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
@compute @workgroup_size(256)
fn tile_totals(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items_lo: array<u32, 4>;
    var items_hi: array<u32, 4>;
    let i = base;
    let x_i_lo = x[i << 1u];
    let x_i_hi = x[(i << 1u) + 1u];
    items_lo[0u] = x_i_lo;
    items_hi[0u] = x_i_hi;
    let at_2 = i + 1u;
    let x_i_2_lo = x[at_2 << 1u];
    let x_i_2_hi = x[(at_2 << 1u) + 1u];
    items_lo[1u] = x_i_2_lo;
    items_hi[1u] = x_i_2_hi;
    let at_3 = i + 2u;
    let x_i_3_lo = x[at_3 << 1u];
    let x_i_3_hi = x[(at_3 << 1u) + 1u];
    items_lo[2u] = x_i_3_lo;
    items_hi[2u] = x_i_3_hi;
    let at_4 = i + 3u;
    let x_i_4_lo = x[at_4 << 1u];
    let x_i_4_hi = x[(at_4 << 1u) + 1u];
    items_lo[3u] = x_i_4_lo;
    items_hi[3u] = x_i_4_hi;
    // total of the tile: within each work-item, then across the work-group
    let word_lo = items_lo[0u];
    let word_hi = items_hi[0u];
    let word_lo_2 = items_lo[1u];
    let word_hi_2 = items_hi[1u];
    let sum_2 = add_f64(word_lo, word_hi, word_lo_2, word_hi_2);
    items_lo[1u] = sum_2.x;
    items_hi[1u] = sum_2.y;
    let word_lo_3 = items_lo[2u];
    let word_hi_3 = items_hi[2u];
    let word_lo_4 = items_lo[3u];
    let word_hi_4 = items_hi[3u];
    let sum_3 = add_f64(word_lo_3, word_hi_3, word_lo_4, word_hi_4);
    items_lo[3u] = sum_3.x;
    items_hi[3u] = sum_3.y;
    let word_lo_5 = items_lo[1u];
    let word_hi_5 = items_hi[1u];
    let word_lo_6 = items_lo[3u];
    let word_hi_6 = items_hi[3u];
    let sum_4 = add_f64(word_lo_5, word_hi_5, word_lo_6, word_hi_6);
    items_lo[3u] = sum_4.x;
    items_hi[3u] = sum_4.y;
    let total_lo = items_lo[3u];
    let total_hi = items_hi[3u];
    var total_lo_2 = total_lo;
    var total_hi_2 = total_hi;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_f64_lo[slot] = total_lo_2;
      tile_totals_lanes_f64_hi[slot] = total_hi_2;
      workgroupBarrier();
      let at_5 = slot ^ bit;
      let theirs_lo = tile_totals_lanes_f64_lo[at_5];
      let theirs_hi = tile_totals_lanes_f64_hi[at_5];
      let sum_5 = add_f64(total_lo_2, total_hi_2, theirs_lo, theirs_hi);
      total_lo_2 = sum_5.x;
      total_hi_2 = sum_5.y;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      tile_totals_add[at << 1u] = total_lo_2;
      tile_totals_add[(at << 1u) + 1u] = total_hi_2;
    }
  }
}

var<workgroup> tile_totals_2_lanes_f64_lo: array<u32, 512>;
var<workgroup> tile_totals_2_lanes_f64_hi: array<u32, 512>;
// Totals of level 2: each of 2048 totals of level 1.
@compute @workgroup_size(256)
fn tile_totals_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 2097152u)) {
    var items_lo: array<u32, 8>;
    var items_hi: array<u32, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      let at_2 = base + k;
      let word_lo = tile_totals_add[at_2 << 1u];
      let word_hi = tile_totals_add[(at_2 << 1u) + 1u];
      items_lo[k] = word_lo;
      items_hi[k] = word_hi;
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      let at_2 = k - 1u;
      let word_lo = items_lo[at_2];
      let word_hi = items_hi[at_2];
      let word_lo_2 = items_lo[k];
      let word_hi_2 = items_hi[k];
      let sum_2 = add_f64(word_lo, word_hi, word_lo_2, word_hi_2);
      items_lo[k] = sum_2.x;
      items_hi[k] = sum_2.y;
    }
    for (var k = 3u; k < 8u; k += 4u) {
      let at_2 = k - 2u;
      let word_lo = items_lo[at_2];
      let word_hi = items_hi[at_2];
      let word_lo_2 = items_lo[k];
      let word_hi_2 = items_hi[k];
      let sum_2 = add_f64(word_lo, word_hi, word_lo_2, word_hi_2);
      items_lo[k] = sum_2.x;
      items_hi[k] = sum_2.y;
    }
    let word_lo = items_lo[3u];
    let word_hi = items_hi[3u];
    let word_lo_2 = items_lo[7u];
    let word_hi_2 = items_hi[7u];
    let sum_2 = add_f64(word_lo, word_hi, word_lo_2, word_hi_2);
    items_lo[7u] = sum_2.x;
    items_hi[7u] = sum_2.y;
    let total_lo = items_lo[7u];
    let total_hi = items_hi[7u];
    var total_lo_2 = total_lo;
    var total_hi_2 = total_hi;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_f64_lo[slot] = total_lo_2;
      tile_totals_2_lanes_f64_hi[slot] = total_hi_2;
      workgroupBarrier();
      let at_2 = slot ^ bit;
      let theirs_lo = tile_totals_2_lanes_f64_lo[at_2];
      let theirs_hi = tile_totals_2_lanes_f64_hi[at_2];
      let sum_3 = add_f64(total_lo_2, total_hi_2, theirs_lo, theirs_hi);
      total_lo_2 = sum_3.x;
      total_hi_2 = sum_3.y;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      tile_totals_add[at << 1u] = total_lo_2;
      tile_totals_add[(at << 1u) + 1u] = total_hi_2;
    }
  }
}

var<workgroup> finish_lanes_f64_lo: array<u32, 512>;
var<workgroup> finish_lanes_f64_hi: array<u32, 512>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  var result_lo = 0u;
  var result_hi = 0u;
  var has_result = false;
  var offset = 0u;
  let first = lane * 8u;
  for (var step = 0u; step < 3u; step += 1u) {
    let level = 2u - step;
    let is_items = level == 0u;
    let count = params.n >> (select((10u + ((level - 1u) * 11u)), 0u, is_items) & 31u);
    let tail = count & select(2047u, 1023u, is_items);
    let from_ = count - tail;
    if (tail != 0u) {
      var items_lo: array<u32, 8>;
      var items_hi: array<u32, 8>;
      let last = tail - 1u;
      if (is_items) {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let x_i_lo = x[at << 1u];
          let x_i_hi = x[(at << 1u) + 1u];
          items_lo[k] = x_i_lo;
          items_hi[k] = x_i_hi;
        }
      } else {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let at_2 = offset + at;
          let word_lo = tile_totals_add[at_2 << 1u];
          let word_hi = tile_totals_add[(at_2 << 1u) + 1u];
          items_lo[k] = word_lo;
          items_hi[k] = word_hi;
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (var k = 1u; k < 8u; k += 2u) {
        let at_2 = k - 1u;
        let word_lo = items_lo[at_2];
        let word_hi = items_hi[at_2];
        let word_lo_2 = items_lo[k];
        let word_hi_2 = items_hi[k];
        let sum_2 = add_f64(word_lo, word_hi, word_lo_2, word_hi_2);
        items_lo[k] = sum_2.x;
        items_hi[k] = sum_2.y;
      }
      for (var k = 3u; k < 8u; k += 4u) {
        let at_2 = k - 2u;
        let word_lo = items_lo[at_2];
        let word_hi = items_hi[at_2];
        let word_lo_2 = items_lo[k];
        let word_hi_2 = items_hi[k];
        let sum_2 = add_f64(word_lo, word_hi, word_lo_2, word_hi_2);
        items_lo[k] = sum_2.x;
        items_hi[k] = sum_2.y;
      }
      let word_lo = items_lo[3u];
      let word_hi = items_hi[3u];
      let word_lo_2 = items_lo[7u];
      let word_hi_2 = items_hi[7u];
      let sum_2 = add_f64(word_lo, word_hi, word_lo_2, word_hi_2);
      items_lo[7u] = sum_2.x;
      items_hi[7u] = sum_2.y;
      let total_lo = items_lo[7u];
      let total_hi = items_hi[7u];
      var total_lo_2 = total_lo;
      var total_hi_2 = total_hi;
      var sibling_lo: array<u32, 8>;
      var sibling_hi: array<u32, 8>;
      var own_lo: array<u32, 8>;
      var own_hi: array<u32, 8>;
      workgroupBarrier();
      for (var round = 0u; round < 8u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((round & 1u) * 256u) + lane;
        finish_lanes_f64_lo[slot] = total_lo_2;
        finish_lanes_f64_hi[slot] = total_hi_2;
        workgroupBarrier();
        let at_2 = slot ^ bit;
        let theirs_lo = finish_lanes_f64_lo[at_2];
        let theirs_hi = finish_lanes_f64_hi[at_2];
        sibling_lo[round] = theirs_lo;
        sibling_hi[round] = theirs_hi;
        own_lo[round] = total_lo_2;
        own_hi[round] = total_hi_2;
        let sum_3 = add_f64(total_lo_2, total_hi_2, theirs_lo, theirs_hi);
        total_lo_2 = sum_3.x;
        total_hi_2 = sum_3.y;
      }
      var carry_lo = result_lo;
      var carry_hi = result_hi;
      var has_carry = has_result;
      let sum_3 = add_f64(result_lo, result_hi, total_lo_2, total_hi_2);
      var inclusive_lo = select(total_lo_2, sum_3.x, has_result);
      var inclusive_hi = select(total_hi_2, sum_3.y, has_result);
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let word_lo_3 = sibling_lo[round];
        let word_hi_3 = sibling_hi[round];
        let word_lo_4 = own_lo[round];
        let word_hi_4 = own_hi[round];
        let block_lo = select(word_lo_4, word_lo_3, is_upper);
        let block_hi = select(word_hi_4, word_hi_3, is_upper);
        let sum_4 = add_f64(carry_lo, carry_hi, block_lo, block_hi);
        let joined_lo = select(block_lo, sum_4.x, has_carry);
        let joined_hi = select(block_hi, sum_4.y, has_carry);
        inclusive_lo = select(joined_lo, inclusive_lo, is_upper);
        inclusive_hi = select(joined_hi, inclusive_hi, is_upper);
        carry_lo = select(carry_lo, joined_lo, is_upper);
        carry_hi = select(carry_hi, joined_hi, is_upper);
        has_carry = has_carry | is_upper;
      }
      let word_lo_3 = items_lo[3u];
      let word_hi_3 = items_hi[3u];
      let sum_4 = add_f64(carry_lo, carry_hi, word_lo_3, word_hi_3);
      let word_lo_4 = items_lo[3u];
      let word_hi_4 = items_hi[3u];
      items_lo[3u] = select(word_lo_4, sum_4.x, has_carry);
      items_hi[3u] = select(word_hi_4, sum_4.y, has_carry);
      let word_lo_5 = items_lo[1u];
      let word_hi_5 = items_hi[1u];
      let sum_5 = add_f64(carry_lo, carry_hi, word_lo_5, word_hi_5);
      let word_lo_6 = items_lo[1u];
      let word_hi_6 = items_hi[1u];
      items_lo[1u] = select(word_lo_6, sum_5.x, has_carry);
      items_hi[1u] = select(word_hi_6, sum_5.y, has_carry);
      let word_lo_7 = items_lo[3u];
      let word_hi_7 = items_hi[3u];
      let word_lo_8 = items_lo[5u];
      let word_hi_8 = items_hi[5u];
      let sum_6 = add_f64(word_lo_7, word_hi_7, word_lo_8, word_hi_8);
      items_lo[5u] = sum_6.x;
      items_hi[5u] = sum_6.y;
      let word_lo_9 = items_lo[0u];
      let word_hi_9 = items_hi[0u];
      let sum_7 = add_f64(carry_lo, carry_hi, word_lo_9, word_hi_9);
      let word_lo_10 = items_lo[0u];
      let word_hi_10 = items_hi[0u];
      items_lo[0u] = select(word_lo_10, sum_7.x, has_carry);
      items_hi[0u] = select(word_hi_10, sum_7.y, has_carry);
      for (var k = 2u; k < 8u; k += 2u) {
        let at_2 = k - 1u;
        let word_lo_11 = items_lo[at_2];
        let word_hi_11 = items_hi[at_2];
        let word_lo_12 = items_lo[k];
        let word_hi_12 = items_hi[k];
        let sum_8 = add_f64(word_lo_11, word_hi_11, word_lo_12, word_hi_12);
        items_lo[k] = sum_8.x;
        items_hi[k] = sum_8.y;
      }
      items_lo[7u] = inclusive_lo;
      items_hi[7u] = inclusive_hi;
      workgroupBarrier();
      if ((last / 8u) == lane) {
        let at_2 = last % 8u;
        let word_lo_11 = items_lo[at_2];
        let word_hi_11 = items_hi[at_2];
        finish_lanes_f64_lo[0u] = word_lo_11;
        finish_lanes_f64_hi[0u] = word_hi_11;
      }
      workgroupBarrier();
      let announced_lo = finish_lanes_f64_lo[0u];
      let announced_hi = finish_lanes_f64_hi[0u];
      result_lo = announced_lo;
      result_hi = announced_hi;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  let reduced_lo = select(0u, result_lo, has_result);
  let reduced_hi = select(0u, result_hi, has_result);
  if (lane == 0u) {
    sum[0u] = reduced_lo;
    sum[1u] = reduced_hi;
  }
}
